import { expect, test } from 'vitest';
import type { FakeOptions } from '../../testing/fake-context';
import { fakeContext } from '../../testing/fake-context';
import { channelValues } from '../support/state';
import { executeOutputValidation } from './execute';
import { outputValidation } from './node';

const validate = async (options: FakeOptions) => {
  const fake = fakeContext(outputValidation, options);
  return { ...(await executeOutputValidation.execute(fake.context)), fake };
};
const rules = (parts: Record<string, unknown>) => channelValues(parts);

test('a reply that breaks a constraint went out, or was sent back without end', async () => {
  const state = { callerState: { current_constraints: ['never mention prices'] } };
  const first = await validate({ state: rules(state), received: { text: 'Prices are low' } });
  expect(first).toMatchObject({ port: 'revise', output: { revise: expect.stringContaining('never mention prices') } });
  expect(first.writes?.progress).toEqual({ output_revisions: 1 });
  const second = await validate({ state: rules({ ...state, progress: { output_revisions: 1 } }), received: { text: 'Prices are low' } });
  expect(second).toMatchObject({ port: 'violation', output: { violations: [{ dimension: 'caller_specific_constraints' }] } });
  const patient = await validate({
    state: rules({ ...state, progress: { output_revisions: 1 } }),
    config: { maxRevisions: 2 },
    received: { text: 'Prices are low' },
  });
  expect(patient.port).toBe('revise');
  expect((await validate({ state: rules(state), received: { text: 'All is well' } })).port).toBe('ok');
});

test('the object of a structured reply was taken for text, which lacks every section', async () => {
  const state = rules({ outputContract: { required_sections: ['summary'] } });
  expect((await validate({ state, received: { text: '{"summary":"x"}', object: { summary: 'x' } } })).port).toBe('ok');
  expect((await validate({ state, received: { text: 'a summary' } })).port).toBe('revise');
});

test('what the tasks produced was not validated when nothing else came', async () => {
  const state = rules({ outputContract: { format: 'json' }, progress: { final_result: 'no json' } });
  expect(await validate({ state })).toMatchObject({ port: 'revise', output: { result: 'no json' } });
});

test('the words decided against a judge, or nothing did when the judge failed', async () => {
  const state = rules({ callerState: { current_constraints: ['never mention prices'] } });
  const config = { judgeConstraints: true };
  const received = { text: 'Prices are not our subject' };
  expect((await validate({ state, config, received, replies: [{ object: { violated: [] } }] })).port).toBe('ok');
  const broken = await validate({
    state,
    config,
    received: { text: 'ok' },
    replies: [{ object: { violated: [{ number: 1, reason: 'hints at it' }] } }],
  });
  expect(broken.output).toMatchObject({ violations: [{ text: '"never mention prices" is violated: hints at it' }] });
  const silent = await validate({ state, config, received, replies: [{ text: '' }, { text: '' }] });
  expect(silent.port).toBe('revise');
  expect(silent.fake.decisions.map(({ rule }) => rule)).toContain('model check failed');
});

test('a skipped check, or an open task, was called verified', async () => {
  const checks = (status: string) => ({ checks: [{ check: 'unit', tier: 'mechanical', status, detail: '' }] });
  const tasks = (status: string) => ({ taskGraph: { tasks: [{ id: 't', description: 'd', status }] } });
  const verified = async (parts: Record<string, unknown>) => {
    const { output } = await validate({ state: rules(parts), received: 'text' });
    return outputValidation.outputs instanceof Function ? null : outputValidation.outputs.parse(output).verified;
  };
  expect(await verified({ ...tasks('COMPLETE'), verification: checks('PASS') })).toBe('verified');
  expect(await verified({ ...tasks('COMPLETE'), verification: checks('SKIPPED') })).toBe('unverified');
  expect(await verified({ ...tasks('FAILED'), verification: checks('PASS') })).toBe('unverified');
  expect(await verified({ ...tasks('COMPLETE'), verification: { ...checks('FAIL'), has_critical_failure: true } })).toBe('failed');
  expect(await verified({})).toBe('unverified');
});

test('a reply hid what a failed task kept from running (D6), or a stopped run replied nothing', async () => {
  const tasks = [
    { id: 'a', description: 'build', status: 'FAILED' },
    { id: 'b', description: 'ship', status: 'BLOCKED', blocked_by: 'a' },
  ];
  const state = rules({ taskGraph: { tasks } });
  expect((await validate({ state, received: 'Done.' })).output).toMatchObject({
    text: 'Done.\n\n"build" failed, so these did not run: "ship"',
  });
  expect((await validate({ state, received: 'Done.', config: { nameUnfinished: false } })).output).toMatchObject({ text: 'Done.' });
  const blocker = { reason: 'budget_exhausted', current_task_summary: 'Step 50 was the last.', escalated_at: '' };
  expect((await validate({ state: rules({ progress: { blocker } }) })).output).toMatchObject({ text: 'Step 50 was the last.' });
});
