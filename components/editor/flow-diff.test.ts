import { expect, test } from 'vitest';
import { type FlowDocument, flowDocumentSchema } from '@/harness/flow/schema';
import { diffFlows, isSame, mergedForDrawing } from './flow-diff';

const flow = (nodes: Record<string, Record<string, unknown>>, edges: [string, string][] = []): FlowDocument =>
  flowDocumentSchema.parse({
    format: 'bridle/flow',
    version: 1,
    id: 'f',
    name: 'f',
    nodes: Object.entries(nodes).map(([id, config]) => ({ id, type: 'agent', typeVersion: 1, label: id, config })),
    edges: edges.map(([source, target]) => ({ id: `${source}${target}`, kind: 'flow', source, port: 'next', target })),
    layout: { nodes: Object.fromEntries(Object.keys(nodes).map((id, at) => [id, { x: at * 100, y: 0 }])) },
  });

test('moving nodes is no difference', () => {
  const before = flow({ a: {}, b: {} }, [['a', 'b']]);
  const after = { ...before, layout: { nodes: { a: { x: 900, y: 900 } } } };
  expect(isSame(diffFlows(before, after))).toBe(true);
});

test('the order of keys, nodes and edges is no difference', () => {
  const before = flow({ a: { x: 1, y: { p: 1, q: 2 } }, b: {} });
  const after = flow({ b: {}, a: { y: { q: 2, p: 1 }, x: 1 } });
  expect(isSame(diffFlows(before, after))).toBe(true);
});

test('a changed value is told with its path, before and after', () => {
  const diff = diffFlows(flow({ a: { prompt: 'old', turns: 3 } }), flow({ a: { prompt: 'new', turns: 3 } }));
  expect(diff.nodes).toEqual([{ id: 'a', label: 'a', mark: 'changed', fields: [{ path: 'config.prompt', before: 'old', after: 'new' }] }]);
});

test('what was removed still stands in the drawing of both', () => {
  const before = flow({ a: {}, gone: {} }, [['a', 'gone']]);
  const after = flow({ a: {}, fresh: {} });
  const diff = diffFlows(before, after);
  expect(diff.nodes.map(({ id, mark }) => [id, mark])).toEqual([
    ['fresh', 'added'],
    ['gone', 'removed'],
  ]);
  expect(diff.edges.map(({ mark }) => mark)).toEqual(['removed']);
  const merged = mergedForDrawing(before, after);
  expect(merged.nodes.map((node) => node.id)).toEqual(['a', 'fresh', 'gone']);
  expect(merged.edges).toHaveLength(1);
});
