import { expect, test } from 'vitest';
import { compile } from '@/harness/compiler/compile';
import type { Plan } from '@/harness/compiler/plan';
import type { AskAnswer } from '@/harness/contract/ask';
import { operationalError } from '@/harness/contract/errors';
import type { Json, JsonObject } from '@/harness/contract/json';
import type { ModelCaller, ModelReply, ModelRequest } from '@/harness/contract/model';
import { RunDriver } from '@/harness/engine/driver';
import type { RunHost } from '@/harness/engine/host';
import { MemoryEventLog } from '@/harness/engine/memory-event-log';
import { drawFlow } from '@/harness/testing/draw-flow';
import { reply, shortTrace, startWith, TestWorld, testHash, toolSpec } from '@/harness/testing/test-host';
import type { TraceEvent } from '@/harness/trace/events';
import { catalogue } from '../../catalog';
import { runtime } from '../../executors';
import { planObject, type Sketch, stepsOf } from '../support/plan.fixtures';

/** From the plan to executed steps as a drawing, run by the engine. */
const document = drawFlow({
  nodes: {
    in: 'input',
    plan: 'assemble-plan',
    tests: { type: 'verification-steps', config: { testCommand: 'node --test' } },
    approve: 'plan-approval',
    revise: 'revise-plan',
    run: { type: 'execute-plan', config: { parallel: 2 } },
    step: { type: 'step-executor', parent: 'run' },
    guard: { type: 'tool-guard-chain', config: {} },
    done: { type: 'output', config: { value: '{{received}}' } },
    stopped: { type: 'output', config: { value: '{{received}}', required: false } },
  },
  edges: [
    'in -> plan',
    'plan -> tests',
    'tests -> approve',
    'approve.approved -> run',
    'approve.feedback -> revise',
    'revise -> approve x50',
    'approve.cancelled -> stopped',
    'approve.exhausted -> stopped',
    'run.done -> done',
    'run.halted -> stopped',
    'guard @ run',
  ],
});

function planOf(): Plan {
  const { plan, diagnostics } = compile(document, { catalogue, hash: testHash });
  if (!plan) throw new Error(diagnostics.map((entry) => `${entry.nodeId ?? ''} ${entry.code}: ${entry.message}`).join('\n'));
  return plan;
}

const first: Sketch[] = [
  ['edit_file', 'a.js', 'Let it add'],
  ['edit_file', 'b.js', 'Let it log'],
];
const regression: Sketch = ['create_file', 'tests/regression_sum.test.js', 'Check the sum.', { reason: 'REGRESSION: a.js' }];
const run: Sketch = ['run_tests', '', 'Run `node --test`.'];

const freshFiles = () =>
  new Map([
    ['a.js', 'a - b'],
    ['b.js', ''],
  ]);

/** What the model says, by who asks; `idle` are steps that say they are done without doing anything. */
function answerOf(request: ModelRequest, { nodeId }: ModelCaller, idle: readonly string[]): ModelReply {
  if (nodeId === 'plan') return reply('', { object: planObject(first) });
  if (nodeId === 'tests') return reply('', { object: { steps: stepsOf(regression) } });
  if (nodeId === 'revise') return reply('', { object: planObject([...first, ['edit_file', 'README.md', 'Say so'], regression, run]) });
  const [, number, tool = '', path = ''] = /### (\d+)\. (\w+)(?: `([^`]+)`)?/.exec(request.messages[1]?.content ?? '') ?? [];
  const complete = { id: 'c', name: 'task_complete', arguments: { summary: `Step ${number} is done.` } };
  if (request.messages.some(({ role }) => role === 'tool') || idle.includes(path))
    return reply('', { toolCalls: [complete], finish: 'tool-calls' });
  const args: Record<string, JsonObject> = {
    edit_file: { path, find: 'a - b', replace: 'a + b' },
    create_file: { path, content: 'a test' },
    run_tests: {},
  };
  return reply('', { toolCalls: [{ id: 'w', name: tool, arguments: args[tool] ?? {} }], finish: 'tool-calls' });
}

function use(files: Map<string, string>, name: string, input: Json): Json {
  const fields: { path?: string; content?: string } = JSON.parse(JSON.stringify(input));
  const path = fields.path ?? '';
  const before = files.get(path);
  if (name === 'read_file') {
    if (before === undefined) throw operationalError('TOOL_PATH_MISSING', `"${path}" is not there`);
    return { path, content: `1: ${before}`, firstLine: 1, lastLine: 1, totalLines: 1, truncated: false };
  }
  if (name === 'run_tests') return { exitCode: 0, output: 'ok', paths: [] };
  // a write that is made twice shows in the file
  files.set(path, `${before ?? ''}|${name}${fields.content === undefined ? '' : ` ${fields.content}`}`);
  return { path, created: before === undefined, paths: [path], diff: '' };
}

interface Setup {
  log?: MemoryEventLog;
  files?: Map<string, string>;
  idle?: readonly string[];
}

function worldOf({ log = new MemoryEventLog(), files = freshFiles(), idle = [] }: Setup) {
  const world = new TestWorld(log);
  world.tools = [
    toolSpec('read_file'),
    toolSpec('edit_file', 'write'),
    toolSpec('create_file', 'write'),
    toolSpec('run_tests', 'idempotent'),
  ];
  world.use = (name, input) => use(files, name, input);
  world.answer = (request, { caller }) => answerOf(request, caller, idle);
  return { world, files, log, host: hostOf(world, files) };
}

/** The guards ask what is there before a call is made. */
function hostOf(world: TestWorld, files: ReadonlyMap<string, string>): RunHost {
  const host = world.host(runtime);
  const targets = async (_name: string, input: Json) => {
    const path = String(Object(input).path ?? '');
    return { root: '/repo', paths: path === '' ? [] : [{ path, exists: files.has(path), outside: false }] };
  };
  return { ...host, tools: { ...host.tools, targets } };
}

const feedback: AskAnswer = { choice: 'feedback', values: { feedback: 'Also say so in the README' }, by: 'person' };
const approval: AskAnswer = { choice: 'approve', by: 'person' };

/** Goes on until nothing moves, answering what is asked: each approval in turn, and a write whose outcome is unknown by repeating it. */
async function goOn(driver: RunDriver, world: TestWorld, answers: (revision: number) => AskAnswer): Promise<void> {
  for (let round = 0; round < 60 && driver.snapshot.status === 'running'; round += 1) {
    await world.pass(1);
    for (const visit of Object.values(driver.snapshot.visits)) {
      for (const suspension of Object.values(visit.suspended)) {
        if (suspension.kind !== 'ask') continue;
        const { kind, shown } = suspension.ask;
        const { revision } = Object(shown);
        await driver.answer(
          suspension.askId,
          suspension.hash,
          kind === 'approval' ? answers(Number(revision)) : { choice: 'repeat', by: 'person' },
        );
      }
    }
  }
}

class BatchedLog extends MemoryEventLog {
  readonly ends: number[] = [];
  override append(runId: string, events: readonly TraceEvent[]): void {
    super.append(runId, events);
    this.ends.push(this.lastSeq(runId));
  }
}

async function whole(setup: Setup = {}, answers = (revision: number) => (revision === 0 ? feedback : approval)) {
  const log = new BatchedLog();
  const { world, files, host } = worldOf({ ...setup, log });
  const driver = new RunDriver(planOf(), host, 'run');
  await driver.start(startWith({ message: 'Let it add' }, { workspace: '/repo' }));
  await goOn(driver, world, answers);
  return { driver, world, files, events: log.read('run'), ends: log.ends };
}

const walked = (events: readonly TraceEvent[]) =>
  shortTrace(events).filter((line) => !line.includes(':step') && !line.includes(':no-edge'));

test('the drawing did not go from a plan over one feedback to its executed steps', async () => {
  const { events, files, driver } = await whole();
  expect(walked(events)).toEqual([
    'in→next',
    'plan→next',
    'tests→next',
    'approve→feedback',
    'revise→next',
    'approve→approved',
    'run→done',
    'done→',
    'succeeded',
  ]);
  expect(events.at(-1)).toMatchObject({
    kind: 'run-end',
    output: { status: 'done', completed: 5, total: 5, finalised: ['tests/regression_sum.test.js'] },
  });
  expect(Object.fromEntries(files)).toEqual({
    'a.js': 'a - b|edit_file',
    'b.js': '|edit_file',
    'README.md': '|edit_file',
    'tests/regression_sum.test.js': '|create_file a test',
  });
  expect(driver.snapshot.channels).toMatchObject({
    approvalState: { status: 'APPROVED', revision_count: 1 },
    stepResults: [1, 2, 3, 4, 5].map((number) => ({ step_number: number, status: 'completed', summary: `Step ${number} is done.` })),
    workspaceMemories: [{ category: 'rejection' }],
  });
});

test('a step saw the conversation of another, or not what was done before it', async () => {
  const { world } = await whole();
  const prompts = world.modelCalls.filter(({ messages }) => messages[0]?.content.startsWith('You carry out one step'));
  const lastStep = prompts.find(({ messages }) => messages[1]?.content.includes('### 5. run_tests'));
  expect(lastStep?.messages).toHaveLength(2);
  for (const part of ['Step 1: Step 1 is done.', 'Step 4: Step 4 is done.', 'a - b|edit_file'])
    expect(lastStep?.messages[1]?.content).toContain(part);
});

test('a file was touched before the approval, or after a cancel', async () => {
  const { events, files } = await whole({}, () => ({ choice: 'cancel', by: 'person' }));
  expect(walked(events).slice(-3)).toEqual(['approve→cancelled', 'stopped→', 'incomplete']);
  expect(files).toEqual(freshFiles());
});

test('L26: after five revisions the sixth feedback was revised as well, or a file was touched', async () => {
  const { events, files, world } = await whole({}, () => feedback);
  expect(walked(events).filter((line) => line === 'revise→next')).toHaveLength(5);
  expect(walked(events).slice(-3)).toEqual(['approve→exhausted', 'stopped→', 'incomplete']);
  expect(files).toEqual(freshFiles());
  expect(world.toolCalls).toEqual([]);
});

test('a step that did nothing was taken for done, or the steps after it were carried out', async () => {
  const { events, files, driver } = await whole({ idle: ['README.md'] });
  expect(walked(events).slice(-3, -1)).toEqual(['run→halted', 'stopped→']);
  expect([...files.keys()].sort()).toEqual(['.bridle/incomplete.md', 'a.js', 'b.js']);
  // independent of one another, the first four form one group; whoever had begun ends, nobody else begins
  expect(driver.snapshot.channels.stepResults).toMatchObject([
    { status: 'completed' },
    { status: 'completed' },
    { status: 'failed' },
    {},
    { status: 'skipped' },
  ]);
});

test('killed at any moment, the run wrote twice, asked twice for an approval, or came out otherwise', async () => {
  const expected = await whole();
  expect(expected.ends.length).toBeGreaterThan(40);
  for (const cut of expected.ends.slice(0, -1)) {
    const before = expected.events.slice(0, cut);
    const log = new MemoryEventLog();
    log.append('run', before);
    const files = freshFiles();
    for (const event of before) {
      const start = event.kind === 'tool-end' ? startOf(before, event.key, event.visit) : undefined;
      if (start) use(files, start.tool, start.input);
    }
    const { world, host } = worldOf({ log, files });
    const driver = new RunDriver(planOf(), host, 'run');
    await driver.restore();
    await goOn(driver, world, (revision) => (revision === 0 ? feedback : approval));
    const asked = log.read('run').filter((event) => event.kind === 'ask-open' && event.ask.kind === 'approval').length;
    expect({ cut, status: driver.snapshot.status, asked, files: Object.fromEntries(files) }).toEqual({
      cut,
      status: 'succeeded',
      asked: 2,
      files: Object.fromEntries(expected.files),
    });
    expect({ cut, results: rowsOf(driver) }).toEqual({ cut, results: rowsOf(expected.driver) });
  }
}, 120_000);

/** Members of a group end in whatever order. */
const rowsOf = ({ snapshot }: RunDriver): string[] => {
  const rows = snapshot.channels.stepResults;
  return Array.isArray(rows) ? rows.map((row) => JSON.stringify(row)).sort() : [];
};

function startOf(events: readonly TraceEvent[], key: string, visit: string | undefined) {
  const start = events.find((event) => event.kind === 'tool-start' && event.key === key && event.visit === visit);
  return start?.kind === 'tool-start' ? start : undefined;
}
