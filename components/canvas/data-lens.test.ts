import { expect, test } from 'vitest';
import { flowDocumentSchema } from '@/harness/flow/schema';
import { catalogue } from '@/nodes/catalog';
import { dataEdges } from './data-lens';

const node = (id: string, type: string, config: Record<string, unknown>) => ({ id, type, typeVersion: 1, label: id, config });
const document = flowDocumentSchema.parse({
  format: 'bridle/flow',
  version: 1,
  id: 'f',
  name: 'f',
  nodes: [
    node('ask', 'llm-call', { prompt: 'Plain words about ask.text' }),
    node('check', 'transform', { mode: 'expression', expression: 'ask.text.size() > 3 && ask.finish == "stop"' }),
    node('say', 'output', { value: '{{ check }} and {{ ask.text }} and {{ gone.text }}' }),
    node('half', 'transform', { mode: 'expression', expression: 'ask.' }),
    node('idle', 'transform', { mode: 'expression', expression: 'received', template: '{{ ask.text }}' }),
  ],
  edges: [],
});

test('references in conditions and templates become edges, words in plain text do not', () => {
  const edges = dataEdges(document, catalogue).map(({ from, to, labels }) => `${from}→${to}: ${labels.join(',')}`);
  expect(edges.sort()).toEqual(['ask→check: finish,text', 'ask→say: text', 'check→say: output']);
});

test('with a selection only its own reads and readers are drawn', () => {
  expect(
    dataEdges(document, catalogue, new Set(['check']))
      .map(({ from, to }) => `${from}→${to}`)
      .sort(),
  ).toEqual(['ask→check', 'check→say']);
});
