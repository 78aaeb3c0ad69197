import { describe, expect, test } from 'vitest';
import { type FlowDocument, flowDocumentSchema } from '@/harness/flow/schema';
import { catalogue } from '@/nodes/catalog';
import { fromCanvasId, toCanvasId } from './canvas-id';
import { focusOrder } from './focus-order';
import { project } from './projection';

const node = (id: string, type = 'transform', extra: Record<string, unknown> = {}) => ({
  id,
  type,
  typeVersion: 1,
  label: id,
  config: {},
  ...extra,
});
const edge = (source: string, target: string, port = 'next') => ({ id: `${source}-${target}`, kind: 'flow', source, port, target });
const flow = (nodes: ReturnType<typeof node>[], edges: ReturnType<typeof edge>[]): FlowDocument =>
  flowDocumentSchema.parse({
    format: 'bridle/flow',
    version: 1,
    id: 'f',
    name: 'f',
    nodes,
    edges,
    layout: { nodes: Object.fromEntries(nodes.map((entry, at) => [entry.id, { x: at * 300, y: 0 }])) },
  });
const draw = (document: FlowDocument, before?: ReturnType<typeof project>) =>
  project({ document, catalogue, footer: false, readOnly: false }, before);

describe('a document as cards and edges', () => {
  test('BR-72: moving one node hands out every other card and edge as the very same object', () => {
    const document = flow([node('a'), node('b'), node('c')], [edge('a', 'b'), edge('b', 'c')]);
    const first = draw(document);
    const moved = { ...document, layout: { ...document.layout, nodes: { ...document.layout.nodes, b: { x: 5, y: 5 } } } };
    const second = draw(moved, first);
    expect(second.nodes.filter((card, at) => card !== first.nodes[at]).map((card) => card.id)).toEqual(['b']);
    expect(second.edges).toEqual(first.edges);
    expect(second.edges.every((line, at) => line === first.edges[at])).toBe(true);
  });

  test('BR-25: an edge to a node that is not there is drawn to a ghost and says why', () => {
    const drawn = draw(flow([node('a')], [edge('a', 'gone')]));
    expect(drawn.edges[0]?.data?.broken).toContain('gone');
    expect(drawn.nodes.some((card) => card.type === 'ghost')).toBe(true);
  });

  test('BR-30: an edge from a port that its node no longer has keeps a row to leave from', () => {
    const drawn = draw(flow([node('a'), node('b')], [edge('a', 'b', 'old_port')]));
    const card = drawn.nodes.find((entry) => entry.id === 'a');
    expect(card?.handles?.map((handle) => handle.id)).toContain('old_port');
    expect(drawn.edges[0]?.data?.broken).toContain('old_port');
  });

  test('BR-31: a node of an unknown type has a card with a handle for each of its edges', () => {
    const drawn = draw(flow([node('a', 'from-the-future'), node('b')], [edge('a', 'b', 'maybe'), edge('b', 'a')]));
    const card = drawn.nodes.find((entry) => entry.id === 'a');
    expect(card?.type).toBe('unknown');
    expect(card?.handles?.map((handle) => handle.id)).toEqual(expect.arrayContaining(['in', 'maybe']));
    expect(drawn.edges.map((line) => line.data?.broken)).toEqual([null, null]);
  });

  test('BR-37: ids with quotes and backslashes become safe for a selector and come back exact', () => {
    for (const id of ['Set 1', `Call 'x'`, 'a"b\\c', 'œuf %22', '100%', '{"json": true}']) {
      expect(toCanvasId(id)).not.toMatch(/["\\]/);
      expect(fromCanvasId(toCanvasId(id))).toBe(id);
    }
  });

  test('a child that stands inside its own child does not hang the drawing', () => {
    const drawn = draw(flow([node('a', 'frame', { parent: 'b' }), node('b', 'frame', { parent: 'a' })], []));
    expect(drawn.nodes).toHaveLength(2);
    expect(drawn.nodes.every((card) => card.parentId === undefined)).toBe(true);
  });

  test('a parent comes before its children, as the canvas needs it', () => {
    const drawn = draw(flow([node('inner', 'transform', { parent: 'box' }), node('box', 'map')], []));
    expect(drawn.nodes.map((card) => card.id)).toEqual(['box', 'inner']);
  });
});

test('BR-76: the focus goes from node to node along the flow, each followed by its edges', () => {
  const document = flow([node('late'), node('start', 'input'), node('middle')], [edge('start', 'middle'), edge('middle', 'late')]);
  expect(focusOrder(document).map((stop) => stop.id)).toEqual(['start', 'start-middle', 'middle', 'middle-late', 'late']);
});
