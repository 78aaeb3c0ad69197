import { expect, test } from 'vitest';
import { operationalError } from '@/harness/contract/errors';
import { defaultFailureLibrary } from '@/harness/layers/recovery/failure-library';
import type { FakeOptions } from '../../testing/fake-context';
import { fakeContext } from '../../testing/fake-context';
import { channelValues } from '../support/state';
import { executeRecovery } from './execute';
import { recovery } from './node';

const state = (parts: Record<string, unknown> = {}) =>
  channelValues({
    taskGraph: {
      tasks: [
        { id: 't1', description: 'fetch the page', status: 'RUNNING' },
        { id: 't2', description: 'summarise it', depends_on: ['t1'] },
      ],
    },
    currentTask: 't1',
    taskResults: { t1: { status: 'failed', error: 'the disk is full', failure: 'system_error' } },
    failureDiagnostics: { failure_mode_library: { entries: defaultFailureLibrary } },
    ...parts,
  });
const verified = {
  taskResults: { t1: { status: 'done', output: 'x' } },
  verification: {
    checks: [{ check: 'unit', tier: 'mechanical', status: 'FAIL', detail: 'exit 1' }],
    has_critical_failure: true,
    task_id: 't1',
  },
};
/** Three equal failures: the run has stalled. */
const stalled = {
  strategyState: { completion_history: [1, 1, 1, 1, 1] },
};
const recover = async (options: FakeOptions) => {
  const fake = fakeContext(recovery, options);
  return { ...(await executeRecovery.execute(fake.context)), fake };
};

test('a system error was not tried once more, or was tried for ever', async () => {
  const first = await recover({ state: state() });
  expect(first).toMatchObject({ port: 'retry', output: { kind: 'system_error', strategy: 'TRACE_EXEC', scope: 'LOCAL' } });
  expect(first.writes?.taskGraph).toMatchObject({ tasks: [{ status: 'PENDING', retried: true }, { status: 'PENDING' }] });
  expect(first.writes?.strategyState).toMatchObject({ completion_history: [0], risk_state_history: ['NORMAL'], switch_count: 1 });
  const spent = {
    taskGraph: {
      tasks: [
        { id: 't1', description: 'fetch the page', status: 'RUNNING', retried: true },
        { id: 't2', description: 'summarise it', depends_on: ['t1'] },
      ],
    },
  };
  const second = await recover({ state: state(spent) });
  expect(second.port).toBe('replan');
  expect(second.writes?.taskGraph).toMatchObject({ tasks: [{ status: 'FAILED' }, { status: 'BLOCKED', blocked_by: 't1' }] });
  expect(second.output).toMatchObject({ message: expect.stringContaining('"summarise it"') });
});

test('a failed verification left its task RUNNING (D4), or could not be set to be tried again', async () => {
  const failed = await recover({ state: state(verified) });
  expect(failed).toMatchObject({ port: 'replan', output: { kind: 'verification' } });
  expect(failed.writes?.taskGraph).toMatchObject({ tasks: [{ status: 'FAILED' }, { status: 'BLOCKED' }] });
  const again = await recover({ state: state(verified), config: { retryEveryFailure: true } });
  expect(again.port).toBe('retry');
  const reference = await recover({ state: state(verified), config: { failUnverified: false } });
  expect(reference.writes?.taskGraph).toMatchObject({ tasks: [{ status: 'RUNNING' }, {}] });
});

test('the failure library did not decide, or its threshold was not the one in the inspector', async () => {
  const refused = {
    taskResults: {
      t1: {
        status: 'failed',
        error: 'connection refused: service unavailable, unreachable, timed out, not available, tool unavailable',
        failure: 'not_accomplished',
      },
    },
  };
  const sure = await recover({ state: state(refused) });
  expect(sure).toMatchObject({ port: 'retry', output: { failure_class: 'TOOL_UNAVAILABLE_CASCADE', strategy: 'REIMPLEMENT' } });
  const weak = await recover({
    state: state({ taskResults: { t1: { status: 'failed', error: 'connection refused', failure: 'not_accomplished' } } }),
  });
  expect(weak).toMatchObject({ port: 'replan', output: { failure_class: 'TOOL_UNAVAILABLE_CASCADE', strategy: 'TRACE_EXEC' } });
  const lower = await recover({
    state: state({ taskResults: { t1: { status: 'failed', error: 'connection refused', failure: 'not_accomplished' } } }),
    config: { affinityFrom: 0.1 },
  });
  expect(lower.output).toMatchObject({ strategy: 'REIMPLEMENT' });
});

test('a model that names the pattern was not heard, or its failure stopped the recovery', async () => {
  const config = { matchByModel: true };
  const named = await recover({
    state: state(),
    config,
    replies: [{ object: { pattern: 'scope-creep', confidence: 0.9, reason: 'it grew' } }],
  });
  expect(named.output).toMatchObject({ failure_class: 'SCOPE_CREEP', strategy: 'MINIMAL_FIX' });
  const broken = await recover({ state: state(), config, replies: [operationalError('MODEL_UNAVAILABLE', 'down')] });
  expect(broken.output).toMatchObject({ failure_class: 'unknown' });
  expect(broken.fake.decisions.map(({ outcome }) => outcome)).toContain('the deterministic rule stands');
});

test.each([
  ['completion_velocity', stalled],
  ['strategy_loop', { strategyState: { switch_count: 4 } }],
  [
    'failure_recurrence',
    { failureDiagnostics: { failure_history: ['a', 'b'].map((id) => ({ id, timestamp: '', failure_class: 'unknown', description: '' })) } },
  ],
  ['risk_oscillation', { strategyState: { risk_state_history: ['NORMAL', 'BLOCKED', 'NORMAL', 'NORMAL', 'NORMAL', 'NORMAL'] } }],
])('a stall by %s did not rebuild the plan', async (signal, parts) => {
  const result = await recover({ state: state({ ...parts, callerState: { success_criteria: ['the page is summarised'] } }) });
  expect(result).toMatchObject({ port: 'replan', output: { scope: 'GLOBAL', stall: signal } });
  expect(result.writes?.taskGraph).toMatchObject({ tasks: [{ description: 'the page is summarised', status: 'PENDING' }] });
  expect(result.writes?.progress).toMatchObject({ plan_revisions: 1 });
});

test('the window of the stall rule was not the one in the inspector', async () => {
  const parts = { strategyState: { completion_history: [1, 1] }, callerState: { success_criteria: ['c'] } };
  expect((await recover({ state: state(parts) })).output).toMatchObject({ scope: 'LOCAL' });
  expect((await recover({ state: state(parts), config: { stall: { completionWindow: 2 } } })).output).toMatchObject({ scope: 'GLOBAL' });
});

test('plans were rebuilt without end instead of calling a person', async () => {
  const result = await recover({ state: state({ ...stalled, progress: { plan_revisions: 3 } }) });
  expect(result).toMatchObject({ port: 'escalate', output: { scope: 'LOCAL' } });
  expect(result.writes?.progress).toMatchObject({ blocker: { reason: 'cannot_make_progress', missing_info: ['the disk is full'] } });
  expect(result.writes?.progress).not.toHaveProperty('escalations');
  const loud = await recover({ state: state({ ...stalled, progress: { plan_revisions: 3 } }), config: { callAtResolve: true } });
  expect(loud.writes?.progress).toMatchObject({ escalations: [{ source: 'recovery', dimension: 'completion_velocity' }] });
});

test('the last rung of the ladder was walked past', async () => {
  const result = await recover({ state: state({ ...verified, strategyState: { current_strategy: 'MINIMAL_FIX' } }) });
  expect(result).toMatchObject({ port: 'escalate', output: { strategy: 'ESCALATE' } });
});

test('a supervisor was asked on a healthy iteration (INV-22)', async () => {
  expect((await recover({ state: state(), config: { supervisor: true } })).fake.requests).toEqual([]);
});

test('what the supervisor directs was overruled by the stall, and a caught write of the control state (INV-21)', async () => {
  const config = { supervisor: true };
  const redirect = await recover({
    state: state(stalled),
    config,
    replies: [{ object: { action: 'REDIRECT_STRATEGY', strategy: 'BROADER_SEARCH', rationale: 'look wider' } }],
  });
  expect(redirect).toMatchObject({ port: 'retry', output: { strategy: 'BROADER_SEARCH', scope: 'LOCAL' } });
  expect(redirect.writes).not.toHaveProperty('controlState');
  const abort = await recover({ state: state(stalled), config, replies: [{ object: { action: 'ABORT' } }] });
  expect(abort.port).toBe('escalate');
  const silent = await recover({ state: state(stalled), config, replies: [{ text: '?' }, { text: '?' }] });
  expect(silent).toMatchObject({ port: 'replan', output: { scope: 'GLOBAL' } });
});

test('an investigation called a writing tool, or more tools than it may (INV-23 to 25)', async () => {
  const call = (id: string, name: string) => ({ id, name, arguments: {} });
  const result = await recover({
    state: state(stalled),
    config: { supervisor: true },
    replies: [
      { object: { action: 'GATHER_EVIDENCE', calls: 2, rationale: 'why is it full' } },
      { toolCalls: [call('1', 'read'), call('2', 'write'), call('3', 'read'), call('4', 'read')] },
    ],
    tools: [
      { name: 'read', effect: 'read', run: () => ({ status: 'ok', output: 'full' }) },
      { name: 'write', effect: 'write', run: () => ({ status: 'ok', output: 'wrote' }) },
    ],
  });
  expect(result.fake.calls.map(({ tool }) => tool)).toEqual(['read', 'read']);
  expect(result.writes?.toolResults).toMatchObject([{ tool: 'read', task_id: 't1' }, { tool: 'read' }]);
  expect(result.writes?.progress).toMatchObject({ supervisor: { gathers: 1 } });
  expect(result.port).toBe('retry');
});

test('the answer of a person to the supervisor did not reach the task, or stop did not stop', async () => {
  const ask = { object: { action: 'ASK_USER', question: { question: 'Which page?', options: ['home', 'news'] } } };
  const told = await recover({ state: state(stalled), config: { supervisor: true }, replies: [ask], answers: [{ choice: 'option-2' }] });
  expect(told.port).toBe('retry');
  expect(told.writes?.conversation).toMatchObject({ t1: [{ role: 'user', content: 'Question: Which page?\nA person answers: news' }] });
  expect(told.writes?.progress).toMatchObject({ supervisor: { asks: 1 } });
  const open = { object: { action: 'ASK_USER', question: { question: 'Go on?' } } };
  const stop = await recover({ state: state(stalled), config: { supervisor: true }, replies: [open], answers: [{ choice: 'stop' }] });
  expect(stop.port).toBe('escalate');
});

test('without any layer before it the node threw', async () => {
  expect((await recover({ state: {}, input: { message: 'hi' } })).port).toBe('replan');
});
