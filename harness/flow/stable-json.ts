import { byText } from './flow-graph';

/**
 * JSON text with the keys of every object in one order and keys without a value left out: equal values give equal text. `indent` is the number
 * of spaces per level; 0 writes one line.
 */
export const stableJson = (value: unknown, indent = 0): string => write(value, indent, '\n');

/** `line` is a line break with the indentation of the enclosing level. */
function write(value: unknown, indent: number, line: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const inside = indent === 0 ? '' : line + ' '.repeat(indent);
  const after = indent === 0 ? '' : line;
  const comma = `,${inside}`;
  if (Array.isArray(value)) {
    return value.length === 0 ? '[]' : `[${inside}${value.map((item) => write(item, indent, inside)).join(comma)}${after}]`;
  }
  let text = '';
  // a plain object of JSON; its values are whatever JSON holds
  const record = value as Record<string, unknown>;
  for (const key of Object.keys(record).sort(byText)) {
    const inner = record[key];
    if (inner !== undefined)
      text += `${text === '' ? '' : comma}${JSON.stringify(key)}:${indent === 0 ? '' : ' '}${write(inner, indent, inside)}`;
  }
  return text === '' ? '{}' : `{${inside}${text}${after}}`;
}
