import { describe, expect, test } from 'vitest';
import { flowDocumentSchema } from '@/harness/flow/schema';
import { completionsAt } from './completion';
import { fieldsOf, pathText, scopeOf, upstreamOf } from './upstream';

const node = (id: string, type: string, config: Record<string, unknown> = {}, extra = {}) => ({
  id,
  type,
  typeVersion: 1,
  label: id,
  config,
  ...extra,
});
const edge = (source: string, target: string, port = 'next') => ({ id: `${source}_${target}`, kind: 'flow', source, port, target });
const document = flowDocumentSchema.parse({
  format: 'bridle/flow',
  version: 1,
  id: 'f',
  name: 'f',
  nodes: [
    node('start', 'input'),
    node('ask', 'llm-call'),
    node('after', 'llm-call'),
    node('each', 'map', { list: 'input.items' }),
    node('inner', 'transform', {}, { parent: 'each' }),
    node('odd id', 'llm-call'),
    node('limit', 'budget'),
  ],
  edges: [
    edge('start', 'ask'),
    edge('ask', 'odd id'),
    edge('odd id', 'each'),
    edge('each', 'after'),
    { id: 'g', kind: 'attach', source: 'limit', target: 'each' },
  ],
});
const scope = scopeOf(document, 'each');
const labels = (source: string, kind: 'expression' | 'template' = 'expression', offset = source.length): string[] =>
  completionsAt(source, kind, offset, scope).items.map((item) => item.label);

describe('what a node can refer to', () => {
  test('nodes before it, not those after it', () => {
    expect(upstreamOf(document, 'each')).toEqual(['odd id', 'ask', 'start']);
  });

  test('inside a container also what came before the container', () => {
    expect(upstreamOf(document, 'inner')).toContain('ask');
    expect(scopeOf(document, 'inner').map((entry) => entry.reference)).toContain('item');
    expect(scopeOf(document, 'ask').map((entry) => entry.reference)).not.toContain('item');
  });

  test('a policy sees what the node it guards sees', () => {
    expect(upstreamOf(document, 'limit')).toContain('ask');
  });

  test('an id that is no name is written through nodes[…]', () => {
    expect(scope.map((entry) => entry.reference)).toContain('nodes["odd id"]');
  });

  test('fields are listed with their types', () => {
    const ask = scope.find((entry) => entry.nodeId === 'ask');
    expect(fieldsOf(ask?.schema ?? {}).map((field) => field.path.join('.'))).toContain('text');
    expect(pathText(['a', 'odd key'])).toBe('.a["odd key"]');
  });
});

describe('completion', () => {
  test('names of upstream nodes are offered, fields after a dot', () => {
    expect(labels('a')).toContain('ask');
    expect(labels('ask.')).toContain('text');
    expect(labels('nodes["odd id"].te')).toContain('text');
  });

  test('input fields come from the schema of the input', () => {
    expect(labels('input.')).toEqual(['message']);
  });

  test('in a template only inside of braces', () => {
    expect(labels('Dear a', 'template')).toEqual([]);
    expect(labels('Dear {{ a', 'template')).toContain('ask');
    expect(labels('{{ ask.text }} and a', 'template')).toEqual([]);
  });

  test('inside a string nothing is offered', () => {
    expect(labels('"as')).toEqual([]);
    expect(labels('input.message == "x" && as')).toContain('ask');
  });

  test('the typed part is what gets replaced', () => {
    expect(completionsAt('1 + ask.te', 'expression', 10, scope)).toMatchObject({ from: 8, to: 10 });
  });
});
