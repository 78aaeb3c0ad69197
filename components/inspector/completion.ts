import { isJsonObject, type JsonObject } from '@/harness/contract/json';
import { expressionFunctions } from '@/harness/expression/functions';
import { type ScopeEntry, typeWord } from './upstream';

export interface Completion {
  label: string;
  detail: string;
  insert: string;
  kind: 'name' | 'field' | 'function';
}

export interface CompletionList {
  /** Offsets in the source that the insertion replaces. */
  from: number;
  to: number;
  items: readonly Completion[];
}

const none = (offset: number): CompletionList => ({ from: offset, to: offset, items: [] });

/** Where the expression around an offset begins; null outside of `{{ }}` in a template. */
function expressionStart(source: string, kind: 'expression' | 'template', offset: number): number | null {
  if (kind === 'expression') return 0;
  const open = source.lastIndexOf('{{', offset - 1);
  if (open < 0 || open + 2 > offset) return null;
  const close = source.indexOf('}}', open + 2);
  return close >= 0 && close < offset ? null : open + 2;
}

/** True inside of an unfinished string, where names are just text. */
const inString = (text: string): boolean => {
  let quote: string | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (quote !== null && character === '\\') at += 1;
    else if (character === quote) quote = null;
    else if (quote === null && (character === '"' || character === "'")) quote = character;
  }
  return quote !== null;
};

const into = (schema: JsonObject, key: string): JsonObject => {
  if (isJsonObject(schema.properties) && Object.hasOwn(schema.properties, key)) {
    const next = schema.properties[key];
    return isJsonObject(next) ? next : {};
  }
  return {};
};

/** What can be written at an offset of an expression or template, from what is in scope there. */
export function completionsAt(
  source: string,
  kind: 'expression' | 'template',
  offset: number,
  scope: readonly ScopeEntry[],
): CompletionList {
  const start = expressionStart(source, kind, offset);
  if (start === null) return none(offset);
  const before = source.slice(start, offset);
  const chain = /(?:nodes\["(?:[^"\\]|\\.)*"\]|[A-Za-z_]\w*)(?:\.\w*)*$/.exec(before);
  const outsideOfNames = inString(chain ? before.slice(0, chain.index) : before);
  if (outsideOfNames) return none(offset);
  const typed = chain?.[0] ?? '';
  if (chain && typed.includes('.')) {
    const lastDot = typed.lastIndexOf('.');
    const head = typed.slice(0, lastDot);
    const partial = typed.slice(lastDot + 1);
    const from = offset - partial.length;
    const entry = scope
      .filter((candidate) => head === candidate.reference || head.startsWith(`${candidate.reference}.`))
      .sort((a, b) => b.reference.length - a.reference.length)[0];
    if (!entry) {
      const under = scope.filter((candidate) => candidate.reference.startsWith(`${head}.`));
      return {
        from,
        to: offset,
        items: under.map((candidate) => ({
          label: candidate.reference.slice(head.length + 1),
          detail: candidate.title,
          insert: candidate.reference.slice(head.length + 1),
          kind: 'name',
        })),
      };
    }
    const keys = head.slice(entry.reference.length).split('.').filter(Boolean);
    const schema = keys.reduce(into, entry.schema);
    const properties = isJsonObject(schema.properties) ? Object.entries(schema.properties) : [];
    return {
      from,
      to: offset,
      items: properties
        .filter(([key]) => /^[A-Za-z_]\w*$/.test(key))
        .map(([key, property]) => ({ label: key, detail: typeWord(property), insert: key, kind: 'field' })),
    };
  }
  const from = offset - typed.length;
  const names = scope.map(
    (entry): Completion => ({
      label: entry.reference,
      detail: [entry.title, entry.detail].filter(Boolean).join(', '),
      insert: entry.reference,
      kind: 'name',
    }),
  );
  const functions = expressionFunctions.map(
    (entry): Completion => ({ label: entry.name, detail: entry.summary, insert: entry.name, kind: 'function' }),
  );
  return { from, to: offset, items: [...names, ...functions] };
}
