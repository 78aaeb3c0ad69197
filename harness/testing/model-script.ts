import { z } from 'zod';
import { jsonSchema } from '../contract/json';
import { modelRoles } from '../contract/model';

/**
 * One answer of a scripted model. `node`, `role` and `when` narrow which call it answers; all that are given must hold.
 * Times in milliseconds, cost in US dollars.
 */
export const scriptedReplySchema = z.strictObject({
  /** Node id of the caller. */
  node: z.string().optional(),
  role: z.enum(modelRoles).optional(),
  /** `contains` is looked for in the text of all messages of the request, whatever the case. */
  when: z.strictObject({ contains: z.string().optional() }).optional(),
  text: z.string().optional(),
  toolCalls: z.array(z.strictObject({ name: z.string().min(1), arguments: jsonSchema.default({}) })).optional(),
  /** A structured reply; sent as its JSON text. */
  object: jsonSchema.optional(),
  finish: z.enum(['stop', 'length', 'tool-calls', 'content-filter', 'error', 'other']).optional(),
  /** Waited before the first piece of text. */
  delayMs: z.number().min(0).optional(),
  /** Absent = estimated from the length of the texts. */
  usage: z.strictObject({ inputTokens: z.int().min(0), outputTokens: z.int().min(0), cost: z.number().min(0).optional() }).optional(),
  /** The call fails instead; `status` maps to an error as a provider's HTTP status would. */
  error: z
    .strictObject({ status: z.int().min(100).max(599).optional(), message: z.string(), retryAfterMs: z.number().min(0).optional() })
    .optional(),
  /** How many calls it answers; 0 = any number. */
  times: z.int().min(0).default(1),
});
export type ScriptedReply = z.output<typeof scriptedReplySchema>;

/** What a rehearsed model says, in order: the first unspent reply that matches a call answers it. */
export const modelScriptSchema = z.strictObject({ replies: z.array(scriptedReplySchema) });
export type ModelScript = z.output<typeof modelScriptSchema>;
export type ModelScriptInput = z.input<typeof modelScriptSchema>;
