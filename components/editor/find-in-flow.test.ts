import { expect, test } from 'vitest';
import { flowDocumentSchema } from '@/harness/flow/schema';
import { findInFlow } from './find-in-flow';

const document = flowDocumentSchema.parse({
  format: 'bridle/flow',
  version: 1,
  id: 'f',
  name: 'f',
  nodes: [
    {
      id: 'a',
      type: 'agent',
      typeVersion: 1,
      label: 'Reader',
      config: { prompt: 'Look for the Needle in the hay', maxTurns: 12, rows: [{ when: 'needle > 3' }] },
    },
    { id: 'b', type: 'note', typeVersion: 1, label: '', config: {}, note: 'nothing here' },
  ],
  edges: [],
});

test('finds values inside rows, whatever their case, and says where they are', () => {
  expect(findInFlow(document, 'needle').map(({ nodeId, place, match }) => [nodeId, place, match])).toEqual([
    ['a', 'prompt', 'Needle'],
    ['a', 'rows.0.when', 'needle'],
  ]);
});

test('numbers are found as they are written', () => {
  expect(findInFlow(document, '12').map(({ place }) => place)).toEqual(['maxTurns']);
});

test('an empty search finds nothing rather than everything', () => {
  expect(findInFlow(document, '  ')).toEqual([]);
});
