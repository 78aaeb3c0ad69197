import { expect, test } from 'vitest';
import { comparisonsOf } from './comparisons';

const short = (source: string) =>
  comparisonsOf(source).map(({ left, operator, right, negated }) =>
    [negated ? `!${left}` : left, operator, right].filter(Boolean).join(' '),
  );

test('a comparison inside of && || or ! was not shown', () => {
  expect(short('(a.n + 1) * 2 >= 3 && !(b == "x") || c')).toEqual(['(a.n + 1) * 2 >= 3', '!b == "x"', 'c']);
});

test('a piece of a condition could not be evaluated by itself because a bracket was lost', () => {
  for (const source of [
    '((a)) < (b)',
    'x * (a + 1) > (b - (c))',
    'x in ["a)", "(b"]',
    '(a ? 1 : 2) == 1',
    'size(l.filter(i, (i.ok))) > 0',
  ]) {
    for (const { left, right } of comparisonsOf(source)) {
      expect(() => comparisonsOf(left), `${source}: ${left}`).not.toThrow();
      if (right !== undefined) expect(() => comparisonsOf(right), `${source}: ${right}`).not.toThrow();
    }
  }
});
