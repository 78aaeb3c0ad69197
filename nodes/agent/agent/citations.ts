import { isJsonObject, type Json } from '@/harness/contract/json';

/** A `file:line` in an answer. `seen` says whether a tool result really showed that line; `quote` is what stood there. */
export interface Citation {
  file: string;
  line: number;
  endLine: number;
  seen: boolean;
  quote: string;
}

/** Lines that tool results showed, by file. */
export type ShownLines = Map<string, Map<number, string>>;

const reference = /(?<![\w/.:@-])((?:[\w.@+-]+\/)*[\w@+-][\w.@+-]*):(\d{1,6})(?:[-–](\d{1,6}))?(?![\w:])/g;

/** Every `file:line` and `file:line-line` of a text, once each, held against what tools showed. Hosts with a port are not citations. */
export function citationsIn(text: string, shown: ShownLines): Citation[] {
  const found = new Map<string, Citation>();
  for (const match of text.matchAll(reference)) {
    const [, written = '', first = '', last = first] = match;
    const file = written.replace(/^\.\//, '');
    const line = Number(first);
    const endLine = Math.max(line, Number(last));
    const lines = shown.get(file) ?? shown.get(`./${file}`);
    if (!lines && !/\.[A-Za-z]\w{0,9}$/.test(file)) continue;
    const key = `${file}:${line}-${endLine}`;
    if (!found.has(key)) found.set(key, { file, line, endLine, ...heldAgainst(lines, line, endLine) });
  }
  return [...found.values()];
}

const longestQuote = 500;

function heldAgainst(lines: ReadonlyMap<number, string> | undefined, line: number, endLine: number): { seen: boolean; quote: string } {
  if (!lines) return { seen: false, quote: '' };
  const quoted: string[] = [];
  for (let at = line; at <= endLine; at++) {
    const text = lines.get(at);
    if (text === undefined) return { seen: false, quote: '' };
    quoted.push(text);
  }
  return { seen: true, quote: quoted.join('\n').slice(0, longestQuote) };
}

/**
 * Notes the lines a tool result shows. Understood are an object with a `path` (or `file`) and a `line` and `text`, as a search gives them,
 * and one with a `path`, a first line (`startLine`, 1 when absent) and `content`, as a read gives it; at any depth.
 */
export function noteShown(output: Json, shown: ShownLines, path: string | null = null): void {
  if (Array.isArray(output)) {
    for (const item of output) noteShown(item, shown, path);
    return;
  }
  if (!isJsonObject(output)) return;
  const here = textOf(output.path) ?? textOf(output.file) ?? path;
  if (here !== null) {
    const text = textOf(output.text) ?? textOf(output.content);
    if (text !== null && typeof output.line === 'number') noteLines(shown, here, output.line, [text]);
    else if (text !== null) noteContent(shown, here, text, numberOf(output.startLine) ?? 1);
    if (typeof output.line === 'number') noteAround(output, shown, here, output.line);
  }
  for (const [key, value] of Object.entries(output)) if (!contextKeys.has(key)) noteShown(value, shown, here);
}

const numberedRow = /^\s*(\d+)[:\t|] ?(.*)$/;

/** Content may carry its line numbers itself, as `12: text`; else it begins at `first`. */
function noteContent(shown: ShownLines, path: string, content: string, first: number): void {
  const rows = content.split(/\r?\n/);
  const numbered = rows.every((row) => row.trim() === '' || numberedRow.test(row));
  if (!numbered) {
    noteLines(shown, path, first, rows);
    return;
  }
  for (const row of rows) {
    const [, line, text = ''] = numberedRow.exec(row) ?? [];
    if (line !== undefined) noteLines(shown, path, Number(line), [text]);
  }
}

const contextKeys: ReadonlySet<string> = new Set(['before', 'after']);

/** A search may give the lines around a hit as lists of texts. */
function noteAround(hit: { [key: string]: Json }, shown: ShownLines, path: string, line: number): void {
  const before = textsOf(hit.before);
  noteLines(shown, path, line - before.length, before);
  noteLines(shown, path, line + 1, textsOf(hit.after));
}

function noteLines(shown: ShownLines, path: string, first: number, texts: readonly string[]): void {
  const file = path.replace(/^\.\//, '');
  const lines = shown.get(file) ?? new Map<number, string>();
  shown.set(file, lines);
  texts.forEach((text, offset) => {
    lines.set(first + offset, text);
  });
}

const textOf = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null);
const numberOf = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null);
const textsOf = (value: Json | undefined): string[] => (Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []);
