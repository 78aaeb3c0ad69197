import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyFlow } from '../testing/any-flow';
import { drawFlow } from '../testing/draw-flow';
import { testCatalogue } from '../testing/test-catalogue';
import { canonicalText, semanticText } from './canonical';
import { brokenEdges, checkConnection } from './connect-check';
import { describeFlow } from './describe';
import { freeName, importCopy } from './import-copy';
import { flowJsonSchema } from './json-schema';
import { migrateFlow } from './migrate';
import { parseFlow } from './parse-flow';

const sound = drawFlow({ nodes: { input: 'input', a: 'step', output: 'output' }, edges: ['input -> a', 'a -> output'] });

describe('the canonical text', () => {
  it('is the same bytes for the same flow, whatever the order of nodes, edges and keys', () => {
    fc.assert(
      fc.property(anyFlow, (document) => {
        const text = canonicalText(document);
        const parsed = parseFlow(text);
        if (!parsed.ok) throw parsed.error;
        expect(canonicalText(parsed.document)).toBe(text);
        const turned = {
          ...document,
          nodes: document.nodes
            .toReversed()
            .map((node) => ({ ...node, config: Object.fromEntries(Object.entries(node.config).toReversed()) })),
          edges: document.edges.toReversed(),
        };
        expect(canonicalText(turned)).toBe(text);
        expect(JSON.parse(text)).toEqual(
          JSON.parse(JSON.stringify({ ...document, nodes: parsed.document.nodes, edges: parsed.document.edges })),
        );
      }),
    );
  });

  it('ends with a line break, indents by two, and reads in the order people expect', () => {
    expect(canonicalText(drawFlow({ nodes: { a: { type: 'step', config: { b: 1, a: [] } } } }))).toMatchInlineSnapshot(`
      "{
        "format": "bridle/flow",
        "version": 1,
        "id": "flow",
        "name": "Flow",
        "description": "",
        "nodes": [
          {
            "id": "a",
            "type": "step",
            "typeVersion": 1,
            "label": "a",
            "config": {
              "a": [],
              "b": 1
            }
          }
        ],
        "edges": [],
        "settings": {
          "caps": {
            "cost": null,
            "steps": 1000,
            "tokens": null,
            "wallTimeMs": 3600000
          },
          "models": {},
          "secrets": [],
          "tools": null
        },
        "layout": {
          "nodes": {}
        }
      }
      "
    `);
  });

  it('changes in the layout block only when a node is moved, and its meaning not at all', () => {
    const moved = { ...sound, layout: { nodes: { a: { x: 5, y: 6 } } } };
    const [before, after] = [canonicalText(sound), canonicalText(moved)];
    expect(after.slice(0, after.indexOf('"layout"'))).toBe(before.slice(0, before.indexOf('"layout"')));
    expect(semanticText(moved)).toBe(semanticText(sound));
    const other = drawFlow({
      nodes: { input: 'input', a: { type: 'step', config: { text: 'x' } }, output: 'output' },
      edges: ['input -> a', 'a -> output'],
    });
    expect(semanticText(other)).not.toBe(semanticText(sound));
  });
});

it('keeps all six edges of a flow whose node type lost a port, and marks the two that do not hold (BR-30)', () => {
  const cases = { cases: [{ id: 'search_query' }] };
  const document = drawFlow({
    nodes: {
      input: 'input',
      m: { type: 'model', typeVersion: 1, config: { question: 'why' } },
      b: { type: 'branch', config: cases },
      a: 'step',
      c: 'step',
      output: 'output',
    },
    edges: ['input -> m', 'm -> b', 'm.search_query -> a', 'b.query -> c', 'a -> output', 'c -> output'],
  });
  const migrated = migrateFlow(document, testCatalogue);
  expect(migrated.edges).toBe(document.edges);
  expect(brokenEdges(migrated, testCatalogue).map(({ edge }) => edge.id)).toEqual(['b.query -> c', 'm.search_query -> a']);
  expect(migrated.nodes.find(({ id }) => id === 'm')).toMatchObject({ typeVersion: 3, config: { prompt: 'why', role: 'primary' } });
});

it('leaves unknown and newer types untouched when it migrates', () => {
  const document = drawFlow({ nodes: { x: { type: 'gone', config: { a: 1 } }, m: { type: 'model', typeVersion: 9 } } });
  expect(migrateFlow(document, testCatalogue)).toBe(document);
});

it('answers a connection with the reason the compiler would give', () => {
  const ask = (source: string, port: string, target: string) =>
    checkConnection(sound, testCatalogue, { kind: 'flow', source, port, target })?.code ?? 'fine';
  expect([
    ask('a', 'error', 'output'),
    ask('a', 'next', 'output'),
    ask('a', 'maybe', 'output'),
    ask('a', 'next', 'input'),
    ask('a', 'next', 'ghost'),
  ]).toEqual(['fine', 'EDGE_EXISTS', 'EDGE_PORT_UNKNOWN', 'EDGE_TO_START', 'EDGE_TARGET_MISSING']);
});

it('makes three independent copies of one file imported three times (BR-32)', () => {
  const taken = new Set(['Flow']);
  const copies = ['one', 'two', 'three'].map((id) => {
    const copy = importCopy(sound, { id, takenNames: taken });
    taken.add(copy.name);
    return copy;
  });
  expect(copies.map(({ id, name }) => [id, name])).toEqual([
    ['one', 'Flow 2'],
    ['two', 'Flow 3'],
    ['three', 'Flow 4'],
  ]);
  copies[0]?.nodes.splice(0, 1);
  for (const copy of copies.slice(1)) expect({ ...copy, id: sound.id, name: sound.name }).toEqual(sound);
});

describe('the JSON Schema of a flow', () => {
  it('says what each type of the catalogue may be set to', () => {
    const schema = JSON.stringify(flowJsonSchema(testCatalogue));
    for (const id of testCatalogue.nodes.keys()) expect(schema).toContain(`#/$defs/${id}`);
    expect(schema).toContain('"maximum":10');
  });

  it('holds all that it refers to', () => {
    const schema: unknown = flowJsonSchema(testCatalogue);
    const references = [...JSON.stringify(schema).matchAll(/"\$ref":"#([^"]*)"/g)].map(([, pointer = '']) => pointer);
    expect(references.length).toBeGreaterThan(testCatalogue.nodes.size);
    for (const pointer of references) {
      const found = pointer
        .split('/')
        .slice(1)
        .reduce<unknown>(
          (at, key) => (typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? at[key as keyof typeof at] : undefined),
          schema,
        );
      expect([pointer, typeof found]).toEqual([pointer, 'object']);
    }
  });

  it('is not made when a config says what JSON Schema cannot say', async () => {
    const { z } = await import('zod');
    const [step] = [...testCatalogue.nodes.values()];
    if (!step) throw new Error('no type');
    const nodes = new Map([['odd', { ...step, id: 'odd', config: z.object({ when: z.date() }) }]]);
    expect(() => flowJsonSchema({ ...testCatalogue, nodes })).toThrow();
  });
});

it('describes a flow in the order in which a run comes past, with labels as words and not as markup', () => {
  const text = describeFlow(
    drawFlow({
      name: 'A *flow*',
      nodes: { output: 'output', input: 'input', a: { type: 'step', label: '# b\n# c' }, g: 'guard' },
      edges: ['input -> a', 'a -> output', 'a.error -> a x3', 'g @ a', 'a -> ghost'],
    }),
    testCatalogue,
  );
  expect(text).toContain('# A \\*flow\\*');
  expect(text.indexOf('**input**')).toBeLessThan(text.indexOf('**output** —'));
  expect(text).toContain('**\\# b \\# c**');
  expect(text).toContain('at most 3 times');
  expect(text).toContain('guards');
  expect(text).toContain('a -\\> ghost');
});

it('a number that belongs to a name was taken for the count of its copies: Large 1000 came in again as Large 2', () => {
  expect(freeName('Large 1000', new Set(['Large 1000']))).toBe('Large 1000 2');
  expect(freeName('Review', new Set(['Review', 'Review 2']))).toBe('Review 3');
  expect(freeName('Review 2', new Set(['Review', 'Review 2']))).toBe('Review 3');
});
