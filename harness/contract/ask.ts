import { z } from 'zod';
import { jsonSchema } from './json';

/** A request to a person. What is shown is hashed; an answer carries that hash back (design §6, BR-60, BR-85). */
export const askSchema = z.object({
  kind: z.enum(['approval', 'question', 'tool-approval', 'unknown-outcome', 'breakpoint']),
  title: z.string(),
  /** Markdown, rendered without raw HTML. */
  body: z.string().default(''),
  /** Data the person decides about (a draft, tool arguments, a plan). */
  shown: jsonSchema.optional(),
  /** The answers offered, in order. The first is the affirmative one. */
  choices: z
    .array(z.object({ id: z.string(), label: z.string(), tone: z.enum(['accept', 'reject', 'neutral']).default('neutral') }))
    .min(1),
  /** JSON Schema of the form that goes with the answer, when there is one. */
  form: z.record(z.string(), jsonSchema).optional(),
  /** Milliseconds since the epoch after which only the timeout branch is left; absent = waits for ever. */
  expiresAt: z.number().optional(),
});
export type Ask = z.output<typeof askSchema>;
export type AskInput = z.input<typeof askSchema>;

/** `timeout` is written by the engine alone. */
export const askAnswerSchema = z.object({
  choice: z.string(),
  /** Values of the form. */
  values: z.record(z.string(), jsonSchema).optional(),
  comment: z.string().optional(),
  by: z.string().default('person'),
});
export type AskAnswer = z.output<typeof askAnswerSchema>;
export const timeoutChoice = 'timeout';
