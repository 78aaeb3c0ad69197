import { describe, expect, it } from 'vitest';
import { previewOf } from './preview';
import { flowDocumentSchema } from './schema';

const typeOf = (type: string) => (type === 'map' ? { layer: 'flow', role: 'container' } : { layer: 'evidence', role: 'step' });
const flow = (
  nodes: { id: string; type?: string; parent?: string }[],
  edges: [string, string][],
  layout: Record<string, { x: number; y: number }>,
) =>
  flowDocumentSchema.parse({
    format: 'bridle/flow',
    version: 1,
    id: 'f',
    name: 'f',
    nodes: nodes.map((node) => ({ type: 'step', typeVersion: 1, label: node.id, config: {}, ...node })),
    edges: edges.map(([source, target]) => ({ id: `${source}-${target}`, kind: 'flow', source, port: 'next', target })),
    layout: { nodes: layout },
  });

describe('thumbnails', () => {
  it('draws a node inside a container inside it, not at the origin', () => {
    const preview = previewOf(
      flow(
        [
          { id: 'in', parent: 'box' },
          { id: 'box', type: 'map' },
        ],
        [],
        { box: { x: 500, y: 100 }, in: { x: 20, y: 40 } },
      ),
      typeOf,
    );
    expect(preview.boxes.map(({ x, y, kind }) => ({ x, y, kind }))).toEqual([
      { x: 500, y: 100, kind: 'box' },
      { x: 520, y: 140, kind: 'node' },
    ]);
  });

  it('does not stack the nodes of a flow that has no layout on one spot', () => {
    const preview = previewOf(
      flow(
        [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
        [
          ['a', 'b'],
          ['a', 'c'],
          ['c', 'a'],
        ],
        {},
      ),
      typeOf,
    );
    expect(new Set(preview.boxes.map(({ x, y }) => `${x} ${y}`)).size).toBe(3);
  });

  it('leaves out edges to nodes that do not exist, and ends on parents that go in a circle', () => {
    const document = flow(
      [
        { id: 'a', parent: 'b' },
        { id: 'b', parent: 'a' },
      ],
      [['a', 'gone']],
      { a: { x: 1, y: 1 }, b: { x: 1, y: 1 } },
    );
    expect(previewOf(document, typeOf).lines).toEqual([]);
  });
});
