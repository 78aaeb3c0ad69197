import { isJsonObject, type Json } from '@/harness/contract/json';

/** The text a person would read in a value: a string, or its `message`, `text` or `reply`; JSON otherwise. */
export function textOf(value: Json | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (isJsonObject(value)) {
    for (const key of ['message', 'text', 'reply']) {
      const part = value[key];
      if (typeof part === 'string') return part;
    }
  }
  return JSON.stringify(value);
}
