import { expect, test } from 'vitest';
import type { Json } from '@/harness/contract/json';
import { fakeContext } from '../../testing/fake-context';
import { controlChannels } from '../channels';
import { channelValues, stateOf } from '../support/state';
import { executeMergeBranches } from './execute';
import { mergeProgress, mergeState } from './merge-state';
import { mergeBranches } from './node';

const belief = (id: string, statement: string) => ({ id, statement, confidence: 1, derived_from: ['o'], recorded_at: '' });
const channels = (parts: Record<string, unknown>): Record<string, Json> => channelValues(parts);
const branch = (id: string, parts: Record<string, unknown>) => ({ id, state: { ...channels(base), ...channels(parts) }, received: null });
const base = {
  taskGraph: {
    tasks: [
      { id: 'l', description: 'left', status: 'RUNNING' },
      { id: 'r', description: 'right', status: 'RUNNING' },
    ],
  },
  progress: { steps_used: 1, gates: [{ task_id: 'l', result: 'PASS' }] },
};
const tasks = (left: string, right: string) => ({
  tasks: [
    { id: 'l', description: 'left', status: left },
    { id: 'r', description: 'right', status: right },
  ],
});

test('a token that came alone was changed on its way', async () => {
  const fake = fakeContext(mergeBranches, { state: channels(base), received: { some: 'thing' } });
  expect(await executeMergeBranches.execute(fake.context)).toEqual({ output: { some: 'thing' } });
});

test('the work of one branch was lost, or the proposal of one stood for both', async () => {
  const result = (output: string) => ({ status: 'done', output });
  const proposal = (task_id: string) => ({ task_id, kind: 'tool', text: '' });
  const fake = fakeContext(mergeBranches, {
    state: channels(base),
    branches: [
      branch('a', {
        currentTask: 'l',
        taskGraph: tasks('COMPLETE', 'RUNNING'),
        taskResults: { l: result('left') },
        proposal: proposal('l'),
      }),
      branch('b', {
        currentTask: 'r',
        taskGraph: tasks('RUNNING', 'COMPLETE'),
        taskResults: { r: result('right') },
        proposal: proposal('r'),
      }),
    ],
  });
  const { output, writes } = await executeMergeBranches.execute(fake.context);
  expect(output).toEqual({ tasks: ['l', 'r'], contradictions: [] });
  expect(writes).toMatchObject({
    taskGraph: tasks('COMPLETE', 'COMPLETE'),
    taskResults: { l: { output: 'left' }, r: { output: 'right' } },
    proposal: null,
    currentTask: null,
  });
  // what no branch touched is not written, and the control state is never this node's (INV-06)
  expect(Object.keys(writes ?? {}).sort()).toEqual(['currentTask', 'proposal', 'taskGraph', 'taskResults']);
});

test('a channel that ends as it began was left to the later branch', async () => {
  const before = { ...base, verdict: { severity: 'HIGH', lens: 'reviewer', summary: '' } };
  const other = { ...before, proposal: { task_id: 'l', kind: 'task', text: 'x' } };
  const fake = fakeContext(mergeBranches, {
    state: channels(other),
    branches: [branch('a', { ...other, proposal: { task_id: 'l', kind: 'task', text: 'y' } }), branch('b', { ...other, verdict: null })],
  });
  const { writes } = await executeMergeBranches.execute(fake.context);
  expect(writes).toHaveProperty('verdict', null);
  expect(writes).toHaveProperty('proposal', null);
});

test('what two branches believe was not compared, or could not be left uncompared', async () => {
  const fake = (config: Record<string, Json>) =>
    fakeContext(mergeBranches, {
      config,
      state: channels(base),
      branches: [
        branch('a', { worldModel: { beliefs: [{ ...belief('b1', 'the server is running'), compared: true }] } }),
        branch('b', { worldModel: { beliefs: [{ ...belief('b2', 'the server is stopped'), compared: true }] } }),
      ],
    });
  const checked = fake({});
  expect((await executeMergeBranches.execute(checked.context)).writes?.worldModel).toMatchObject({
    contradictions: [{ severity: 'HIGH', involved_belief_ids: ['b1', 'b2'] }],
  });
  expect(checked.decisions.map(({ rule }) => rule)).toEqual(['merge of branches', 'pairwise contradiction']);
  const unchecked = fake({ recheck: false });
  expect((await executeMergeBranches.execute(unchecked.context)).writes?.worldModel).toMatchObject({ contradictions: [] });
});

test('counters of one branch overwrote those of the other, or a call for a person was lost', () => {
  const start = stateOf({ state: channels(base) }).progress;
  const gate = (task_id: string) => ({ task_id, result: 'PASS' as const });
  const merged = mergeProgress(start, [
    {
      ...start,
      steps_used: 2,
      gates: [...start.gates, gate('l')],
      escalations: [{ source: 's', dimension: 'd' }],
      supervisor: { gathers: 1, asks: 0 },
    },
    { ...start, steps_used: 3, gates: [...start.gates, gate('r')], supervisor: { gathers: 1, asks: 1 } },
  ]);
  expect(merged).toMatchObject({
    steps_used: 4,
    gates: [gate('l'), gate('l'), gate('r')],
    escalations: [{ source: 's', dimension: 'd' }],
    supervisor: { gathers: 2, asks: 1 },
  });
});

test('a channel of the loop is not merged, so the later branch would overwrite it', () => {
  const merged = mergeState(stateOf({ state: {} }), [stateOf({ state: {} })]).channels;
  const missing = controlChannels.map(({ id }) => id).filter((id) => !Object.hasOwn(merged, id));
  expect(missing).toEqual(['controlState', 'experienceStore']);
  for (const { id, schema } of controlChannels)
    if (Object.hasOwn(merged, id)) expect(schema.safeParse(merged[id as keyof typeof merged]).success, id).toBe(true);
  expect([...(mergeBranches.writes ?? [])].sort()).toEqual(Object.keys(merged).sort());
});
