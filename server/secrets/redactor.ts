import type { Json } from '@/harness/contract/json';
import { shortestSecret } from './vault';

export interface NamedSecret {
  name: string;
  value: string;
}

/** Removes secret values from text and JSON. The same object is given back where nothing was found. */
export interface Redactor {
  text(text: string): string;
  json<T extends Json>(value: T): T;
}

/** An encoded fragment shorter than this occurs in ordinary text by chance. */
const shortestFragment = 6;

const jsonInside = (text: string): string => JSON.stringify(text).slice(1, -1);
const percent = (text: string): string => {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The part of the base64 text that stays the same whatever stands before and after the secret, for each of the three alignments. */
function base64Cores(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  return [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    const first = shift === 0 ? 0 : shift === 1 ? 2 : 3;
    const last = Math.floor(((shift + bytes.length) * 8) / 6);
    return encoded.slice(first, last);
  });
}

/** Every form in which a value may stand in what is written: raw, escaped, encoded, also as a part of something longer. */
export function formsOf(value: string): string[] {
  const hex = Buffer.from(value, 'utf8').toString('hex');
  const cores = base64Cores(value);
  const encoded = [
    percent(value),
    percent(value).replaceAll('%20', '+'),
    percent(value).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    ...cores,
    ...cores.map((core) => core.replaceAll('+', '-').replaceAll('/', '_')),
    hex,
    hex.toUpperCase(),
  ].filter((form) => form.length >= shortestFragment);
  const raw = [value, value.trim(), jsonInside(value), jsonInside(jsonInside(value))].filter((form) => form.length >= shortestSecret);
  return [...new Set([...raw, ...encoded])];
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** Values shorter than four characters cannot be saved and are not looked for. Where secrets overlap the longest form wins. */
export function createRedactor(secrets: Iterable<NamedSecret>): Redactor {
  const names = new Map<string, string>();
  for (const { name, value } of secrets) {
    if (value.length < shortestSecret) continue;
    for (const form of formsOf(value)) if (!names.has(form)) names.set(form, name);
  }
  if (names.size === 0) return { text: (text) => text, json: (value) => value };
  const forms = [...names.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(forms.map(escaped).join('|'), 'g');
  const text = (plain: string): string => plain.replace(pattern, (form) => `[secret ${names.get(form) ?? ''}]`);

  function walk(value: Json): Json {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') {
      // A secret of digits could stand as a number.
      const plain = String(value);
      const clean = text(plain);
      return clean === plain ? value : clean;
    }
    if (Array.isArray(value)) {
      const items = value.map(walk);
      return items.some((item, index) => item !== value[index]) ? items : value;
    }
    if (value === null || typeof value === 'boolean') return value;
    let changed = false;
    const entries = Object.entries(value).map(([key, inner]): [string, Json] => {
      const cleanKey = text(key);
      const clean = walk(inner);
      if (cleanKey !== key || clean !== inner) changed = true;
      return [cleanKey, clean];
    });
    return changed ? Object.fromEntries(entries) : value;
  }

  // Redaction keeps the shape apart from strings and secret digits; callers treat the result as the JSON it is.
  return { text, json: <T extends Json>(value: T): T => walk(value) as T };
}
