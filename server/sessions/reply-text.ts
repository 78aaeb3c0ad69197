import { isJsonObject, type Json } from '@/harness/contract/json';

const replyFields = ['text', 'message', 'reply'] as const;

/** What a chat shows of a run's output: a string, the first of its `text`, `message` or `reply` fields that is one, else its JSON. */
export function replyText(output: Json): string {
  if (output === null) return '';
  if (typeof output === 'string') return output;
  if (isJsonObject(output)) {
    for (const field of replyFields) {
      const value = Object.hasOwn(output, field) ? output[field] : undefined;
      if (typeof value === 'string') return value;
    }
    // a flow with one output whose name is free: `{ answer: "…" }` reads as its text
    const values = Object.values(output);
    const [only] = values;
    if (values.length === 1 && typeof only === 'string') return only;
  }
  return JSON.stringify(output, null, 2);
}
