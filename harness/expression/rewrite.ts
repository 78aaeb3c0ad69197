import { isBridleError } from '../contract/errors';
import { parseExpression } from './parse';
import type { Reference } from './references';
import { isBareName, isIdentifier, quote, referenceText } from './reserved';
import { splitTemplate, type TemplatePart } from './template';

export type SourceKind = 'expression' | 'template';

/** References of an expression or template; none when it cannot be parsed. */
export function referencesOf(source: string, kind: SourceKind): Reference[] {
  return expressionParts(source, kind).flatMap((part) =>
    safeReferences(part.source).map((reference) => ({
      ...reference,
      start: reference.start + part.start,
      end: reference.end + part.start,
    })),
  );
}

/**
 * The same source with every reference to node `from` turned into one to node `to`, and not a character else. Works on the parsed expression, so
 * text that merely looks like an id (in strings, fields, other ids) stays. Source that cannot be parsed comes back as it is.
 */
export function rewriteReferences(source: string, kind: SourceKind, rename: ReadonlyMap<string, string>): string {
  const edits = referencesOf(source, kind).flatMap((reference) => {
    const to = reference.kind === 'node' ? rename.get(reference.root) : undefined;
    return to === undefined ? [] : [editOf(source, reference, to)];
  });
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), source);
}

interface Edit {
  start: number;
  end: number;
  text: string;
}

function editOf(source: string, reference: Reference, to: string): Edit {
  const { start, end, form } = reference;
  if (form === 'index') return { start, end, text: quote(to) };
  if (form === 'name') {
    const captured = reference.bound.includes(to);
    return { start, end, text: captured || !isBareName(to) ? `nodes[${quote(to)}]` : referenceText(to) };
  }
  if (isIdentifier(to)) return { start, end, text: to };
  const optional = /\.\s*\?\s*$/.test(source.slice(0, start));
  const dot = source.slice(0, start).search(/\.\s*\??\s*$/);
  return { start: dot, end, text: `[${optional ? '?' : ''}${quote(to)}]` };
}

function expressionParts(source: string, kind: SourceKind): { source: string; start: number }[] {
  if (kind === 'expression') return [{ source, start: 0 }];
  try {
    return splitTemplate(source).filter((part): part is Extract<TemplatePart, { kind: 'expression' }> => part.kind === 'expression');
  } catch (thrown) {
    if (isBridleError(thrown)) return [];
    throw thrown;
  }
}

function safeReferences(source: string): readonly Reference[] {
  try {
    return parseExpression(source).references;
  } catch (thrown) {
    if (isBridleError(thrown)) return [];
    throw thrown;
  }
}
