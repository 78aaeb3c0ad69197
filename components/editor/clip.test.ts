import { describe, expect, test } from 'vitest';
import { type FlowDocument, flowDocumentSchema } from '@/harness/flow/schema';
import { clipOf, clipText, pasteClip, readClip } from './clip';

const chain = (id: string, count: number): FlowDocument =>
  flowDocumentSchema.parse({
    format: 'bridle/flow',
    version: 1,
    id,
    name: id,
    nodes: Array.from({ length: count }, (_, at) => ({
      id: `step_${at}`,
      type: 'transform',
      typeVersion: 1,
      label: `Step ${at}`,
      config: { mode: 'expression', expression: at === 0 ? 'input' : `step_${at - 1}.value + "step_0"` },
    })),
    edges: Array.from({ length: count - 1 }, (_, at) => ({
      id: `e${at}`,
      kind: 'flow',
      source: `step_${at}`,
      port: 'next',
      target: `step_${at + 1}`,
    })),
    layout: { nodes: Object.fromEntries(Array.from({ length: count }, (_, at) => [`step_${at}`, { x: 300 * at, y: 40 }])) },
  });

const empty = (id: string): FlowDocument => ({ ...chain(id, 1), nodes: [], edges: [], layout: { nodes: {} } });
const read = (text: string) => {
  const clip = readClip(text);
  if (!clip) throw new Error('not a clip');
  return clip;
};

describe('copy and paste', () => {
  test('BR-11: the exported text of twelve connected nodes pastes as twelve nodes with every edge', () => {
    const pasted = pasteClip(empty('other'), read(JSON.stringify(chain('a', 12))), { place: { x: 0, y: 0 } });
    expect(pasted.document.nodes).toHaveLength(12);
    expect(pasted.document.edges).toHaveLength(11);
    expect(pasted.selection.nodes).toHaveLength(12);
  });

  test('BR-12: pasting into another flow connects nothing to what is there, not even with Shift', () => {
    const source = chain('a', 3);
    const clip = read(clipText(clipOf(source, ['step_2'])));
    const target = chain('b', 3);
    const pasted = pasteClip(target, clip, { place: { x: 0, y: 0 }, keepIncoming: true });
    expect(pasted.document.edges).toEqual(target.edges);
  });

  test('pasting with Shift in the same flow keeps the edges that came in', () => {
    const document = chain('a', 3);
    const pasted = pasteClip(document, read(clipText(clipOf(document, ['step_2']))), { place: { x: 0, y: 0 }, keepIncoming: true });
    const copy = pasted.selection.nodes[0];
    expect(pasted.document.edges.at(-1)).toMatchObject({ source: 'step_1', target: copy });
  });

  test('references inside the copy follow it, references to what stayed and words in texts do not change', () => {
    const document = chain('a', 3);
    const pasted = pasteClip(document, clipOf(document, ['step_1', 'step_2']), { place: { x: 0, y: 0 } });
    const [first, second] = pasted.selection.nodes;
    const expression = (id: string | undefined) => pasted.document.nodes.find((node) => node.id === id)?.config.expression;
    expect(expression(first)).toBe('step_0.value + "step_0"');
    expect(expression(second)).toBe(`${first}.value + "step_0"`);
  });

  test('a copied container brings its body, and the body stays inside the copy', () => {
    const document = flowDocumentSchema.parse({
      ...chain('a', 1),
      nodes: [
        { id: 'map', type: 'map', typeVersion: 1, label: 'Map', config: {} },
        { id: 'inner', type: 'transform', typeVersion: 1, label: 'Inner', config: {}, parent: 'map' },
      ],
      edges: [],
      layout: { nodes: { map: { x: 0, y: 0 }, inner: { x: 40, y: 60 } } },
    });
    const pasted = pasteClip(document, clipOf(document, ['map']), { place: { x: 500, y: 500 } });
    const copy = pasted.document.nodes.find((node) => node.id === 'inner_2');
    expect(copy?.parent).toBe('map_2');
    expect(pasted.document.layout.nodes.inner_2).toEqual({ x: 40, y: 60 });
    expect(pasted.document.layout.nodes.map_2).toMatchObject({ x: 500, y: 500 });
  });

  test('copies get names of their own', () => {
    const document = chain('a', 2);
    const once = pasteClip(document, clipOf(document, ['step_0']), { place: { x: 0, y: 0 } }).document;
    const labels = once.nodes.map((node) => node.label);
    expect(new Set(labels).size).toBe(labels.length);
  });

  test('other text on the clipboard is not ours; a flow cut off says so', () => {
    expect(readClip('hello')).toBeNull();
    expect(readClip('{"a": 1}')).toBeNull();
    expect(() => readClip(JSON.stringify(chain('a', 2)).slice(0, -5))).toThrow('cut off');
  });
});
