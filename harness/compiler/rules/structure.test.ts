import { describe, expect, it } from 'vitest';
import { type Drawing, drawFlow } from '../../testing/draw-flow';
import { testCatalogue } from '../../testing/test-catalogue';
import { compile } from '../compile';
import type { Diagnostic } from '../diagnostic';

const hash = (text: string): string => String(text.length);
const check = (drawing: Drawing): Diagnostic[] => compile(drawFlow(drawing), { catalogue: testCatalogue, hash }).diagnostics;
const codes = (drawing: Drawing): string[] => check(drawing).map(({ code, nodeId, edgeId }) => `${code} ${edgeId ?? nodeId ?? ''}`.trim());
const line = ['input -> a', 'a -> output'];
const base = { input: 'input', output: 'output', a: 'step' };

/** The document after the fix of the only diagnostic with this code, compiled again. */
function mended(drawing: Drawing, code: string): string[] {
  const document = drawFlow(drawing);
  const { diagnostics } = compile(document, { catalogue: testCatalogue, hash });
  const fix = diagnostics.find((entry) => entry.code === code)?.fix;
  if (!fix) throw new Error(`no fix for ${code}`);
  return compile(fix.apply(document), { catalogue: testCatalogue, hash }).diagnostics.map((entry) => entry.code);
}

it('says nothing about a flow that is in order', () => {
  expect(check({ nodes: base, edges: line })).toEqual([]);
});

describe('node types', () => {
  it('names an unknown type at its node, and blocks the run only when it takes part', () => {
    const [first] = check({ nodes: { ...base, a: 'gone' }, edges: line });
    expect(first).toMatchObject({ code: 'NODE_TYPE_UNKNOWN', severity: 'error', nodeId: 'a' });
    const aside = compile(drawFlow({ nodes: { ...base, lost: 'gone' }, edges: line }), { catalogue: testCatalogue, hash });
    expect(aside.plan).not.toBeNull();
  });

  it('runs a disabled node of unknown type as a pass-through (BR-31)', () => {
    const { plan } = compile(drawFlow({ nodes: { ...base, a: { type: 'gone', disabled: true } }, edges: line }), {
      catalogue: testCatalogue,
      hash,
    });
    expect(plan?.nodes.a).toMatchObject({ disabled: true, ports: ['next'], role: 'step' });
  });

  it('compiles an outdated node as migrated, and offers to migrate it', () => {
    const drawing: Drawing = {
      nodes: { ...base, a: { type: 'model', typeVersion: 1, config: { question: 'why' } } },
      edges: line,
      settings: { models: { primary: { provider: 'p', model: 'm' } } },
    };
    const { plan, diagnostics } = compile(drawFlow(drawing), { catalogue: testCatalogue, hash });
    expect(diagnostics.map(({ code }) => code)).toEqual(['NODE_TYPE_OUTDATED']);
    expect(plan?.nodes.a).toMatchObject({ typeVersion: 3, config: { prompt: 'why', role: 'primary' } });
    expect(mended(drawing, 'NODE_TYPE_OUTDATED')).toEqual([]);
  });

  it('refuses a newer type version and one without a migration, each saying both versions', () => {
    const newer = check({ nodes: { ...base, a: { type: 'model', typeVersion: 4 } }, edges: line });
    expect(newer[0]).toMatchObject({ code: 'NODE_TYPE_NEWER', severity: 'error' });
    expect(newer[0]?.message).toMatch(/version 4.*version 3/);
  });
});

describe('edges', () => {
  it.each([
    ['a missing target (BR-25)', { nodes: base, edges: [...line, 'a -> ghost'] }, 'EDGE_TARGET_MISSING a -> ghost'],
    ['a missing source', { nodes: base, edges: [...line, 'ghost -> a'] }, 'EDGE_SOURCE_MISSING ghost -> a'],
    ['a port the type does not have', { nodes: base, edges: [...line, 'a.maybe -> output'] }, 'EDGE_PORT_UNKNOWN a.maybe -> output'],
    ['an edge to where a run begins', { nodes: base, edges: [...line, 'a -> input'] }, 'EDGE_TO_START a -> input'],
    ['an edge from a policy', { nodes: { ...base, g: 'guard' }, edges: [...line, 'g @ a', 'g -> a'] }, 'EDGE_FROM_POLICY g -> a'],
    ['an edge to a note', { nodes: { ...base, n: 'note' }, edges: [...line, 'a -> n'] }, 'EDGE_ANNOTATION a -> n'],
    ['an attached step', { nodes: base, edges: [...line, 'a @ output'] }, 'ATTACH_SOURCE a @ output'],
    [
      'a policy attached to what it cannot guard',
      { nodes: { ...base, g: 'model-guard' }, edges: [...line, 'g @ a'] },
      'ATTACH_TARGET g @ a',
    ],
    [
      'an edge over the border of a container',
      { nodes: { ...base, a: 'map', inner: { type: 'step', parent: 'a' } }, edges: [...line, 'input -> inner'] },
      'EDGE_CROSSES_CONTAINER input -> inner',
    ],
  ] satisfies [string, Drawing, string][])('%s is told by the id of the edge', (_what, drawing, expected) => {
    expect(codes(drawing)).toContain(expected);
  });

  it('deletes a broken edge by its fix and nothing else', () => {
    expect(mended({ nodes: base, edges: [...line, 'a -> ghost'] }, 'EDGE_TARGET_MISSING')).toEqual([]);
  });

  it('sees the error port of a node that can fail', () => {
    expect(codes({ nodes: { ...base, b: 'step' }, edges: [...line, 'a.error -> b', 'b -> output'] })).toEqual([]);
  });

  it('warns of an edge drawn twice, which would run its target twice', () => {
    const document = drawFlow({ nodes: base, edges: line });
    const twice = {
      ...document,
      edges: [...document.edges, { ...document.edges[0], id: 'again', kind: 'flow' as const, source: 'input', port: 'next', target: 'a' }],
    };
    const { diagnostics } = compile(twice, { catalogue: testCatalogue, hash });
    expect(diagnostics.map(({ code }) => code)).toContain('EDGE_DUPLICATE');
  });
});

describe('the whole flow', () => {
  it('needs an input and an output', () => {
    expect(codes({ nodes: { a: 'step' } })).toEqual(expect.arrayContaining(['FLOW_NO_INPUT', 'FLOW_NO_OUTPUT']));
    expect(codes({ nodes: { input: 'input', output: { type: 'output', disabled: true } }, edges: ['input -> output'] })).toContain(
      'FLOW_NO_OUTPUT',
    );
  });

  it('warns of nodes nothing leads to, and of policies that guard nothing', () => {
    expect(codes({ nodes: { ...base, lost: 'step', g: 'guard' }, edges: line })).toEqual(['POLICY_UNATTACHED g', 'NODE_UNREACHABLE lost']);
  });

  it('finds ids and labels that stand twice', () => {
    const document = drawFlow({ nodes: { ...base, b: { type: 'step', label: 'a' } }, edges: [...line, 'input -> b'] });
    const [first] = document.nodes;
    const twice = first ? { ...document, nodes: [...document.nodes, first] } : document;
    const found = compile(twice, { catalogue: testCatalogue, hash }).diagnostics.map(({ code }) => code);
    expect(found).toEqual(expect.arrayContaining(['NODE_ID_DUPLICATE', 'NODE_LABEL_DUPLICATE']));
  });

  it('finds parents that are missing, hold nothing or lead in a circle', () => {
    const parent = (type: string, of: string) => ({ type, parent: of });
    expect(codes({ nodes: { ...base, a: parent('step', 'ghost') }, edges: line })).toContain('PARENT_MISSING a');
    expect(codes({ nodes: { ...base, a: parent('step', 'output') }, edges: line })).toContain('PARENT_HOLDS_NOTHING a');
    expect(codes({ nodes: { ...base, m: parent('map', 'n'), n: parent('map', 'm') }, edges: line })).toEqual(
      expect.arrayContaining(['PARENT_CYCLE m', 'PARENT_CYCLE n']),
    );
  });
});

describe('loops', () => {
  const loop = (cap: string): Drawing => ({
    nodes: { ...base, b: 'step' },
    edges: ['input -> a', 'a -> b', `b.error -> a${cap}`, 'b -> output'],
  });

  it('refuses one without a cap, at the edge that leads back, and caps it at 25 by its fix (BR-38)', () => {
    expect(codes(loop(''))).toEqual(['LOOP_WITHOUT_CAP b.error -> a']);
    expect(mended(loop(''), 'LOOP_WITHOUT_CAP')).toEqual([]);
  });

  it('takes an edge that has a cap for the loop edge, wherever on the cycle it is', () => {
    expect(codes(loop(' x3'))).toEqual([]);
    expect(codes({ nodes: { ...base, b: 'step' }, edges: ['input -> a', 'a -> b x3', 'b.error -> a', 'b -> output'] })).toEqual([]);
  });

  it('names the same edge whatever the drawing order', () => {
    const document = drawFlow(loop(''));
    const turned = { ...document, nodes: [...document.nodes].reverse(), edges: [...document.edges].reverse() };
    const found = [document, turned].map((flow) =>
      compile(flow, { catalogue: testCatalogue, hash }).diagnostics.map(({ edgeId }) => edgeId),
    );
    expect(found[0]).toEqual(found[1]);
  });
});

describe('forks and joins', () => {
  const nodes = { input: 'input', f: 'fork', a: 'step', b: 'step', j: 'join', output: 'output' };
  const edges = ['input -> f', 'f.a -> a', 'f.b -> b', 'a -> j', 'b -> j', 'j -> output'];
  const join = (config: Record<string, string | number>) => ({ ...nodes, j: { type: 'join', config } });

  it('accepts a join of the branches there are', () => {
    expect(codes({ nodes, edges })).toEqual([]);
    expect(codes({ nodes: join({ mode: 'n', count: 2 }), edges })).toEqual([]);
  });

  it('refuses a join for more branches than can come', () => {
    const drawing = { nodes: join({ mode: 'n', count: 3 }), edges };
    expect(check(drawing)[0]).toMatchObject({ code: 'JOIN_NEVER_SATISFIED', severity: 'error', nodeId: 'j', path: 'count' });
    expect(mended(drawing, 'JOIN_NEVER_SATISFIED')).toEqual([]);
  });

  it('warns of a join with one branch, and says that a join after a branch waits for nothing (BR-40)', () => {
    expect(codes({ nodes: { ...base, j: 'join' }, edges: ['input -> a', 'a -> j', 'j -> output'] })).toEqual(['JOIN_SINGLE_BRANCH j']);
    const either: Drawing = {
      nodes: {
        input: 'input',
        if: { type: 'branch', config: { cases: [{ id: 'yes', when: 'true' }] } },
        a: 'step',
        j: 'join',
        output: 'output',
      },
      edges: ['input -> if', 'if.yes -> a', 'a -> j', 'if.else -> j', 'j -> output'],
    };
    expect(check(either).map(({ code, severity }) => [code, severity])).toEqual([['JOIN_WITHOUT_FORK', 'info']]);
  });

  it('warns of branches that are never joined', () => {
    const open = ['input -> f', 'f.a -> a', 'f.b -> b', 'a -> output', 'b -> output'];
    const { j, ...without } = nodes;
    expect(codes({ nodes: without, edges: open })).toEqual(['FORK_NOT_JOINED f']);
  });
});

describe('containers', () => {
  const inside = (type: string) => ({ type, parent: 'a' });

  it('needs one place to begin', () => {
    expect(codes({ nodes: { ...base, a: 'map' }, edges: line })).toEqual(['CONTAINER_EMPTY a']);
    expect(codes({ nodes: { ...base, a: 'map', x: inside('step'), y: inside('step') }, edges: line })).toContain('CONTAINER_ENTRY a');
    expect(codes({ nodes: { ...base, a: 'map', x: inside('step'), y: inside('step') }, edges: [...line, 'x -> y'] })).toEqual([]);
  });

  it('may begin with a node that its own loop leads back to', () => {
    expect(codes({ nodes: { ...base, a: 'map', x: inside('step'), y: inside('step') }, edges: [...line, 'x -> y', 'y -> x x3'] })).toEqual(
      [],
    );
  });

  it('takes a frame around a node for what it is: a frame', () => {
    expect(codes({ nodes: { ...base, fr: 'frame', a: { type: 'step', parent: 'fr' } }, edges: line })).toEqual([]);
  });
});

describe('subflows', () => {
  const calling = (id: string, flow: string) => drawFlow({ id, nodes: { ...base, a: { type: 'subflow', config: { flow } } }, edges: line });
  const leaf = drawFlow({ id: 'leaf', nodes: base, edges: line });
  const compileWith = (flow: ReturnType<typeof drawFlow>, others: ReturnType<typeof drawFlow>[]) =>
    compile(flow, { catalogue: testCatalogue, hash, resolveFlow: (id) => others.find((other) => other.id === id) });

  it('embeds the plan of the flow it runs', () => {
    expect(compileWith(calling('top', 'leaf'), [leaf]).plan?.subplans.a?.flowId).toBe('leaf');
  });

  it('refuses a flow that is not there, runs itself, or is broken', () => {
    const at = (compiled: ReturnType<typeof compile>) => compiled.diagnostics.map(({ code, nodeId }) => `${code} ${nodeId}`);
    expect(at(compileWith(calling('top', 'leaf'), []))).toEqual(['SUBFLOW_UNKNOWN a']);
    expect(at(compileWith(calling('top', 'top'), [calling('top', 'top')]))).toEqual(['SUBFLOW_RECURSIVE a']);
    const [ping, pong] = [calling('ping', 'pong'), calling('pong', 'ping')];
    expect(at(compileWith(ping, [ping, pong]))).toEqual(['SUBFLOW_BROKEN a']);
  });
});
