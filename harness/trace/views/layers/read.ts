import { isJsonObject, type Json } from '../../../contract/json';

/*
 * Readers for channel values as a log has them. A log may come from another version, and a long text in it may be a reference to a value
 * that is kept apart; a view shows what is there and never fails over what is not.
 */

export const fieldOf = (value: Json | undefined, key: string): Json | undefined =>
  isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

export function listAt(value: Json | undefined, key: string): readonly Json[] {
  const found = fieldOf(value, key);
  return Array.isArray(found) ? found : [];
}

/** Text; of a text that is kept apart, its beginning. */
export function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  const preview = fieldOf(value, 'preview');
  return typeof preview === 'string' && fieldOf(value, '$payload') !== undefined ? `${preview}…` : '';
}

export const textAt = (value: Json | undefined, key: string): string => textOf(fieldOf(value, key));

export function numberAt(value: Json | undefined, key: string): number | null {
  const found = fieldOf(value, key);
  return typeof found === 'number' ? found : null;
}

export const textsAt = (value: Json | undefined, key: string): string[] => listAt(value, key).map(textOf);
