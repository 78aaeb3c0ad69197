/** Where a piece of text stands in a file. `at` counts characters from 0, `line` from 1. */
export interface Found {
  at: number;
  line: number;
}

const maxFound = 50;

/** Every place of a text, also overlapping ones; at most 50. */
export function findAll(text: string, piece: string): Found[] {
  const found: Found[] = [];
  let line = 1;
  let counted = 0;
  for (let at = text.indexOf(piece); at !== -1 && found.length < maxFound; at = text.indexOf(piece, at + 1)) {
    for (; counted < at; counted += 1) if (text.charCodeAt(counted) === 10) line += 1;
    found.push({ at, line });
  }
  return found;
}

const squeezed = (line: string): string => line.replace(/\s+/g, ' ').trim();

/** How alike two lines are, from 0 to 1: the share of letter pairs that both have. */
function likeness(a: string, b: string): number {
  if (a === b) return 1;
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < a.length; at += 1) {
    const pair = a.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  let common = 0;
  for (let at = 0; at + 1 < b.length; at += 1) {
    const pair = b.slice(at, at + 2);
    const left = pairs.get(pair) ?? 0;
    if (left === 0) continue;
    pairs.set(pair, left - 1);
    common += 1;
  }
  return (2 * common) / Math.max(1, a.length + b.length - 2);
}

const maxLines = 20_000;
const maxLineCharacters = 200;

/** For a text that is not in a file: what it may have been meant to be, in words for the model. */
export function nearestLines(text: string, piece: string): string {
  const lines = text.split(/\r?\n/).slice(0, maxLines);
  const wanted = piece.split(/\r?\n/).map(squeezed);
  while (wanted.length > 1 && wanted[0] === '') wanted.shift();
  while (wanted.length > 1 && wanted.at(-1) === '') wanted.pop();
  const squeezedLines = lines.map(squeezed);
  const loose = squeezedLines.findIndex((_, at) => wanted.every((line, offset) => squeezedLines[at + offset] === line));
  const show = (at: number): string => `${at + 1}: ${(lines[at] ?? '').slice(0, maxLineCharacters)}`;
  if (loose !== -1 && wanted.some((line) => line !== '')) {
    const shown = wanted.slice(0, 10).map((_, offset) => show(loose + offset));
    return `It differs only in white space from lines ${loose + 1} to ${loose + wanted.length}:\n${shown.join('\n')}`;
  }
  const key = wanted.find((line) => line.length > 2) ?? '';
  const best = squeezedLines
    .map((line, at) => ({ at, score: line === '' ? 0 : likeness(line.slice(0, maxLineCharacters), key.slice(0, maxLineCharacters)) }))
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, 3)
    .filter(({ score }) => score >= 0.4)
    .sort((a, b) => a.at - b.at);
  return best.length === 0
    ? 'No line is like it. Read the file first.'
    : `The nearest lines are:\n${best.map(({ at }) => show(at)).join('\n')}`;
}
