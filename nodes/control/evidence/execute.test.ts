import { expect, test } from 'vitest';
import type { Json } from '@/harness/contract/json';
import { type FakeOptions, fakeContext } from '../../testing/fake-context';
import { type ControlChannelId, channelValues } from '../support/state';
import { executeEvidence } from './execute';
import { evidence } from './node';

type State = { [K in ControlChannelId]?: unknown };
const grep = { name: 'grep', run: () => ({ status: 'ok' as const, output: null }) };
const gathering = (state: State, options: Omit<FakeOptions, 'state'> = {}) =>
  fakeContext(evidence, {
    tools: [grep],
    now: 0,
    ...options,
    state: channelValues({ taskGraph: { tasks: [{ id: 't', description: 'Mend', status: 'RUNNING' }] }, currentTask: 't', ...state }),
  });
const result = {
  id: 'c1',
  task_id: 't',
  tool: 'grep',
  input: {},
  status: 'ok',
  output: 'hit',
  effect: 'read',
  at: '2026-01-01T00:00:00.000Z',
};
const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value));

test('tool results stayed, so the next visit took them in again', async () => {
  expect(await executeEvidence.execute(gathering({ toolResults: [result] }).context)).toMatchObject({
    output: { added: [{ id: 'c1', source: 'grep', reliability: 'HIGH' }], total: 1 },
    writes: { toolResults: [], evidenceStore: { observations: [{ id: 'c1', task_id: 't' }] } },
  });
});

test('a run that no layer prepared collected nothing at all', async () => {
  const fake = gathering({ toolResults: [result] });
  const { writes } = await executeEvidence.execute(fake.context);
  expect(writes).toMatchObject({ evidenceStore: { tool_availability_manifest: { grep: { available: true }, execution_engine: {} } } });
  expect(fake.logs).toEqual([]);
});

test('a result became evidence on every visit', async () => {
  const done = gathering({ taskResults: { t: { status: 'done', output: 'ok', step: 2, turns: 3 } } });
  const { writes } = await executeEvidence.execute(done.context);
  expect(writes).toMatchObject({
    evidenceStore: { observations: [{ id: 'exec-t-2' }, { id: 'result-t-2' }] },
    taskResults: { t: { status: 'done', recorded: true, turns: 3, output: 'ok' } },
  });
  const again = gathering({ taskResults: { t: { status: 'done', output: 'ok', step: 2, recorded: true } } });
  const second = await executeEvidence.execute(again.context);
  expect(second).toMatchObject({ output: { added: [] } });
  expect(second.writes).not.toHaveProperty('taskResults');
  expect(again.decisions).toMatchObject([{ outcome: 'nothing to collect' }]);
});

test('work that goes on counted as finished', async () => {
  const { output } = await executeEvidence.execute(gathering({ taskResults: { t: { status: 'continue', turns: 1 } } }).context);
  expect(output).toMatchObject({ added: [] });
});

test('what an agent found while it investigated was lost, or calls it never made became evidence', async () => {
  const toolCalls = ['ok', 'invalid', 'failed', 'skipped'].map((status) => ({ tool: 'grep', input: {}, status, output: 'x' }));
  const fake = gathering({}, { received: { text: 'found', toolCalls } });
  const { output } = await executeEvidence.execute(fake.context);
  expect(output).toMatchObject({
    added: [
      { id: 'gathered-node-1-0', type: 'OBSERVATION' },
      { id: 'gathered-node-1-2', type: 'SYSTEM_ERROR' },
    ],
  });
  const off = gathering({}, { received: { text: 'found', toolCalls }, config: { fromReceived: false } });
  expect((await executeEvidence.execute(off.context)).output).toMatchObject({ added: [] });
});

test('the output of act was taken for that of an agent, so its calls counted twice', async () => {
  const received = plain({ status: 'continue', calls: [{ tool: 'grep', input: {}, status: 'ok', output: 'x' }] });
  expect((await executeEvidence.execute(gathering({ toolResults: [result] }, { received }).context)).output).toMatchObject({ total: 1 });
});

test('a source that a recovery class marked unavailable gave evidence, and nobody was told', async () => {
  const fake = gathering({ toolResults: [result], evidenceStore: { tool_availability_manifest: { grep: { available: false } } } });
  expect((await executeEvidence.execute(fake.context)).output).toMatchObject({ added: [], refused: ['grep'] });
  expect(fake.logs[0]).toContain('grep');
});
