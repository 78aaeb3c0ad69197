import { expect, test } from 'vitest';
import { allTypes, groupTypes, searchTypes } from './palette-search';

const ids = (query: string): string[] => searchTypes(query).map((manifest) => manifest.id);

test('a word that is only a keyword finds its type', () => {
  expect(ids('if')).toContain('branch');
  expect(ids('for each')).toContain('map');
});

test('a slip of the finger still finds the type', () => {
  expect(ids('aprovall').length + ids('transfrom').length).toBeGreaterThan(0);
  expect(ids('transfrom')[0]).toBe('transform');
});

test('the title outranks a mention in another summary', () => {
  expect(ids('agent')[0]).toBe('agent');
});

test('nothing typed offers everything, each type in exactly one group', () => {
  const grouped = groupTypes(searchTypes('')).flatMap((group) => group.types.map((manifest) => manifest.id));
  expect([...grouped].sort()).toEqual(allTypes.map((manifest) => manifest.id).sort());
});

test('nonsense finds nothing', () => {
  expect(ids('qzxwv')).toEqual([]);
});
