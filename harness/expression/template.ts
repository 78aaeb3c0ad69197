import { type BridleError, isBridleError, userError } from '../contract/errors';
import type { Json } from '../contract/json';
import { type ExpressionScope, runParsed } from './evaluate';
import { clip, type ParsedExpression, parseExpression } from './parse';
import type { Reference } from './references';
import { remember } from './remember';

export type TemplatePart =
  | { kind: 'text'; text: string; start: number; end: number }
  /** `start` and `end` bound the expression between the braces. */
  | { kind: 'expression'; source: string; start: number; end: number };

export interface ParsedTemplate {
  readonly source: string;
  readonly parts: readonly (
    | Extract<TemplatePart, { kind: 'text' }>
    | { kind: 'expression'; start: number; end: number; parsed: ParsedExpression }
  )[];
  /** References with offsets in the whole template. */
  readonly references: readonly Reference[];
}

const cache = new Map<string, ParsedTemplate | BridleError>();

/** Parses text with `{{ CEL }}`, or throws `EXPRESSION_SYNTAX` with offsets in the text. `\{{` writes two braces. */
export function parseTemplate(source: string): ParsedTemplate {
  const known = remember(cache, source, () => {
    try {
      return parse(source);
    } catch (thrown) {
      if (isBridleError(thrown)) return thrown;
      throw thrown;
    }
  });
  if (isBridleError(known)) throw known;
  return known;
}

function parse(source: string): ParsedTemplate {
  const references: Reference[] = [];
  const parts = splitTemplate(source).map((part) => {
    if (part.kind === 'text') return part;
    const parsed = parseAt(part.source, part.start);
    for (const reference of parsed.references) {
      references.push({ ...reference, start: reference.start + part.start, end: reference.end + part.start });
    }
    return { kind: 'expression' as const, start: part.start, end: part.end, parsed };
  });
  return { source, parts, references };
}

function parseAt(source: string, offset: number): ParsedExpression {
  try {
    return parseExpression(source);
  } catch (thrown) {
    if (!isBridleError(thrown)) throw thrown;
    throw userError(thrown.code, `{{${clip(source)}}}: ${thrown.message}`, {
      expression: clip(source),
      start: offset,
      end: offset + source.length,
    });
  }
}

/** Cuts a template into text and expressions. Throws `EXPRESSION_SYNTAX` when braces are never closed. */
export function splitTemplate(source: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let text = '';
  let textStart = 0;
  const flush = (end: number) => {
    if (text !== '') parts.push({ kind: 'text', text, start: textStart, end });
    text = '';
  };
  let at = 0;
  while (at < source.length) {
    const open = source.indexOf('{{', at);
    if (open === -1) break;
    if (source[open - 1] === '\\' && open > at) {
      text += `${source.slice(at, open - 1)}{{`;
      at = open + 2;
      continue;
    }
    text += source.slice(at, open);
    flush(open);
    const close = expressionEnd(source, open + 2);
    parts.push({ kind: 'expression', source: source.slice(open + 2, close), start: open + 2, end: close });
    at = close + 2;
    textStart = at;
  }
  text += source.slice(at);
  flush(source.length);
  return parts;
}

/** Where the closing braces stand, looking past strings and map literals. */
function expressionEnd(source: string, from: number): number {
  let depth = 0;
  for (let at = from; at < source.length; at++) {
    const char = source[at];
    if (char === '"' || char === "'") at = stringEnd(source, at);
    else if (char === '{') depth++;
    else if (char === '}' && depth > 0) depth--;
    else if (char === '}' && source[at + 1] === '}') return at;
  }
  throw userError('EXPRESSION_SYNTAX', `"{{" is never closed with "}}": ${clip(source.slice(from - 2, from + 40))}`, {
    start: from - 2,
    end: source.length,
  });
}

/** The last character of a CEL string that begins at `from`: plain, raw, or in triple quotes. */
function stringEnd(source: string, from: number): number {
  const char = source[from] ?? '';
  const quote = source.startsWith(char.repeat(3), from) ? char.repeat(3) : char;
  const raw = /[rR]/.test(source[from - 1] ?? '');
  for (let at = from + quote.length; at < source.length; at++) {
    if (source[at] === '\\' && !raw) at++;
    else if (source.startsWith(quote, at)) return at + quote.length - 1;
  }
  return source.length;
}

/** A value as text in a template: text as it is, nothing for null, JSON for lists and objects. */
export function textOfJson(value: Json): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Fills a template. Throws like `evaluateExpression`. */
export function renderTemplate(source: string, scope: ExpressionScope): string {
  return parseTemplate(source)
    .parts.map((part) => (part.kind === 'text' ? part.text : textOfJson(runParsed(part.parsed, scope))))
    .join('');
}
