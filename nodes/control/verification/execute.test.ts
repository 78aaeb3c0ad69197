import { expect, test } from 'vitest';
import { fakeContext } from '../../testing/fake-context';
import { channelValues } from '../support/state';
import { executeVerification } from './execute';
import { verification } from './node';

const item = (id: string) => ({
  id,
  obs: `seen ${id}`,
  reliability: 'HIGH',
  source: 's',
  evidence_type: 'OBSERVATION',
  freshness: '2026-01-01T00:00:00.000Z',
});
const run = (parts: object = {}) => ({
  status: 'ok' as const,
  output: { found: true, command: 'npm test', reason: '', exitCode: 0, timedOut: false, output: '', counts: null, ...parts },
});
const available = { available: true, fallback_tool: null };
const base = (parts: Record<string, unknown> = {}) =>
  channelValues({
    taskGraph: { tasks: [{ id: 't1', description: 'fix the sum', status: 'RUNNING' }] },
    currentTask: 't1',
    taskResults: { t1: { status: 'done', output: 'done it', changed_paths: ['a.js'] } },
    evidenceStore: { observations: [item('e1'), item('e2')], tool_availability_manifest: { run_check: available } },
    ...parts,
  });
const statusOf = (output: unknown, check: string) =>
  verification.outputs instanceof Function ? null : verification.outputs.parse(output).checks.find((entry) => entry.check === check);

test('a test command that failed let the task pass, or its numbers were not told', async () => {
  const fake = fakeContext(verification, {
    state: base(),
    workspace: '/w',
    tools: [
      {
        name: 'run_check',
        effect: 'idempotent',
        run: (input) =>
          JSON.stringify(input).includes('unit') ? run({ exitCode: 1, counts: { passed: 38, failed: 3 }, output: 'not ok 3' }) : run(),
      },
    ],
  });
  const result = await executeVerification.execute(fake.context);
  expect(result.port).toBe('fail');
  expect(statusOf(result.output, 'unit')).toMatchObject({
    status: 'FAIL',
    detail: 'exit 1, 3 of 41 failed',
    evidence_ids: ['check-unit-t1-1'],
  });
  expect(statusOf(result.output, 'syntax')).toMatchObject({ status: 'PASS' });
  expect(statusOf(result.output, 'integration')).toMatchObject({ status: 'SKIPPED', detail: 'switched off' });
  expect(JSON.stringify(result.writes?.evidenceStore)).toContain('not ok 3');
  expect(fake.decisions.at(-1)?.rule).toBe('verification: unit failed');
});

test('a skipped check was counted as verified, or hid why it was skipped', async () => {
  const reasons = async (parts: object) => {
    const fake = fakeContext(verification, { state: base(), ...parts });
    const result = await executeVerification.execute(fake.context);
    expect(result.port).toBe('pass');
    expect(verification.outputs instanceof Function ? 0 : verification.outputs.parse(result.output).verified).toBe(3);
    return statusOf(result.output, 'unit')?.detail;
  };
  const check = (outcome: ReturnType<typeof run> | { status: 'denied'; message: string }) => [{ name: 'run_check', run: () => outcome }];
  expect(await reasons({})).toBe('the run has no workspace');
  expect(await reasons({ workspace: '/w' })).toBe('the tool run_check is not granted');
  expect(await reasons({ workspace: '/w', tools: check(run({ found: false, reason: 'no test script' })) })).toBe('no test script');
  expect(await reasons({ workspace: '/w', tools: check({ status: 'denied', message: 'not today' }) })).toBe(
    'run_check was refused: not today',
  );
  expect(await reasons({ workspace: '/w', config: { unit: 'command' }, tools: check(run({ found: false })) })).toBe('no command given');
});

test('commands ran although nothing was written, or could not be made to', async () => {
  const untouched = base({ taskResults: { t1: { status: 'done', output: 'read it' } } });
  const options = { state: untouched, workspace: '/w', tools: [{ name: 'run_check', run: () => run() }] };
  const idle = fakeContext(verification, options);
  expect(statusOf((await executeVerification.execute(idle.context)).output, 'unit')?.detail).toBe('no file was changed');
  expect(idle.calls).toEqual([]);
  const always = fakeContext(verification, { ...options, config: { when: 'always', unit: 'command', unitCommand: 'node --test' } });
  await executeVerification.execute(always.context);
  expect(always.calls.map(({ input }) => input)).toContainEqual({ kind: 'unit', command: 'node --test', timeoutSeconds: 120 });
});

test('how much evidence suffices was not the number in the inspector', async () => {
  for (const [localEvidence, port] of [
    [2, 'pass'],
    [3, 'fail'],
  ] as const) {
    const fake = fakeContext(verification, { state: base(), config: { localEvidence } });
    expect((await executeVerification.execute(fake.context)).port).toBe(port);
  }
});

test('a judge was believed without evidence on record, or its failure was silent', async () => {
  const judged = async (reply: object) => {
    const fake = fakeContext(verification, { state: base(), config: { judgeGoal: true }, replies: [reply, reply] });
    return { result: await executeVerification.execute(fake.context), fake };
  };
  const cited = await judged({ object: { verdict: 'pass', reason: 'shown by e1', evidence_ids: ['e1', 'made-up'] } });
  expect(statusOf(cited.result.output, 'goal_correctness')).toMatchObject({ status: 'PASS', evidence_ids: ['e1'] });
  const bare = await judged({ object: { verdict: 'pass', reason: 'trust me', evidence_ids: ['made-up'] } });
  expect(statusOf(bare.result.output, 'goal_correctness')).toMatchObject({
    status: 'SKIPPED',
    detail: 'the judge cited no evidence on record',
  });
  const fails = await judged({ object: { verdict: 'fail', reason: 'it does something else' } });
  expect(fails.result.port).toBe('fail');
  const broken = await judged({ text: 'hm' });
  expect(broken.result.port).toBe('pass');
  expect(broken.fake.decisions.map(({ rule }) => rule)).toContain('model check failed');
});

test('derivations stayed unverified after a pass (D12), or a failed hypothesis at high risk was forgotten (D10)', async () => {
  const belief = { id: 'b1', statement: 's', confidence: 1, derived_from: ['e1'], recorded_at: '' };
  const state = base({
    worldModel: { beliefs: [belief] },
    beliefDepGraph: { derived_from_edges: [{ from: 'e1', to: 'b1', confidence: 0.5, verified: false }], unverified_edge_ratio: 1 },
    taskGraph: { tasks: [{ id: 't1', description: 'd', status: 'RUNNING', risk_level: 'HIGH' }] },
    taskResults: { t1: { status: 'done', output: { adversarial_failure: true } } },
    hypothesisSet: { active: [{ id: 'h', explanation: 'e', confidence: 0.9, predicted_observations: ['p'] }] },
  });
  const fake = fakeContext(verification, { state });
  const { writes } = await executeVerification.execute(fake.context);
  expect(writes?.beliefDepGraph).toMatchObject({ unverified_edge_ratio: 0 });
  expect(writes?.progress).toEqual({ adversarial_failures: ['t1'] });
});

test('without planning and evidence the check threw, or a missing result passed', async () => {
  const fake = fakeContext(verification, { state: {}, input: { message: 'hi' } });
  const result = await executeVerification.execute(fake.context);
  expect(result.port).toBe('fail');
  expect(statusOf(result.output, 'syntax')).toMatchObject({ status: 'FAIL', detail: 'there is no result' });
});
