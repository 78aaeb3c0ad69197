import { expect, test } from 'vitest';
import { rankByName } from './rank-by-name';

test('a node found by its whole name is not beaten by keywords that share some letters with it', () => {
  expect(rankByName('Pause', ['Pause', 'Wait'])).toBe(1);
  expect(rankByName('pause', ['Import a flow', 'Flow', 'open', 'upload', 'paste'])).toBeNull();
});

test('what begins with the letters comes before a later word, and that before scattered letters', () => {
  const [first, later] = [rankByName('run', ['Run from here']), rankByName('run', ['Stop the run'])];
  expect(first).toBeGreaterThan(later ?? 1);
  expect(rankByName('run', ['Truncate'])).toBeNull();
});
