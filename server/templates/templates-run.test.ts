import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '@/harness/contract/json';
import type { TraceEvent } from '@/harness/trace/events';
import { temporaryHost, until } from '../testing/temporary-host';
import { templateById } from './index';

let world: ReturnType<typeof temporaryHost>;
beforeAll(() => {
  world = temporaryHost();
});
afterAll(() => world.close());

interface Played {
  status: string;
  output: Json;
  events: TraceEvent[];
  asked: string[];
}

/** Runs a template as a person would: stored as a flow, its sample folder unless another is named, questions answered in turn. */
async function play(
  id: string,
  options: { input?: Json; workspace?: string; answers?: { choice: string; comment?: string }[] } = {},
): Promise<Played> {
  const template = templateById(id);
  if (!template) throw new Error(`no template ${id}`);
  const { flows, runs } = world.host.services;
  const flow = flows.create({ templateId: id });
  const { runId } = await runs.start({
    flowId: flow.id,
    input: options.input ?? template.sample.input,
    workspace: options.workspace ?? template.sample.workspace ?? '',
  });
  const answers = [...(options.answers ?? template.answers)];
  const asked: string[] = [];
  const answered = new Set<string>();
  for (;;) {
    const view = await until(
      () => runs.get(runId),
      (seen) => !['running', 'waiting'].includes(seen.status) || seen.asks.some((ask) => !answered.has(ask.askId)),
      // a loop of two hundred visits runs the tests of its folder twice
      60_000,
    );
    const open = view.asks.find((ask) => !answered.has(ask.askId));
    const next = open ? answers.shift() : undefined;
    if (!open || !next) return { status: view.status, output: view.output, events: runs.events(runId, 0, 10_000).events, asked };
    answered.add(open.askId);
    asked.push(open.nodeId ?? '');
    await runs.answer(runId, open.askId, open.hash, { by: 'person', ...next });
  }
}

const visited = (events: readonly TraceEvent[]): string[] =>
  events.flatMap((event) => (event.kind === 'visit-end' && event.nodeId ? [event.nodeId] : []));
const decisionsOf = (events: readonly TraceEvent[], node: string) =>
  events.flatMap((event) => (event.kind === 'decision' && event.nodeId === node ? [event.decision] : []));

test('the sample question was answered without evidence, or the citations do not stand in the files', async () => {
  const { status, output, events } = await play('grounded-answer');
  expect(status).toBe('succeeded');
  expect(visited(events)).toEqual(['question', 'kind', 'research', 'evidence', 'enough', 'answer', 'reply']);
  expect(output).toMatchObject({ evidence: 'enough' });
  const citations = JSON.parse(JSON.stringify(output)).citations;
  expect(citations.map((entry: { file: string; line: number }) => `${entry.file}:${entry.line}`)).toEqual([
    'src/config.ts:22',
    'docs/changes.md:6',
    'src/retry.ts:9',
    'src/config.ts:23',
    'docs/operations.md:11',
    'docs/changes.md:5',
  ]);
  expect(citations[0].quote).toContain("number('RELAY_MAX_ATTEMPTS', 6)");
  expect(decisionsOf(events, 'enough')[0]).toMatchObject({
    outcome: 'enough',
    because: [{}, { name: 'evidence.read', value: 6, threshold: 2, distance: 4 }, {}],
  });
});

test('an answer on one line was sent without asking a person', async () => {
  const input = { message: 'Are deliveries to one subscriber kept in order?' };
  const sent = await play('grounded-answer', { input, answers: [{ choice: 'approved' }] });
  expect(sent.asked).toEqual(['low_evidence']);
  expect(sent.output).toMatchObject({ evidence: 'thin, approved by a person', citations: [{ file: 'src/queue.ts', seen: true }] });
  const held = await play('grounded-answer', { input, answers: [{ choice: 'rejected' }] });
  expect(held.status).toBe('succeeded');
  expect(held.output).toMatchObject({ evidence: 'not enough', citations: [] });
});

test('a question nobody has scripted, on another folder, broke the flow', async () => {
  const input = { message: 'Which conventions are there for database access?' };
  const { status, output, asked } = await play('grounded-answer', { input, workspace: 'pull-request', answers: [{ choice: 'approved' }] });
  expect(status).toBe('succeeded');
  expect(JSON.stringify(output)).toContain('conventions.md');
  expect(asked.length).toBeLessThanOrEqual(1);
});

test('nothing found did not ask for a hint, or the hint was not used', async () => {
  const input = { message: 'Who is on call this week?' };
  const { status, asked, events } = await play('grounded-answer', {
    input,
    answers: [{ choice: 'answered', comment: 'duty' }, { choice: 'approved' }],
  });
  expect(asked[0]).toBe('clarify');
  expect(visited(events).filter((node) => node === 'research')).toHaveLength(2);
  expect(status).toBe('succeeded');
});

test('the reviewers did not run side by side, or a grave finding did not decide', async () => {
  const { status, output, events } = await play('parallel-review');
  expect(status).toBe('succeeded');
  expect(output).toMatchObject({ verdict: 'changes wanted' });
  const order = events.flatMap((event) =>
    event.kind === 'model-start' || event.kind === 'model-end' ? [`${event.kind} ${event.nodeId}`] : [],
  );
  expect(order.slice(0, 3).every((entry) => entry.startsWith('model-start'))).toBe(true);
  expect(JSON.parse(JSON.stringify(output)).findings).toHaveLength(10);
  expect(decisionsOf(events, 'verdict')[0]?.because[1]).toMatchObject({ name: 'tally.high', value: 4, operator: '>', threshold: 0 });
});

test('a text that is pasted instead of a file could not be reviewed', async () => {
  const { status, events } = await play('parallel-review', {
    input: { message: 'function add(a, b) { return a - b }' },
    workspace: 'product-brief',
  });
  expect(status).toBe('succeeded');
  expect(visited(events)).toContain('tally');
});

test('a draft that was sent back was not revised, or what was approved is not what came out', async () => {
  const { status, output, asked, events } = await play('approval-loop');
  expect(status).toBe('succeeded');
  expect(asked).toEqual(['approval', 'approval']);
  expect(visited(events).filter((node) => node === 'revise')).toHaveLength(1);
  expect(JSON.stringify(output)).not.toContain('exactly two hours');
  expect(output).toMatchObject({ approvedBy: 'person' });
});

test('the loop went on after five revisions, or ended without saying why', async () => {
  const rejections = Array.from({ length: 6 }, () => ({ choice: 'rejected', comment: 'again' }));
  const { status, events, asked } = await play('approval-loop', { answers: rejections });
  expect(asked).toHaveLength(6);
  expect(status).toBe('limit');
  expect(visited(events).filter((node) => node === 'revise').length).toBeGreaterThanOrEqual(5);
  expect(events.findLast((event) => event.kind === 'limit-reached')).toMatchObject({ limit: 5 });
});

test('eleven layers: the sample did not show a pair, a block and its recovery, a failed check repaired, a conflict and a reopened task', async () => {
  const { status, output, events } = await play('eleven-layers');
  expect(status).toBe('succeeded');
  expect(output).toMatchObject({ text: expect.stringContaining('whatever the hour') });
  expect(events.some((event) => event.kind === 'branches-open')).toBe(true);
  const outcomes = (node: string) => decisionsOf(events, node).map(({ outcome }) => outcome);
  expect(outcomes('control')).toContainEqual(expect.stringContaining('recover by verification_pass'));
  expect(outcomes('repair')).toContain('repaired');
  expect(outcomes('contradictions')).toContainEqual(expect.stringContaining('HIGH between'));
  expect(outcomes('verify')).toContain('fail');
  expect(outcomes('recover')).toContainEqual(expect.stringContaining('DIRECT_EDIT → TRACE_EXEC'));
  expect(outcomes('reviewer')).toEqual(expect.arrayContaining(['reopen task-1, task-2', expect.stringContaining('given up'), 'release']));
  const checks = events.flatMap((event) =>
    event.kind === 'tool-end' && event.tool === 'run_check' ? [JSON.stringify(event.outcome)] : [],
  );
  // real tests, red once and green at the end
  expect(checks.filter((text) => text.includes('"exitCode":1'))).toHaveLength(1);
  expect(checks.at(-1)).toContain('"exitCode":0');
}, 90_000);

test('debug a failing test: the five tasks did not run in their order, or the tests were not what decided', async () => {
  const { status, events } = await play('debug-a-failing-test');
  expect(status).toBe('succeeded');
  const done = events.flatMap((event) =>
    event.kind === 'decision' && event.nodeId === 'update' && event.decision.outcome.endsWith(' COMPLETE') ? [event.decision.outcome] : [],
  );
  expect(done).toEqual(['gather', 'reproduce', 'isolate', 'fix', 'verify'].map((id) => `${id} COMPLETE`));
  expect(decisionsOf(events, 'verify').some(({ rule }) => rule.includes('unit failed'))).toBe(true);
  expect(decisionsOf(events, 'hypotheses').some(({ outcome }) => outcome.includes('sem_2'))).toBe(true);
}, 90_000);

test('lean loop: what was written was not checked by the tests of the folder', async () => {
  const { status, output, events } = await play('lean-loop');
  expect(status).toBe('succeeded');
  expect(output).toMatchObject({ tasks: [{ status: 'COMPLETE' }] });
  expect(decisionsOf(events, 'verify').map(({ outcome }) => outcome)).toEqual(['fail', 'pass']);
}, 90_000);

test('eleven layers: a trivial turn went through the layers all the same', async () => {
  const { status, events } = await play('eleven-layers', { input: { message: 'Thanks, that is all.' } });
  expect(status).toBe('succeeded');
  expect(visited(events)).toEqual(['message', 'adaptive', 'quick', 'reply']);
});

test('plan and build: a phase was left out, a test was green too early, a regression test was edited, or lint stayed red', async () => {
  const { status, output, events, asked } = await play('plan-and-build');
  expect(status).toBe('succeeded');
  expect(asked).toEqual(['clarify', 'approval', 'approval']);
  const order = visited(events).filter((node) => node !== 'step');
  expect(order).toEqual([
    ...[
      'message',
      'init',
      'mode',
      'clarify',
      'scope',
      'explore',
      'design',
      'assemble',
      'runner',
      'tests',
      'approval',
      'revise',
      'approval',
    ],
    ...['order', 'tdd', 'execute', 'tdd', 'execute', 'tdd', 'validate', 'planned', 'fix', 'finish', 'reply'],
  ]);
  const outcomes = (node: string, rule: string) =>
    decisionsOf(events, node).flatMap((decision) => (decision.rule === rule ? [decision.outcome] : []));
  expect(outcomes('clarify', 'clarification')).toEqual(['answered']);
  // nothing was recorded at the first try
  expect(outcomes('explore', 'complete_rejected')).toHaveLength(1);
  expect(outcomes('explore', 'observation_recorded')).toHaveLength(10);
  expect(outcomes('design', 'core_tag')).toEqual(['PasswordReset: high', 'createApp: low']);
  expect([...outcomes('assemble', 'checks_summary'), ...outcomes('tests', 'checks_summary')]).toEqual(['pass', 'pass']);
  expect(decisionsOf(events, 'tdd').flatMap(({ rule, outcome }) => (rule.startsWith('TDD: ') ? [outcome] : []))).toEqual([
    ...['BASELINE', 'WRITE_TESTS', 'RED_CHECK', 'IMPLEMENT', 'GREEN_CHECK', 'POST_VALIDATION'],
  ]);
  const ends = events.flatMap((event) => (event.kind === 'tool-end' ? [{ ...event, text: JSON.stringify(event.outcome) }] : []));
  const denied = ends.filter(({ text }) => text.startsWith('{"status":"denied"'));
  expect(denied.map(({ tool, text }) => [tool, text.includes('test/regression/same-answer.test.js')])).toEqual([['edit_file', true]]);
  // by the exit codes of real processes: one green baseline, two red, two green, then all
  const exits = (node: string, tool: string) =>
    ends.flatMap((event) => (event.nodeId === node && event.tool === tool ? [/"exitCode":(\d+)/.exec(event.text)?.[1]] : []));
  expect(exits('tdd', 'run_tests')).toEqual(['0', '1', '1', '0', '0']);
  expect([exits('validate', 'run_lint'), exits('validate', 'run_tests')]).toEqual([['1'], ['0']]);
  expect(exits('fix', 'run_lint').at(-1)).toBe('0');
  expect(outcomes('fix', 'validation_attempt')).toEqual(['succeeded']);
  expect(output).toMatchObject({
    status: 'completed',
    validation_passed: true,
    files_modified: [
      'test/password-resets.test.js',
      'test/regression/password-reset-same-answer.test.js',
      'src/resets.js',
      'docs/api.md',
      'src/routes/password-resets.js',
      'src/app.js',
    ],
  });
}, 120_000);

test('plan and build: a plan that was cancelled touched a file', async () => {
  const { status, output, events } = await play('plan-and-build', {
    answers: [{ choice: 'cancelled' }, { choice: 'cancel' }],
  });
  expect(status).toBe('succeeded');
  expect(output).toMatchObject({ status: 'cancelled', files_modified: [] });
  expect(visited(events)).not.toContain('execute');
}, 90_000);
