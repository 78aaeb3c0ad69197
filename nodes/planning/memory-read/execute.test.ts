import { expect, test } from 'vitest';
import type { JsonObject } from '@/harness/contract/json';
import { fakeContext } from '../../testing/fake-context';
import { planningValues } from '../support/state';
import { executeMemoryRead } from './execute';
import { memoryReadNode } from './node';

const memory = (id: string, category: string, curation_status: string, more: JsonObject = {}) => ({
  id,
  content: `The parser needs care ${id}.`,
  category,
  curation_status,
  ...more,
});

async function recalled(rows: unknown[], config: JsonObject = {}) {
  const fake = fakeContext(memoryReadNode, {
    config: { query: '{{input.message}}', ...config },
    input: { message: 'Fix the parser' },
    state: planningValues({ workspaceMemories: rows }),
    now: 100,
  });
  const { output } = await executeMemoryRead.execute(fake.context);
  return { ids: Object(output).memories.map(({ id }: { id: string }) => id), text: Object(output).text, decisions: fake.decisions };
}

test('L28: a suggestion, a rejected, archived or expired memory was given to a model', async () => {
  const hidden = ['auto', 'user_rejected', 'superseded'].map((status, at) => memory(`h${at}`, 'gotcha', status));
  const { ids, decisions } = await recalled([
    ...hidden,
    memory('old', 'gotcha', 'user_confirmed', { expires_at: 99 }),
    memory('a', 'gotcha', 'user_confirmed'),
    memory('b', 'build', 'high_confidence_auto'),
  ]);
  expect(ids.sort()).toEqual(['a', 'b']);
  expect(decisions).toMatchObject([{ rule: 'memory: retrieval', outcome: 'injected 2' }]);
});

test('a preset gave other categories or more than its number', async () => {
  const rows = Array.from({ length: 9 }, (_, at) => memory(`m${at}`, at % 2 === 0 ? 'convention' : 'build', 'user_confirmed'));
  expect((await recalled(rows, { preset: 'phase_1' })).ids).toHaveLength(5);
  expect((await recalled(rows, { preset: 'phase_3' })).ids.sort()).toEqual(['m0', 'm2', 'm4', 'm6', 'm8']);
  expect((await recalled(rows, { preset: 'fix_loop' })).ids).toEqual([]);
  expect((await recalled(rows, { preset: 'own', limit: 2, categories: ['build'] })).ids).toHaveLength(2);
});

test('the budget was overrun, or an unrelated memory was given', async () => {
  const rows = [
    memory('a', 'gotcha', 'user_confirmed'),
    { ...memory('b', 'gotcha', 'user_confirmed'), content: 'Deploys happen on Fridays.' },
  ];
  expect((await recalled(rows)).ids).toEqual(['a']);
  const { ids, text } = await recalled(rows, { contextWindow: 1024, windowShare: 0.001 });
  expect([ids, text]).toEqual([[], '']);
});
