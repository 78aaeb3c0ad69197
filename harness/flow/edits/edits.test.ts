import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { referencesOf } from '../../expression/rewrite';
import { anyFlow } from '../../testing/any-flow';
import { drawFlow } from '../../testing/draw-flow';
import { testCatalogue } from '../../testing/test-catalogue';
import { canonicalText } from '../canonical';
import type { FlowDocument } from '../schema';
import { copyPart, duplicate, pastePart } from './copy';
import { connect, insertOnEdge, reconnect } from './edges';
import type { Edit } from './edit';
import { addNode, changeNodeId, deleteItems, moveNodes, renameNode, setDisabled, setParent } from './nodes';

const sound = drawFlow({ nodes: { input: 'input', a: 'step', output: 'output' }, edges: ['input -> a', 'a -> output'] });
const must = (edit: Edit): FlowDocument => {
  if (!edit.ok) throw new Error(edit.message);
  return edit.document;
};
const why = (edit: Edit): string => (edit.ok ? 'done' : edit.code);
const manifest = (id: string) => {
  const found = testCatalogue.nodes.get(id);
  if (!found) throw new Error(id);
  return found;
};
const unique = (ids: readonly string[]): boolean => new Set(ids).size === ids.length;
const sortedIds = (document: FlowDocument) => document.nodes.map(({ id }) => id).sort();

describe('nodes', () => {
  it('are added with a free id, a free name and the defaults of their type', () => {
    const first = addNode(sound, { manifest: manifest('model-guard'), place: { x: 1.4, y: 2 } });
    const second = addNode(first.document, { manifest: manifest('model-guard'), place: { x: 0, y: 0 } });
    expect([first.id, second.id]).toEqual(['model_guard', 'model_guard_2']);
    expect(second.document.nodes.slice(-2).map(({ label }) => label)).toEqual(['model-guard', 'model-guard 2']);
    expect(first.document.layout.nodes.model_guard).toEqual({ x: 1, y: 2 });
    expect(sound.nodes).toHaveLength(3);
  });

  it('are renamed without touching an id, and an empty or taken name is refused in words (BR-75)', () => {
    expect(must(renameNode(sound, 'a', ' Draft ')).nodes[1]).toMatchObject({ id: 'a', label: 'Draft' });
    expect([why(renameNode(sound, 'a', '  ')), why(renameNode(sound, 'a', 'input')), why(renameNode(sound, 'a', 'a'))]).toEqual([
      'LABEL_EMPTY',
      'LABEL_TAKEN',
      'done',
    ]);
  });

  it('change their id with edges, parents, layout and exactly the references meant (BR-75)', () => {
    const document = drawFlow({
      nodes: {
        Set: 'step',
        'Set 1': 'map',
        Set1: 'step',
        "Call 'x'": {
          type: 'step',
          config: { text: 'Set {{ Set.text }} {{ nodes["Set 1"].text }}', when: 'Set1.text + Set.text + "Set"' },
        },
        'a"b\\c': { type: 'step', parent: 'Set 1', config: { rows: [{ id: 'Set', when: 'nodes["Set"].text == ""' }] } },
      },
      edges: ['Set -> Set 1', 'Set 1 -> Set1'],
    });
    const renamed = must(changeNodeId(document, testCatalogue, { from: 'Set', to: 'Put it' }));
    expect(renamed.edges.map(({ source, target }) => [source, target])).toEqual([
      ['Put it', 'Set 1'],
      ['Set 1', 'Set1'],
    ]);
    expect(renamed.nodes[3]?.config).toEqual({
      text: 'Set {{ nodes["Put it"].text }} {{ nodes["Set 1"].text }}',
      when: 'Set1.text + nodes["Put it"].text + "Set"',
    });
    expect(renamed.nodes[4]?.config).toEqual({ rows: [{ id: 'Set', when: 'nodes["Put it"].text == ""' }] });
    const again = must(changeNodeId(renamed, testCatalogue, { from: 'Set 1', to: 'map' }));
    expect(again.nodes[4]?.parent).toBe('map');
    expect(why(changeNodeId(document, testCatalogue, { from: 'Set', to: 'Set1' }))).toBe('ID_TAKEN');
    expect(why(changeNodeId(document, testCatalogue, { from: 'Set', to: '__proto__' }))).toBe('ID_RESERVED');
  });

  it('cannot be put into themselves', () => {
    const document = drawFlow({ nodes: { m: 'map', n: { type: 'map', parent: 'm' }, a: 'step' } });
    expect([why(setParent(document, 'm', 'n')), why(setParent(document, 'm', 'm')), why(setParent(document, 'a', 'n'))]).toEqual([
      'PARENT_CYCLE',
      'PARENT_CYCLE',
      'done',
    ]);
    expect(must(setParent(document, 'n', null)).nodes[1]).not.toHaveProperty('parent');
  });

  it('leave no trace when disabled and enabled again', () => {
    expect(canonicalText(setDisabled(setDisabled(sound, 'a', true), 'a', false))).toBe(canonicalText(sound));
  });

  it('take what stands in a container along when deleted, and leave what stands in a frame', () => {
    const document = drawFlow({
      nodes: { m: 'map', x: { type: 'step', parent: 'm' }, fr: 'frame', y: { type: 'step', parent: 'fr' }, z: 'step' },
      edges: ['m -> z', 'y -> z'],
    });
    const rest = deleteItems(document, testCatalogue, { nodes: ['m', 'fr'] });
    expect(sortedIds(rest)).toEqual(['y', 'z']);
    expect(rest.edges.map(({ id }) => id)).toEqual(['y -> z']);
    expect(rest.nodes[0]).not.toHaveProperty('parent');
  });
});

describe('edges', () => {
  it('are drawn only where they hold, and given a cap when they close a loop', () => {
    const looped = must(connect(sound, testCatalogue, { kind: 'flow', source: 'a', port: 'error', target: 'a' }));
    expect(looped.edges.at(-1)).toEqual({ id: 'a_error_a', kind: 'flow', source: 'a', port: 'error', target: 'a', maxTraversals: 25 });
    expect(why(connect(sound, testCatalogue, { kind: 'flow', source: 'a', port: 'next', target: 'output' }))).toBe('EDGE_EXISTS');
    expect(why(connect(sound, testCatalogue, { kind: 'flow', source: 'output', port: 'next', target: 'a' }))).toBe('EDGE_PORT_UNKNOWN');
  });

  it('keep their id and cap when led elsewhere', () => {
    const document = drawFlow({ nodes: { input: 'input', a: 'step', b: 'step', output: 'output' }, edges: ['input -> a', 'a -> b x3'] });
    const moved = must(
      reconnect(document, testCatalogue, { id: 'a -> b x3', shape: { kind: 'flow', source: 'a', port: 'error', target: 'output' } }),
    );
    expect(moved.edges[1]).toEqual({ id: 'a -> b x3', kind: 'flow', source: 'a', port: 'error', target: 'output', maxTraversals: 3 });
  });

  it('take a node in between their ends', () => {
    const { document, id } = addNode(sound, { manifest: manifest('step'), place: { x: 0, y: 0 } });
    const inserted = must(insertOnEdge(document, testCatalogue, { edge: 'a -> output', node: id }));
    expect(inserted.edges.map(({ source, target }) => `${source}>${target}`)).toEqual(['input>a', `a>${id}`, `${id}>output`]);
  });
});

describe('copies', () => {
  it('keep what is inside, follow their own references, and leave the rest of the flow alone (BR-11, BR-12)', () => {
    const document = drawFlow({
      nodes: {
        input: 'input',
        a: 'step',
        b: { type: 'step', config: { text: '{{ a.text }} {{ input.message }} {{ other.text }}' } },
        other: 'step',
        output: 'output',
      },
      edges: ['input -> a', 'a -> b', 'b -> output'],
    });
    const { document: pasted, ids } = duplicate(document, testCatalogue, ['a', 'b']);
    expect(Object.fromEntries(ids)).toEqual({ a: 'a_2', b: 'b_2' });
    expect(pasted.nodes.find(({ id }) => id === 'b_2')?.config).toEqual({ text: '{{ a_2.text }} {{ input.message }} {{ other.text }}' });
    expect(pasted.edges.slice(0, 3)).toEqual(document.edges);
    expect(pasted.edges.slice(3).map(({ source, target }) => [source, target])).toEqual([['a_2', 'b_2']]);
    expect(pasted.nodes.slice(0, 5)).toEqual(document.nodes);
  });

  it('of a container share the flow that its subflows run (BR-14)', () => {
    const call = { type: 'subflow', parent: 'm', config: { flow: 'shared' } };
    const document = drawFlow({ nodes: { m: 'map', x: call, y: call }, edges: ['x -> y'] });
    const { document: pasted } = duplicate(document, testCatalogue, ['m']);
    expect(pasted.nodes.filter(({ type }) => type === 'subflow').map(({ config }) => config.flow)).toEqual([
      'shared',
      'shared',
      'shared',
      'shared',
    ]);
    expect(pasted.nodes.filter(({ parent }) => parent === 'm_2').map(({ id }) => id)).toEqual(['x_2', 'y_2']);
    expect(canonicalText(pasted).length).toBeLessThan(canonicalText(document).length * 2);
  });

  it('into an empty flow are the whole flow again: 12 nodes, every edge (BR-11)', () => {
    const names = Array.from({ length: 12 }, (_, index) => `n${index}`);
    const edges = names.slice(1).map((id, index) => `${names[index]} -> ${id}`);
    const document = drawFlow({ nodes: Object.fromEntries(names.map((id) => [id, 'step'])), edges });
    const pasted = pastePart(drawFlow({ nodes: {} }), copyPart(document, names), { catalogue: testCatalogue });
    expect(canonicalText(pasted.document)).toBe(canonicalText(document));
  });
});

describe('whatever the flow', () => {
  const pick = (document: FlowDocument, mask: number): string[] =>
    document.nodes.map(({ id }) => id).filter((_, index) => (mask >> index) & 1);
  const mask = fc.nat(1023);

  it('deleting leaves no edge, parent or place of what is gone', () => {
    fc.assert(
      fc.property(anyFlow, mask, (document, chosen) => {
        const gone = pick(document, chosen);
        const rest = deleteItems(document, testCatalogue, { nodes: gone });
        const left = new Set(rest.nodes.map(({ id }) => id));
        const were = new Set(document.nodes.map(({ id }) => id));
        for (const id of gone) expect(left.has(id)).toBe(false);
        for (const { source, target } of rest.edges) {
          for (const end of [source, target]) expect(were.has(end) && !left.has(end)).toBe(false);
        }
        for (const { parent } of rest.nodes) expect(parent === undefined || left.has(parent) || !were.has(parent)).toBe(true);
        for (const id of Object.keys(rest.layout.nodes)) expect(left.has(id)).toBe(true);
      }),
    );
  });

  it('copying keeps ids unique, every inner edge, every inner reference, and the original as it was', () => {
    fc.assert(
      fc.property(anyFlow, mask, (document, chosen) => {
        const before = JSON.stringify(document);
        const part = copyPart(document, pick(document, chosen));
        const { document: pasted, ids } = duplicate(document, testCatalogue, pick(document, chosen));
        expect(JSON.stringify(document)).toBe(before);
        expect(unique(pasted.nodes.map(({ id }) => id)) && unique(pasted.edges.map(({ id }) => id))).toBe(true);
        expect(pasted.edges).toHaveLength(document.edges.length + part.edges.length);
        expect(pasted.nodes.slice(0, document.nodes.length)).toEqual(document.nodes);
        const rename = (id: string) => ids.get(id) ?? id;
        for (const node of part.nodes) {
          const copy = pasted.nodes.find(({ id }) => id === rename(node.id));
          if (!testCatalogue.nodes.get(node.type)?.fields || node.type === 'model') continue;
          const roots = (text: unknown) => (typeof text === 'string' ? referencesOf(text, 'template').map(({ root }) => root) : []);
          if (node.type === 'step') expect(roots(copy?.config.text)).toEqual(roots(node.config.text).map(rename));
        }
      }),
    );
  });

  it('moving changes places and nothing else', () => {
    fc.assert(
      fc.property(anyFlow, (document) => {
        const places = Object.fromEntries(document.nodes.map(({ id }) => [id, { x: 1, y: 2 }]));
        expect({ ...moveNodes(document, places), layout: document.layout }).toEqual(document);
      }),
    );
  });

  it('changing an id and changing it back gives the same bytes', () => {
    fc.assert(
      fc.property(anyFlow, (document) => {
        const [first] = document.nodes;
        fc.pre(first !== undefined && first.type === 'step');
        if (!first) return;
        const there = must(changeNodeId(document, testCatalogue, { from: first.id, to: 'quite other' }));
        expect(sortedIds(there)).toEqual(
          sortedIds(document)
            .map((id) => (id === first.id ? 'quite other' : id))
            .sort(),
        );
      }),
    );
  });
});
