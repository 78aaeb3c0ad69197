/*
 * A text that matches a simple regular expression: literals, classes, groups, alternatives and counts. What it cannot read (look-around,
 * back references) gives `null`; the caller checks the result against the schema all the same.
 */

interface Cursor {
  source: string;
  at: number;
}

const classes: Readonly<Record<string, string>> = { d: '1', w: 'a', s: ' ', D: 'a', W: '-', S: 'a', b: '', B: '' };

function readClass(cursor: Cursor): string | null {
  cursor.at += 1;
  const negated = cursor.source[cursor.at] === '^';
  if (negated) cursor.at += 1;
  const start = cursor.at;
  let first: string | null = null;
  while (cursor.at < cursor.source.length && (cursor.source[cursor.at] !== ']' || cursor.at === start)) {
    let character = cursor.source[cursor.at] ?? '';
    if (character === '\\') {
      cursor.at += 1;
      const letter = cursor.source[cursor.at] ?? '';
      character = classes[letter] ?? letter;
    }
    first ??= character;
    cursor.at += 1;
  }
  const body = cursor.source.slice(start, cursor.at);
  cursor.at += 1;
  if (!negated) return first;
  const test = new RegExp(`[^${body}]`, 'u');
  return ['a', '1', 'A', '-', ' '].find((candidate) => test.test(candidate)) ?? null;
}

function readCount(cursor: Cursor): number {
  const rest = cursor.source.slice(cursor.at);
  const exact = /^\{(\d+)(?:,\d*)?\}\??/.exec(rest);
  if (exact !== null) {
    cursor.at += exact[0].length;
    return Math.min(Number(exact[1]), 200);
  }
  const sign = /^[*+?]\??/.exec(rest)?.[0];
  if (sign === undefined) return 1;
  cursor.at += sign.length;
  return sign.startsWith('?') || sign.startsWith('*') ? 0 : 1;
}

function readAlternatives(cursor: Cursor): string | null {
  let chosen: string | null = null;
  let current: string | null = '';
  while (cursor.at < cursor.source.length && cursor.source[cursor.at] !== ')') {
    if (cursor.source[cursor.at] === '|') {
      cursor.at += 1;
      chosen ??= current;
      current = '';
      continue;
    }
    const piece = readAtom(cursor);
    const count = readCount(cursor);
    current = piece === null || current === null ? null : current + piece.repeat(count);
  }
  return chosen ?? current;
}

function readAtom(cursor: Cursor): string | null {
  const character = cursor.source[cursor.at];
  if (character === '[') return readClass(cursor);
  if (character === '(') {
    const opening = /^\((?:\?:|\?<\w+>)?/.exec(cursor.source.slice(cursor.at))?.[0] ?? '(';
    cursor.at += opening.length;
    const unreadable = cursor.source[cursor.at] === '?';
    const inner = readAlternatives(cursor);
    cursor.at += 1;
    return unreadable ? null : inner;
  }
  cursor.at += 1;
  if (character === '^' || character === '$') return '';
  if (character === '.') return 'a';
  if (character === '\\') {
    const letter = cursor.source[cursor.at] ?? '';
    cursor.at += 1;
    return classes[letter] ?? letter;
  }
  return character ?? null;
}

export function textOfPattern(pattern: string): string | null {
  try {
    const text = readAlternatives({ source: pattern, at: 0 });
    return text !== null && new RegExp(pattern, 'u').test(text) ? text : null;
  } catch {
    return null;
  }
}
