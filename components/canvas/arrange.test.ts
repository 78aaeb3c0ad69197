import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FlowDocument, flowDocumentSchema } from '@/harness/flow/schema';
import { align, autoLayout, type Box, distribute, withPlaces } from './arrange';

const size = { width: 240, height: 64 };
const flow = (ids: string[], edges: [string, string][], extra: Record<string, { parent?: string }> = {}): FlowDocument =>
  flowDocumentSchema.parse({
    format: 'bridle/flow',
    version: 1,
    id: 'f',
    name: 'f',
    nodes: ids.map((id) => ({ id, type: 'transform', typeVersion: 1, label: id, config: {}, ...extra[id] })),
    edges: edges.map(([source, target]) => ({ id: `${source}-${target}`, kind: 'flow', source, port: 'next', target })),
  });

const overlap = (a: Box, b: Box): boolean => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

describe('auto-layout', () => {
  test('a chain runs from left to right', () => {
    const places = autoLayout(
      flow(
        ['a', 'b', 'c'],
        [
          ['a', 'b'],
          ['b', 'c'],
        ],
      ),
      () => size,
    );
    expect((places.a?.x ?? 0) < (places.b?.x ?? 0) && (places.b?.x ?? 0) < (places.c?.x ?? 0)).toBe(true);
  });

  test('no two nodes of one level lie over each other, whatever the edges (seed is printed on failure)', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const edge = fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...ids));
    fc.assert(
      fc.property(fc.uniqueArray(edge, { maxLength: 12, selector: ([from, to]) => `${from}-${to}` }), (edges) => {
        const places = autoLayout(flow(ids, edges), () => size);
        const boxes = ids.map((id): Box => ({ id, ...size, x: places[id]?.x ?? Number.NaN, y: places[id]?.y ?? Number.NaN }));
        for (const a of boxes) for (const b of boxes) if (a.id < b.id) expect(overlap(a, b), `${a.id} and ${b.id}`).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  test('a container grows around its body', () => {
    const document = flow(['box', 'x', 'y'], [['x', 'y']], { x: { parent: 'box' }, y: { parent: 'box' } });
    const places = autoLayout(document, () => size);
    expect(places.box?.width ?? 0).toBeGreaterThan(2 * size.width);
    for (const id of ['x', 'y']) {
      expect((places[id]?.x ?? -1) >= 0 && (places[id]?.x ?? 0) + size.width <= (places.box?.width ?? 0)).toBe(true);
      expect((places[id]?.y ?? -1) >= 0 && (places[id]?.y ?? 0) + size.height <= (places.box?.height ?? 0)).toBe(true);
    }
  });

  test('laying out new nodes alone moves no other', () => {
    const document = withPlaces(flow(['a', 'b', 'new'], [['a', 'b']]), { a: { x: 10, y: 20 }, b: { x: 400, y: 20 }, new: { x: 0, y: 0 } });
    const places = autoLayout(document, () => size, new Set(['new']));
    expect(Object.keys(places)).toEqual(['new']);
    expect(places.new?.y ?? 0).toBeGreaterThan(84);
  });

  test('a loop edge does not turn the drawing round', () => {
    const document = flow(
      ['a', 'b'],
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
    );
    const looped = { ...document, edges: document.edges.map((edge) => (edge.source === 'b' ? { ...edge, maxTraversals: 5 } : edge)) };
    const places = autoLayout(looped, () => size);
    expect((places.a?.x ?? 0) < (places.b?.x ?? 0)).toBe(true);
  });
});

describe('align and distribute', () => {
  const boxes: Box[] = [
    { id: 'a', x: 0, y: 5, width: 100, height: 40 },
    { id: 'b', x: 130, y: 60, width: 60, height: 80 },
    { id: 'c', x: 400, y: 20, width: 100, height: 40 },
  ];

  test('right edges meet although widths differ', () => {
    const places = align(boxes, 'right');
    expect(boxes.map((box) => (places[box.id]?.x ?? 0) + box.width)).toEqual([500, 500, 500]);
  });

  test('gaps become equal and the outer two stay', () => {
    const places = distribute(boxes, 'x');
    expect(places.a?.x).toBe(0);
    expect(places.c?.x).toBe(400);
    expect((places.b?.x ?? 0) - 100).toBe(400 - ((places.b?.x ?? 0) + 60));
  });

  test('one box alone is left where it is', () => {
    expect(align(boxes.slice(0, 1), 'left')).toEqual({});
    expect(distribute(boxes.slice(0, 2), 'y')).toEqual({});
  });
});
