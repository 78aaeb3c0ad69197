import { z } from 'zod';
import { type JsonObject, jsonSchema } from '@/harness/contract/json';
import { modelRoles } from '@/harness/contract/model';

/** Config fields that several node types share, so that one thing has one title and one bound everywhere. Browser-safe. */

/** Text that must not be empty; the message says what to do. It has no default, so a fresh node shows a problem, not a silent gap. */
export const requiredText = (message: string, max = 20_000) =>
  z
    .string({ error: message })
    .max(max)
    .refine((text) => text.trim() !== '', { error: message });

/** Names that become port ids: stable while titles change. */
export const portId = z
  .string({ error: 'Give it an id' })
  .min(1, 'Give it an id')
  .max(100)
  .refine((id) => id !== 'error', 'The port "error" is taken: it is where failures leave')
  .meta({ title: 'Id', description: 'Names the port. Edges refer to it; change the title instead to rename what people see.' });

export const hasUniqueIds = (rows: readonly { id: string }[]): boolean => new Set(rows.map((row) => row.id)).size === rows.length;

export const modelRole = z.enum(modelRoles).default('primary').meta({
  title: 'Model role',
  description: 'Which of the flow’s models answers. A role without a model of its own uses the primary one.',
});

/** A JSON Schema kept as data. */
export const jsonSchemaDocument = z.record(z.string(), jsonSchema);

export const temperature = z
  .number()
  .min(0)
  .max(2)
  .nullable()
  .default(null)
  .meta({ title: 'Temperature', description: 'From 0 (steady) to 2 (varied). Empty leaves it to the flow’s model settings.' });

export const maxOutputTokens = z
  .int()
  .min(1)
  .max(1_000_000)
  .nullable()
  .default(null)
  .meta({ title: 'Longest reply (tokens)', description: 'Empty leaves it to the flow’s model settings.' });

export const includeTranscript = z.boolean().default(false).meta({
  title: 'Include the conversation',
  description: 'Puts the chat session’s earlier messages between the system prompt and the prompt.',
});

export const transcriptMessages = z
  .int()
  .min(1)
  .max(1000)
  .default(20)
  .meta({ title: 'Messages of the conversation', description: 'At most this many of the newest messages are included.' });

export const corrections = z.int().min(0).max(5).default(0).meta({
  title: 'More corrective retries',
  description: 'A reply that does not fit its schema is sent back once with what is wrong. This many more tries follow.',
});

/** The zod form of a JSON Schema, for typed references; anything zod cannot read is any JSON. */
export function zodOfJsonSchema(schema: JsonObject | null | undefined): z.ZodType {
  if (schema === null || schema === undefined) return jsonSchema;
  try {
    // The parameter type names every JSON Schema keyword; ours is a checked JSON object that may hold any of them.
    const converted = z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema);
    z.toJSONSchema(converted);
    return converted;
  } catch {
    return jsonSchema;
  }
}

/** First line of a text, cut for a card. */
export function firstLine(text: unknown, length = 60): string {
  if (typeof text !== 'string') return '';
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

/** `1.5 s`, `2 min`, `250 ms`. */
export function duration(milliseconds: unknown): string {
  if (typeof milliseconds !== 'number' || !Number.isFinite(milliseconds)) return '';
  if (milliseconds < 1000) return `${milliseconds} ms`;
  if (milliseconds < 60_000) return `${Number((milliseconds / 1000).toFixed(1))} s`;
  if (milliseconds < 3_600_000) return `${Number((milliseconds / 60_000).toFixed(1))} min`;
  return `${Number((milliseconds / 3_600_000).toFixed(1))} h`;
}

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
