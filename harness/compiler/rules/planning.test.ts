import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { jsonSchema } from '../../contract/json';
import { type AnyManifest, defineNode } from '../../contract/node';
import { type Drawing, drawFlow } from '../../testing/draw-flow';
import { testCatalogue } from '../../testing/test-catalogue';
import { compile } from '../compile';
import type { Diagnostic } from '../diagnostic';

/** The pipeline as far as these rules look at it. */
const sketch = (id: string, more: Partial<AnyManifest> = {}): [string, AnyManifest] => [
  id,
  {
    ...defineNode({
      id,
      version: 1,
      category: 'planning',
      layer: 'planning',
      authority: 'deterministic',
      role: 'step',
      title: id,
      icon: 'box',
      summary: id,
      config: z.object({}),
      ports: ['next'],
      outputs: jsonSchema,
    }),
    ...more,
  },
];
const catalogue = {
  ...testCatalogue,
  nodes: new Map([
    ...testCatalogue.nodes,
    sketch('tool-guard-chain', { role: 'policy', ports: [], attaches: { to: ['*'] } }),
    sketch('plan-approval', { ports: ['approved', 'feedback', 'cancelled'] }),
    sketch('human-gate', { ports: ['approved', 'rejected'] }),
    sketch('execute-plan', { role: 'container', ports: ['done', 'halted'] }),
    sketch('step-executor'),
    sketch('fix-loop'),
    sketch('post-validation'),
    sketch('assemble-plan'),
    sketch('explore'),
    sketch('workspace-init', { writes: ['commandSet'] }),
    sketch('tdd-controller', { ports: ['tests', 'implement', 'green', 'halt'] }),
  ]),
};

const ours = ['WRITER_', 'PLAN_', 'TDD_'];
const hash = (text: string): string => String(text.length);
const check = (document: ReturnType<typeof drawFlow>): Diagnostic[] =>
  compile(document, { catalogue, hash }).diagnostics.filter(({ code }) => ours.some((prefix) => code.startsWith(prefix)));
const codes = (drawing: Drawing): string[] => check(drawFlow(drawing)).map(({ code, nodeId }) => `${code} ${nodeId}`);

function mended(drawing: Drawing, code: string): string[] {
  const document = drawFlow(drawing);
  const fix = check(document).find((entry) => entry.code === code)?.fix;
  if (!fix) throw new Error(`no fix for ${code}`);
  return check(fix.apply(document)).map((entry) => `${entry.code} ${entry.nodeId}`);
}

const pipeline: Drawing = {
  nodes: {
    input: 'input',
    init: 'workspace-init',
    explore: 'explore',
    assemble: 'assemble-plan',
    approval: 'plan-approval',
    tdd: 'tdd-controller',
    execute: 'execute-plan',
    step: { type: 'step-executor', parent: 'execute' },
    validate: 'post-validation',
    fix: 'fix-loop',
    guards: 'tool-guard-chain',
    output: 'output',
  },
  edges: [
    'input -> init',
    'init -> explore',
    'explore -> assemble',
    'assemble -> approval',
    'approval.feedback -> assemble x5',
    'approval.approved -> tdd',
    'approval.cancelled -> output',
    'tdd.tests -> execute',
    'tdd.implement -> execute',
    'execute.done -> tdd x5',
    'tdd.green -> validate',
    'tdd.halt -> output',
    'validate -> fix',
    'fix -> output',
    'guards @ execute',
    'guards @ validate',
    'guards @ fix',
  ],
};
const without = (...edges: string[]): Drawing => ({ ...pipeline, edges: (pipeline.edges ?? []).filter((edge) => !edges.includes(edge)) });
const withEdges = (drawing: Drawing, ...edges: string[]): Drawing => ({ ...drawing, edges: [...(drawing.edges ?? []), ...edges] });
const off = (id: string): Drawing => ({
  ...pipeline,
  nodes: { ...pipeline.nodes, [id]: { type: String(pipeline.nodes[id]), disabled: true } },
});

it('finds nothing wrong with the pipeline as it is meant', () => {
  expect(codes(pipeline)).toEqual([]);
});

describe('every writer has a tool guard chain', () => {
  it('refuses one without, and attaches the chain that is drawn', () => {
    const drawing = without('guards @ fix');
    expect(codes(drawing)).toEqual(['WRITER_NOT_GUARDED fix']);
    expect(check(drawFlow(drawing))[0]).toMatchObject({ severity: 'error', fix: { title: 'Attach "guards" to "fix"' } });
    expect(mended(drawing, 'WRITER_NOT_GUARDED')).toEqual([]);
  });

  it('adds a chain where none is drawn', () => {
    const { guards: _guards, ...nodes } = pipeline.nodes;
    const drawing = { nodes, edges: without('guards @ execute', 'guards @ validate', 'guards @ fix').edges ?? [] };
    expect(codes(drawing).sort()).toEqual(['WRITER_NOT_GUARDED fix', 'WRITER_NOT_GUARDED step', 'WRITER_NOT_GUARDED validate']);
    expect(mended(drawing, 'WRITER_NOT_GUARDED').length).toBe(2);
  });

  it('takes a chain around the container for one of the step inside, and not the other way round', () => {
    expect(codes(without('guards @ execute'))).toEqual(['WRITER_NOT_GUARDED step']);
    expect(codes(withEdges(without('guards @ execute'), 'guards @ step'))).toEqual([]);
  });

  it('does not count a chain that is switched off, and offers to switch it on', () => {
    expect(codes(off('guards'))).toHaveLength(3);
    expect(mended(off('guards'), 'WRITER_NOT_GUARDED')).toEqual([]);
  });

  it('asks nothing of a node that is switched off or that nothing leads to', () => {
    expect(codes({ ...off('fix'), edges: without('guards @ fix').edges ?? [] })).toEqual([]);
    expect(codes({ ...pipeline, nodes: { ...pipeline.nodes, spare: 'fix-loop' } })).toEqual([]);
  });
});

describe('no plan is carried out that nobody approved', () => {
  it('refuses a way round the approval, and puts one there', () => {
    const drawing = withEdges(without('approval.feedback -> assemble x5'), 'approval.feedback -> tdd');
    expect(codes(drawing)).toEqual(['PLAN_NOT_APPROVED execute']);
    const bare = withEdges(without('assemble -> approval'), 'assemble -> tdd');
    expect(check(drawFlow(bare))[0]).toMatchObject({ severity: 'error', code: 'PLAN_NOT_APPROVED' });
    expect(mended(bare, 'PLAN_NOT_APPROVED')).toEqual([]);
  });

  it('refuses an approval that is switched off, and offers to switch it on', () => {
    expect(codes(off('approval'))).toEqual(['PLAN_NOT_APPROVED execute']);
    expect(mended(off('approval'), 'PLAN_NOT_APPROVED')).toEqual([]);
  });

  it('takes a human gate for an approval', () => {
    const gate = { ...pipeline, nodes: { ...pipeline.nodes, approval: 'human-gate' } };
    gate.edges =
      withEdges(without('approval.feedback -> assemble x5', 'approval.cancelled -> output'), 'approval.rejected -> output').edges ?? [];
    expect(codes(gate)).toEqual([]);
  });

  it('tells a step executor that stands alone', () => {
    const alone: Drawing = {
      nodes: { input: 'input', step: 'step-executor', guards: 'tool-guard-chain', output: 'output' },
      edges: ['input -> step', 'step -> output', 'guards @ step'],
    };
    expect(codes(alone)).toEqual(['PLAN_NOT_APPROVED step']);
  });
});

describe('what the pipeline goes without is said', () => {
  it('notes a plan without exploration, and tests first without commands', () => {
    const bare = withEdges(without('init -> explore', 'explore -> assemble', 'input -> init'), 'input -> assemble');
    expect(codes(bare)).toEqual(['PLAN_UNEXPLORED assemble', 'TDD_NO_COMMANDS tdd']);
    expect(check(drawFlow(bare)).map(({ severity }) => severity)).toEqual(['info', 'info']);
    expect(codes(off('explore'))).toEqual(['PLAN_UNEXPLORED assemble']);
  });
});
