import { isJsonObject, type Json } from '../../contract/json';
import { stableJson } from '../../flow/stable-json';

/** What a call of a writing tool would do, as far as its arguments tell. */
export interface Change {
  /** One paragraph for people and gates: the tool, what it touches, and the difference it makes. */
  text: string;
  /** Lines taken away and added, or `null` for a call whose effect its arguments do not show. */
  diff: string | null;
  /** Workspace paths it names, relative to the root. */
  paths: string[];
  lines: number;
  functions: number;
}

/** Keys under which tools name the files they are about. */
const pathKeys = ['path', 'file', 'paths', 'files'] as const;
/** Of a move; one of them alone is something else, such as the receiver of a message. */
const moveKeys = ['from', 'to'] as const;

/** The paths that a tool's input or output names at its top level, once each. */
export function pathsOf(value: Json): string[] {
  if (!isJsonObject(value)) return [];
  const keys = moveKeys.every((key) => typeof value[key] === 'string') ? [...pathKeys, ...moveKeys] : pathKeys;
  const named = keys.flatMap((key) => {
    const found = value[key];
    return Array.isArray(found) ? found : [found];
  });
  const texts = named.flatMap((entry) => (typeof entry === 'string' ? [entry] : isJsonObject(entry) ? [entry.path] : []));
  return [...new Set(texts.filter((text): text is string => typeof text === 'string' && text !== '').map(plainPath))];
}

const plainPath = (path: string): string => path.replace(/^(?:\.\/)+/, '');

const functionWord = /\b(?:function|def|func|fn|class)\b|=>/;

/** Describes a call in the words that gates read (D13): known shapes as a difference of lines, any other as its arguments. */
export function changeOf(tool: string, input: Json): Change {
  const paths = pathsOf(input);
  const fields = isJsonObject(input) ? input : {};
  const lines = changedLines(fields);
  if (lines === null) {
    const said = typeof fields.command === 'string' ? `$ ${fields.command}` : stableJson(input);
    return { text: `${tool} ${said}`, diff: null, paths, lines: 0, functions: 0 };
  }
  const diff = lines.join('\n');
  const functions = lines.filter((line) => functionWord.test(line)).length;
  return { text: [`${tool} ${paths.join(', ')}`.trim(), diff].join('\n'), diff, paths, lines: lines.length, functions };
}

/** `{content}` writes a file, `{find, replace}` edits one, `{edits: [{find, replace}]}` edits it in several places. */
function changedLines(fields: { [key: string]: Json }): string[] | null {
  if (Array.isArray(fields.edits)) {
    const parts = fields.edits.map((edit) => (isJsonObject(edit) ? replaced(edit) : null));
    return parts.some((part) => part === null) ? null : parts.flatMap((part) => part ?? []);
  }
  if (typeof fields.content === 'string') return marked('+', fields.content);
  return replaced(fields);
}

const replaced = ({ find, replace }: { [key: string]: Json }): string[] | null =>
  typeof find === 'string' && typeof replace === 'string' ? withoutCommon(marked('-', find), marked('+', replace)) : null;

const marked = (sign: '+' | '-', text: string): string[] =>
  text === ''
    ? []
    : text
        .replace(/\r?\n$/, '')
        .split(/\r?\n/)
        .map((line) => `${sign}${line}`);

/** An edit repeats lines around the change to find its place; they stay as they are and are no part of the difference. */
function withoutCommon(before: string[], after: string[]): string[] {
  const same = (left: string | undefined, right: string | undefined) => left !== undefined && left.slice(1) === right?.slice(1);
  let start = 0;
  while (start < Math.min(before.length, after.length) && same(before[start], after[start])) start += 1;
  let end = 0;
  while (end < Math.min(before.length, after.length) - start && same(before.at(-1 - end), after.at(-1 - end))) end += 1;
  return [...before.slice(start, before.length - end), ...after.slice(start, after.length - end)];
}
