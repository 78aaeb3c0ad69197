import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { controlCatalogue } from '../../testing/control-catalogue';
import { type Drawing, drawFlow } from '../../testing/draw-flow';
import { compile } from '../compile';
import type { Diagnostic } from '../diagnostic';

const hash = (text: string): string => String(text.length);
const rules = ['ACT_', 'EVIDENCE_', 'BRANCHES_', 'MERGE_', 'LAYER_', 'CHANNEL_', 'LOOP_'];
const compiled = (drawing: Drawing) => compile(drawFlow(drawing), { catalogue: controlCatalogue, hash });
const check = (drawing: Drawing): Diagnostic[] =>
  compiled(drawing).diagnostics.filter(({ code }) => rules.some((prefix) => code.startsWith(prefix)));
const codes = (drawing: Drawing): string[] => check(drawing).map(({ code, nodeId }) => `${code} ${nodeId}`);

/** Diagnostics of these rules after the fix of the one with this code. */
function mended(drawing: Drawing, code: string): string[] {
  const document = drawFlow(drawing);
  const fix = compile(document, { catalogue: controlCatalogue, hash }).diagnostics.find((entry) => entry.code === code)?.fix;
  if (!fix) throw new Error(`no fix for ${code}`);
  return compile(fix.apply(document), { catalogue: controlCatalogue, hash })
    .diagnostics.filter((entry) => rules.some((prefix) => entry.code.startsWith(prefix)))
    .map((entry) => `${entry.code} ${entry.nodeId}`);
}

/** The whole loop as the layers are drawn, with two tasks at once. */
const loop: Drawing = {
  nodes: {
    input: 'input',
    init: 'initialize-run',
    contradiction: 'contradiction',
    diagnostics: 'diagnostics',
    control: 'control-state',
    planning: 'planning',
    gate: 'action-gate',
    act: 'act',
    evidence: 'evidence',
    world: 'world-model',
    merge: 'merge-branches',
    output: 'output',
  },
  edges: [
    'input -> init',
    'init -> contradiction',
    'contradiction -> diagnostics',
    'diagnostics -> control',
    'control.normal -> planning',
    'control.cautious -> planning',
    'planning.task -> gate',
    'planning.complete -> output',
    'gate.pass -> act',
    'gate.block -> merge',
    'act.done -> evidence',
    'act.continue -> evidence',
    'act.failed -> evidence',
    'evidence -> world',
    'world -> merge',
    'merge -> contradiction x50',
  ],
};
const without = (edge: string, ...instead: string[]): Drawing => ({
  ...loop,
  edges: [...(loop.edges ?? []).filter((other) => other !== edge), ...instead],
});
const off = (id: string): Drawing => ({ ...loop, nodes: { ...loop.nodes, [id]: { type: String(loop.nodes[id]), disabled: true } } });

it('says nothing about the whole loop', () => {
  expect(check(loop)).toEqual([]);
  expect(compiled(loop).plan).not.toBeNull();
});

describe('INV-06: one writer of the control state', () => {
  it('refuses a doubled control state by the number of the invariant, and switches one off', () => {
    const doubled = without('diagnostics -> control', 'diagnostics -> second', 'second.normal -> control');
    doubled.nodes = { ...doubled.nodes, second: 'control-state' };
    const [first] = check(doubled);
    expect(first).toMatchObject({ code: 'CHANNEL_TWO_WRITERS', severity: 'error' });
    expect(first?.message).toContain('INV-06');
    expect(mended(doubled, 'CHANNEL_TWO_WRITERS')).toEqual([]);
  });
});

describe('INV-06: every act behind an action gate', () => {
  it('refuses an edge that goes round the gate, and puts a gate there', () => {
    const round = without('planning.complete -> output', 'planning.complete -> act');
    expect(codes(round)).toEqual(['ACT_NOT_GATED act']);
    expect(check(round)[0]).toMatchObject({ severity: 'error' });
    expect(check(round)[0]?.message).toContain('"planning"');
    expect(mended(round, 'ACT_NOT_GATED')).toEqual([]);
  });

  it('refuses the other ports of the gate: a blocked action is not a passed one', () => {
    expect(codes(without('gate.block -> merge', 'gate.block -> act'))).toEqual(['ACT_NOT_GATED act']);
    expect(codes(without('gate.block -> merge', 'gate.error -> act'))).toEqual(['ACT_NOT_GATED act']);
  });

  it('does not count a gate that is switched off, and offers to switch it on', () => {
    const drawing = off('gate');
    expect(codes(drawing)).toEqual(['ACT_NOT_GATED act']);
    expect(check(drawing)[0]?.fix?.title).toBe('Switch on "gate"');
    expect(mended(drawing, 'ACT_NOT_GATED')).toEqual([]);
    expect(compiled(drawing).plan).toBeNull();
  });

  it('does not ask for a gate before an act that is switched off or that nothing leads to', () => {
    const idle = off('act');
    idle.edges = [...(idle.edges ?? []), 'planning.nothing-eligible -> act'];
    expect(codes(idle).filter((code) => code.startsWith('ACT_'))).toEqual([]);
    expect(codes({ ...loop, nodes: { ...loop.nodes, spare: 'act' } })).toEqual([]);
  });

  it('follows a switched-off node through its first port only', () => {
    const drawing = off('control');
    drawing.edges = [...(drawing.edges ?? []), 'control.human -> act'];
    expect(codes(drawing)).not.toContain('ACT_NOT_GATED act');
  });

  it('sees an act inside of a container, gated before the container or not at all', () => {
    const inside = (port: string): Drawing => ({
      nodes: { input: 'input', gate: 'action-gate', map: 'map', act: { type: 'act', parent: 'map' }, output: 'output' },
      edges: ['input -> gate', `gate.${port} -> map`, 'map -> output'],
    });
    expect(codes(inside('pass')).filter((code) => code.startsWith('ACT_'))).toEqual([]);
    expect(codes(inside('block')).filter((code) => code.startsWith('ACT_'))).toEqual(['ACT_NOT_GATED act']);
  });

  it('warns where act comes round again without a gate', () => {
    const drawing = without('act.continue -> evidence', 'act.continue -> act x5');
    expect(codes(drawing)).toEqual(['ACT_AGAIN_NOT_GATED act']);
    expect(compiled(drawing).plan).not.toBeNull();
  });

  it('agrees with a search of all ways on random graphs (bug: a gate on one of two ways was taken for both)', () => {
    const names = ['a', 'b', 'c', 'gate', 'gate2', 'act'];
    const type = (name: string) => (name.startsWith('gate') ? 'action-gate' : name === 'act' ? 'act' : 'branchy');
    const edge = fc.tuple(fc.constantFrom('input', ...names), fc.constantFrom('pass', 'block'), fc.constantFrom(...names));
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 14 }), fc.boolean(), (edges, disabled) => {
        const steps = edges.filter(([from, port]) => (from.startsWith('gate') ? true : port === 'pass'));
        const unique = [...new Set(steps.map(([from, port, to]) => `${from}.${portOf(from, port)} -> ${to} x9`))];
        const nodes = Object.fromEntries(names.map((name) => [name, type(name) === 'branchy' ? 'step' : type(name)]));
        const drawing: Drawing = {
          nodes: { input: 'input', output: 'output', ...nodes, gate2: { type: 'action-gate', disabled } },
          edges: unique,
        };
        const refused = codes(drawing).includes('ACT_NOT_GATED act');
        expect(refused).toBe(ungatedWay(unique, disabled));
      }),
      { seed: 20_260_101, numRuns: 300 },
    );
  });
});

const portOf = (from: string, port: string): string => (from.startsWith('gate') ? port : from === 'act' ? 'done' : 'next');

/** The plain question: is there a way from the input to act on which no switched-on gate was left by `pass`? */
function ungatedWay(edges: readonly string[], gate2Off: boolean): boolean {
  const open = edges
    .map((text) => /^(\w+)\.([\w-]+) -> (\w+)/.exec(text) ?? [])
    .map(([, from = '', port = '', to = '']) => ({ from, port, to }))
    .filter(({ from, port }) => {
      if (from === 'gate') return port !== 'pass';
      return from === 'gate2' ? (gate2Off ? port === 'pass' : port !== 'pass') : true;
    });
  const reached = new Set(['input']);
  for (let before = 0; before !== reached.size; ) {
    before = reached.size;
    for (const { from, to } of open) if (reached.has(from)) reached.add(to);
  }
  return reached.has('act');
}

describe('INV-06: tool results pass evidence before the world model', () => {
  it('refuses a way from act to the world model past evidence, and puts an evidence node there', () => {
    const past = without('act.continue -> evidence', 'act.continue -> world');
    expect(codes(past)).toEqual(['EVIDENCE_BYPASSED world']);
    expect(check(past)[0]).toMatchObject({ severity: 'error' });
    expect(check(past)[0]?.message).toContain('"act"');
    expect(mended(past, 'EVIDENCE_BYPASSED')).toEqual([]);
  });

  it('sees the way also through other nodes', () => {
    const past = without('act.done -> evidence', 'act.done -> step', 'step -> world');
    past.nodes = { ...past.nodes, step: 'step' };
    expect(codes(past)).toEqual(['EVIDENCE_BYPASSED world']);
  });

  it('lets first values and a merge lead to the world model: they put out no results', () => {
    const facts = without('init -> contradiction', 'init -> world');
    expect(codes(facts)).toEqual([]);
  });

  it('lets evidence be switched off, says what is lost, and offers to switch it on', () => {
    const drawing = off('evidence');
    expect(compiled(drawing).plan).not.toBeNull();
    expect(codes(drawing)).toContain('EVIDENCE_OFF world');
    expect(mended(drawing, 'EVIDENCE_OFF')).toEqual([]);
  });
});

describe('two tasks at once', () => {
  it('warns where a way leads back past every merge, and runs one task at a time instead', () => {
    const past = without('world -> merge', 'world -> contradiction x50');
    expect(codes(past)).toEqual(['BRANCHES_NOT_MERGED planning']);
    expect(check(past)[0]?.message).toContain('never be merged');
    expect(mended(past, 'BRANCHES_NOT_MERGED')).toEqual([]);
  });

  it('asks for no merge where nothing leads back', () => {
    expect(codes(without('merge -> contradiction x50', 'merge -> output'))).toEqual([]);
  });

  it('tells of a merge that is switched off', () => {
    expect(codes(off('merge'))).toEqual(['MERGE_OFF merge']);
    expect(mended(off('merge'), 'MERGE_OFF')).toEqual([]);
  });
});

describe('layers that another one needs', () => {
  it('names reader, channel, the layer that is off, and what is missing; once per reader and channel', () => {
    const [first, ...more] = check(off('diagnostics'));
    expect(first).toMatchObject({
      code: 'LAYER_MISSING',
      severity: 'warning',
      nodeId: 'control',
      message: '"control" reads Diagnostics, which nothing writes here ("diagnostics" is switched off): none of the dimensions blocks.',
    });
    expect(more).toEqual([]);
    expect(mended(off('diagnostics'), 'LAYER_MISSING')).toEqual([]);
  });

  it('is not fooled by first values, by a merge, or by who only changes the channel', () => {
    expect(codes(off('world'))).toEqual(['LAYER_MISSING contradiction', 'LAYER_MISSING diagnostics']);
  });

  it('tells of a layer that is drawn and never reached', () => {
    const cut = without('evidence -> world', 'evidence -> merge');
    expect(check(cut).map(({ message }) => message)).toContainEqual(expect.stringContaining('("world" is never reached)'));
  });

  it('notes a layer that was never drawn once, so that a small loop is no loop of warnings', () => {
    const { world: _, ...nodes } = loop.nodes;
    const small = without('evidence -> world', 'evidence -> merge');
    const lean: Drawing = { nodes, edges: (small.edges ?? []).filter((edge) => !edge.includes('world')) };
    expect(check(lean)).toMatchObject([
      {
        severity: 'info',
        code: 'LAYER_MISSING',
        nodeId: 'contradiction',
        message: '"contradiction" and 1 more read World model, which nothing writes here: there are no beliefs.',
      },
    ]);
  });

  it('says nothing at readers that are switched off, or that are no control layers', () => {
    const both = off('diagnostics');
    both.nodes = { ...both.nodes, control: { type: 'control-state', disabled: true } };
    expect(codes(both).filter((code) => code.endsWith(' control'))).toEqual([]);
  });
});

it('stays quick and quiet on two thousand layers in a row (bug: a walk per node, or a search per reader)', () => {
  const names = Array.from({ length: 500 }, (_, index) => index);
  const nodes: Drawing['nodes'] = { input: 'input', output: 'output' };
  const edges: string[] = ['input -> p0'];
  for (const n of names) {
    Object.assign(nodes, { [`p${n}`]: 'planning', [`g${n}`]: 'action-gate', [`a${n}`]: 'act', [`e${n}`]: 'evidence' });
    edges.push(`p${n}.task -> g${n}`, `g${n}.pass -> a${n}`, `a${n}.done -> e${n}`, `e${n} -> ${n === 499 ? 'output' : `p${n + 1}`}`);
  }
  const found = check({ nodes, edges });
  expect(found.filter(({ severity }) => severity !== 'info')).toEqual([]);
});
