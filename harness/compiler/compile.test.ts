import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FlowDocument } from '../flow/schema';
import { type Drawing, drawFlow } from '../testing/draw-flow';
import { testCatalogue } from '../testing/test-catalogue';
import { compile } from './compile';
import { planSchema } from './plan';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const compiled = (document: FlowDocument) => compile(document, { catalogue: testCatalogue, hash });
function planOf(drawing: Drawing) {
  const { plan, diagnostics } = compiled(drawFlow(drawing));
  if (!plan) throw new Error(JSON.stringify(diagnostics));
  return plan;
}

describe('a plan', () => {
  it('holds defaults, ports in order, targets by port, caps of loops, and where a run begins and ends', () => {
    const plan = planOf({
      nodes: { input: 'input', a: 'step', output: 'output', extra: { type: 'output', config: { required: false } } },
      edges: ['input -> a', 'a.error -> a x3', 'a -> output', 'a.error -> extra'],
    });
    expect(plan.nodes.a).toMatchObject({
      role: 'step',
      config: { limit: 1, mode: 'plain' },
      ports: ['next', 'error'],
      next: {
        error: [
          { edge: 'a.error -> a x3', node: 'a', loop: { max: 3 } },
          { edge: 'a.error -> extra', node: 'extra' },
        ],
        next: [{ edge: 'a -> output', node: 'output' }],
      },
    });
    expect(plan.starts).toEqual(['input']);
    expect(plan.outputs).toEqual([
      { id: 'extra', required: false },
      { id: 'output', required: true },
    ]);
    expect(planSchema.parse(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
  });

  it('pairs each join with the fork it closes, also when forks nest', () => {
    const plan = planOf({
      nodes: { input: 'input', f1: 'fork', f2: 'fork', a: 'step', b: 'step', c: 'step', j1: 'join', j2: 'join', output: 'output' },
      edges: [
        ...['input -> f1', 'f1.a -> f2', 'f1.b -> c', 'f2.a -> a', 'f2.b -> b'],
        ...['a -> j2', 'b -> j2', 'j2 -> j1', 'c -> j1', 'j1 -> output'],
      ],
    });
    expect([plan.nodes.j1?.closes, plan.nodes.j2?.closes]).toEqual([['f1'], ['f2']]);
    expect(plan.nodes.j1?.reachableFrom).toEqual(['a', 'b', 'c', 'f1', 'f2', 'input', 'j2']);
    expect(plan.nodes.j2?.reachableFrom).toEqual(['a', 'b', 'f1', 'f2', 'input']);
  });

  it('counts two edges from one port as a fork, and is not confused by a loop around it', () => {
    const plan = planOf({
      nodes: { input: 'input', s: 'step', a: 'step', b: 'step', j: 'join', output: 'output' },
      edges: ['input -> s', 's -> a', 's -> b', 'a -> j', 'b -> j', 'j -> output', 'b.error -> s x2'],
    });
    expect(plan.nodes.j?.closes).toEqual(['s']);
  });

  it('gives a policy of a container to every executing node inside, however deep', () => {
    const plan = planOf({
      nodes: {
        input: 'input',
        m: 'map',
        x: { type: 'step', parent: 'm' },
        inner: { type: 'map', parent: 'm' },
        y: { type: 'step', parent: 'inner' },
        a: 'step',
        g: 'guard',
        own: 'guard',
        off: { type: 'guard', disabled: true },
        output: 'output',
      },
      edges: ['input -> m', 'm -> a', 'a -> output', 'x -> inner', 'g @ m', 'own @ y', 'own @ a', 'off @ a'],
    });
    const policies = Object.fromEntries(Object.values(plan.nodes).map(({ id, policies }) => [id, policies]));
    expect(policies).toEqual({ input: [], m: [], x: ['g'], inner: ['g'], y: ['g', 'own'], a: ['own'], output: [] });
    expect(Object.keys(plan.policies)).toEqual(['g', 'own']);
    expect([plan.nodes.m?.entry, plan.nodes.inner?.entry, plan.nodes.y?.parent]).toEqual(['x', 'y', 'inner']);
  });

  it('leaves out what never runs', () => {
    const plan = planOf({ nodes: { input: 'input', output: 'output', lost: 'step', n: 'note' }, edges: ['input -> output'] });
    expect(Object.keys(plan.nodes)).toEqual(['input', 'output']);
  });
});

describe('the hash of a plan', () => {
  const drawing: Drawing = {
    nodes: { input: 'input', a: { type: 'step', config: { headers: { x: '1', y: '2' } } }, f: 'fork', j: 'join', output: 'output' },
    edges: ['input -> a', 'a -> f', 'f.a -> j', 'f.b -> j', 'j -> output'],
  };
  const document = drawFlow(drawing);
  const hashOf = (flow: FlowDocument) => compiled(flow).plan?.hash;

  it('and all of the plan are the same whatever the drawing order, layout and names', () => {
    const expected = compiled(document).plan;
    expect(expected).not.toBeNull();
    const shuffled = <T>(items: readonly T[]) => fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length });
    fc.assert(
      fc.property(shuffled(document.nodes), shuffled(document.edges), (nodes, edges) => {
        expect(compiled({ ...document, nodes, edges }).plan).toEqual(expected);
      }),
    );
    const renamed = {
      ...document,
      nodes: document.nodes.map((node) => ({ ...node, label: `${node.label}!` })),
      layout: { nodes: { a: { x: 1, y: 2 } } },
    };
    const turned = document.nodes.map((node) => (node.id === 'a' ? { ...node, config: { headers: { y: '2', x: '1' } } } : node));
    expect(hashOf(renamed)).toBe(expected?.hash);
    expect(hashOf({ ...document, nodes: turned })).toBe(expected?.hash);
  });

  it('is another when what runs is another', () => {
    const edited = document.nodes.map((node) => (node.id === 'a' ? { ...node, config: { text: 'x' } } : node));
    expect(hashOf({ ...document, nodes: edited })).not.toBe(hashOf(document));
    expect(hashOf({ ...document, edges: document.edges.filter(({ port }) => port !== 'b') })).not.toBe(hashOf(document));
  });
});

describe('whatever the document holds', () => {
  it('the compiler answers with diagnostics and never throws', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'x y', 'constructor');
    const type = fc.constantFrom(...testCatalogue.nodes.keys(), 'gone');
    const node = fc.record(
      {
        id,
        type,
        typeVersion: fc.integer({ min: 1, max: 4 }),
        label: fc.constantFrom('', 'one', 'two'),
        config: fc.dictionary(
          fc.constantFrom('text', 'when', 'cases', 'branches', 'flow', 'list', 'rows', 'mode', 'count'),
          fc.jsonValue(),
          { maxKeys: 4 },
        ),
        parent: id,
        disabled: fc.boolean(),
      },
      { requiredKeys: ['id', 'type', 'typeVersion', 'label', 'config'] },
    );
    const edge = fc.record(
      {
        id,
        kind: fc.constantFrom('flow', 'attach'),
        source: id,
        target: id,
        port: fc.constantFrom('next', 'a', 'else', 'error'),
        maxTraversals: fc.integer({ min: 1, max: 5 }),
      },
      { requiredKeys: ['id', 'kind', 'source', 'target'] },
    );
    fc.assert(
      fc.property(fc.array(node, { maxLength: 9 }), fc.array(edge, { maxLength: 14 }), (nodes, edges) => {
        const document = {
          format: 'bridle/flow',
          version: 1,
          id: 'f',
          name: 'F',
          description: '',
          nodes,
          edges,
          settings: {},
          layout: { nodes: {} },
        };
        // hostile on purpose: not every field need be what the type says
        const { plan, diagnostics } = compiled(document as unknown as FlowDocument);
        expect(diagnostics.filter(({ code }) => code === 'COMPILER_FAULT')).toEqual([]);
        expect(plan === null).toBe(diagnostics.some(({ severity }) => severity === 'error'));
      }),
      { numRuns: 500 },
    );
  });

  it('even when a list that gives ports holds something else', () => {
    const fork = { id: 'a', type: 'fork', typeVersion: 1, label: 'Fork', config: { branches: [false, null] } };
    const loop = { id: 'e', kind: 'flow' as const, source: 'a', target: 'a', port: 'next' };
    const document: FlowDocument = { ...drawFlow({ nodes: {}, edges: [] }), nodes: [fork], edges: [loop] };
    const codes = compiled(document).diagnostics.map(({ code }) => code);
    expect(codes).toContain('CONFIG_INVALID');
    expect(codes).not.toContain('COMPILER_FAULT');
  });

  it('even when it is no document at all', () => {
    for (const value of [null, 42, [], {}, { nodes: {} }]) {
      // what a caller without types could hand over
      const { plan, diagnostics } = compiled(value as unknown as FlowDocument);
      expect([plan, diagnostics[0]?.code]).toEqual([null, 'DOCUMENT_INVALID']);
    }
  });
});
