import type { Json } from '@/harness/contract/json';

/** The end of the JSON value that starts at `start`, or -1 when its brackets never close. Strings are respected. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

export type ParsedJson = { ok: true; value: Json } | { ok: false };

export function parseJson(text: string): ParsedJson {
  try {
    // JSON.parse returns `any`; what it accepts is JSON by definition.
    return { ok: true, value: JSON.parse(text) as Json };
  } catch {
    return { ok: false };
  }
}

/** Trailing commas are the one slip that can be mended without guessing what was meant. */
const withoutTrailingCommas = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, (match) => (match === ',' ? '' : match));

const lenient = (text: string): ParsedJson => {
  const strict = parseJson(text);
  return strict.ok ? strict : parseJson(withoutTrailingCommas(text));
};

const maxStarts = 50;

/**
 * Every JSON value that can be found in a model's text, the likeliest first: the whole text, then fenced blocks, then each object or list
 * that stands in prose. Thinking blocks are left out.
 */
export function jsonCandidates(text: string): Json[] {
  const found: Json[] = [];
  const clean = text.replace(/<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/g, '').trim();
  const whole = lenient(clean);
  if (whole.ok) return [whole.value];
  for (const fence of clean.matchAll(/```[\w-]*\s*\n?([\s\S]*?)```/g)) {
    const parsed = lenient((fence[1] ?? '').trim());
    if (parsed.ok) found.push(parsed.value);
  }
  let tried = 0;
  for (let at = 0; at < clean.length && tried < maxStarts; at += 1) {
    if (clean[at] !== '{' && clean[at] !== '[') continue;
    tried += 1;
    const end = endOfValue(clean, at);
    if (end === -1) continue;
    const parsed = lenient(clean.slice(at, end));
    if (!parsed.ok) continue;
    found.push(parsed.value);
    at = end - 1;
  }
  return found;
}
