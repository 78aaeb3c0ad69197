import { expect, test } from 'vitest';
import { citationsIn, noteShown, type ShownLines } from './citations';

const shownBy = (...outputs: Parameters<typeof noteShown>[0][]): ShownLines => {
  const shown: ShownLines = new Map();
  for (const output of outputs) noteShown(output, shown);
  return shown;
};

test('a line nobody has read counted as evidence', () => {
  const shown = shownBy({ matches: [{ path: 'src/a.ts', line: 3, text: 'let a = 1;' }] });
  expect(citationsIn('See src/a.ts:3 and src/a.ts:4.', shown)).toEqual([
    { file: 'src/a.ts', line: 3, endLine: 3, seen: true, quote: 'let a = 1;' },
    { file: 'src/a.ts', line: 4, endLine: 4, seen: false, quote: '' },
  ]);
});

test('a range counted as seen when only its first line was', () => {
  const shown = shownBy({ path: 'README.md', startLine: 10, content: 'ten\neleven' });
  expect(citationsIn('`README.md:10-11`, README.md:11-12', shown).map((citation) => citation.seen)).toEqual([true, false]);
});

test('content that numbers its own lines was counted from one', () => {
  const shown = shownBy({ path: 'docs/x.md', content: '41: forty-one\n42: forty-two' });
  expect(citationsIn('(docs/x.md:42)', shown)).toEqual([{ file: 'docs/x.md', line: 42, endLine: 42, seen: true, quote: 'forty-two' }]);
});

test('hosts, times and ratios were listed as files', () => {
  expect(citationsIn('http://example.com:8080/x at 12:30, localhost:3000, 3:1, a::b', new Map())).toEqual([]);
});

test('a file without extension was not found although a tool showed it', () => {
  const shown = shownBy({ hits: [{ path: './Makefile', line: 2, text: 'all:' }] });
  expect(citationsIn('Makefile:2; Dockerfile:1', shown)).toMatchObject([{ file: 'Makefile', line: 2, seen: true }]);
});

test('the lines around a hit were not known', () => {
  const shown = shownBy([{ path: 'a.ts', line: 5, text: 'five', before: ['three', 'four'], after: ['six'] }]);
  expect(citationsIn('a.ts:3-6', shown)).toMatchObject([{ seen: true, quote: 'three\nfour\nfive\nsix' }]);
});
