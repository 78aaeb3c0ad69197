import { expect, test } from 'vitest';
import { operationalError } from '@/harness/contract/errors';
import { fakeContext, type Scripted } from '../../testing/fake-context';
import { channelValues } from '../support/state';
import { executeAdaptiveControl } from './execute';
import { adaptiveControl } from './node';

const run = async (message: string, options: { config?: object; replies?: Scripted[]; state?: Record<string, unknown> } = {}) => {
  const fake = fakeContext(adaptiveControl, {
    input: { message },
    config: { ...options.config },
    replies: options.replies ?? [],
    state: { ...channelValues(options.state ?? {}), transcript: [{ role: 'assistant', content: 'earlier words' }] },
  });
  return { ...fake, result: await executeAdaptiveControl.execute(fake.context) };
};
const rules = { judge: 'rules' };
const judged = (fields: object): Scripted[] => [{ object: { riskLevel: 'LOW', ...fields } }];

test('small talk went through the whole harness, or real work skipped it', async () => {
  expect((await run('hello', { config: rules })).result).toMatchObject({ port: 'trivial', output: { trivial: true, tasks: [] } });
  expect((await run('Fix the parser', { config: rules })).result).toMatchObject({
    port: 'full',
    output: { risk: 'MEDIUM', tasks: ['Fix the parser'] },
    writes: { goal: { objective: 'Fix the parser', risk: 'MEDIUM' }, taskGraph: { tasks: [{ id: 'task-0', risk_level: 'MEDIUM' }] } },
  });
  expect((await run('hello', { config: { ...rules, skipTrivial: false } })).result.port).toBe('full');
});

test('high risk did not ask for approval, or the limit in the inspector did not count', async () => {
  const message = 'Delete the production database';
  const { result, decisions } = await run(message, { config: rules });
  expect(result.port).toBe('needs-approval');
  expect(decisions[0]).toMatchObject({
    rule: 'approval first',
    outcome: 'needs-approval',
    because: [{ name: 'risk', value: 'HIGH' }, {}, {}, {}, {}],
  });
  expect((await run(message, { config: { ...rules, approvalFrom: 'never' } })).result.port).toBe('full');
  expect((await run('Fix it', { config: { ...rules, approvalFrom: 'MEDIUM' } })).result.port).toBe('needs-approval');
});

test('a judgement that failed or cannot be read was guessed (R14)', async () => {
  const broken: Scripted[][] = [[operationalError('MODEL_UNAVAILABLE', 'down')], [{ text: 'sure' }, { text: 'sure' }]];
  for (const replies of broken) {
    const { result, decisions } = await run('hello', { replies });
    expect(result).toMatchObject({ port: 'needs-approval', output: { risk: 'UNKNOWN' }, writes: { goal: { risk: 'HIGH' } } });
    expect(decisions.find(({ rule }) => rule === 'model check failed')).toMatchObject({
      outcome: 'the risk is unknown, so a person is asked first',
    });
  }
});

test('the model’s words about the turn got lost, or it was not told what went before', async () => {
  const tasks = ['read the log', 'fix the cause'];
  const { result, requests } = await run('Read the log, then fix the cause', {
    replies: judged({ decomposedTasks: tasks, statedConstraints: ['no new packages'] }),
  });
  expect(result).toMatchObject({
    port: 'full',
    output: { tasks, constraints: ['no new packages'] },
    writes: { turnPolicy: { riskLevel: 'LOW' } },
  });
  expect(requests[0]?.messages[0]?.content).toContain('earlier words');
  expect(requests[0]?.messages[1]).toEqual({ role: 'user', content: 'Read the log, then fix the cause' });
});

test('a turn above LOW was called trivial because the model said so', async () => {
  expect((await run('x', { replies: judged({ riskLevel: 'MEDIUM', isTrivial: true }) })).result.port).toBe('full');
});

const plan = {
  taskGraph: {
    tasks: [
      { id: 'task-0', description: 'a', status: 'COMPLETE' },
      { id: 'task-1', description: 'b', status: 'FAILED' },
    ],
  },
};

test('a plan under way was replaced, or could not be given up or set aside', async () => {
  const tasksAfter = async (fields: object) => {
    const { result } = await run('new work', { state: plan, replies: judged(fields) });
    return result.writes?.taskGraph ?? 'kept';
  };
  expect(await tasksAfter({ continuesPlan: null })).toBe('kept');
  expect(await tasksAfter({ isAbandonRequest: true })).toMatchObject({ tasks: [{ status: 'COMPLETE' }, { status: 'FAILED' }] });
  expect(await tasksAfter({ continuesPlan: false })).toMatchObject({
    tasks: [{ id: 'task-0', status: 'COMPLETE' }, {}, { id: 'task-2', description: 'new work' }],
  });
});

test('an adaptive layer policy left checks out silently, or shadow really left them out', async () => {
  const adaptive = await run('hello there friend', { config: { ...rules, layerPolicy: 'adaptive' } });
  expect(adaptive.result.writes).toMatchObject({ progress: { skipped_layers: expect.arrayContaining(['semantic_contradiction']) } });
  expect(adaptive.decisions.some(({ outcome }) => outcome === 'skip semantic_contradiction')).toBe(true);
  const shadow = await run('hello there friend', { config: { ...rules, layerPolicy: 'shadow' } });
  expect(shadow.result.writes).toMatchObject({ progress: { skipped_layers: [] } });
  expect(shadow.decisions.some(({ outcome }) => outcome === 'would skip semantic_contradiction')).toBe(true);
  expect((await run('hello there friend', { config: rules })).decisions).toHaveLength(1);
});
