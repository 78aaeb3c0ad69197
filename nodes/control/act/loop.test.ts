import { expect, test } from 'vitest';
import { compile } from '@/harness/compiler/compile';
import type { Plan } from '@/harness/compiler/plan';
import type { Json } from '@/harness/contract/json';
import { RunDriver } from '@/harness/engine/driver';
import { MemoryEventLog } from '@/harness/engine/memory-event-log';
import { drawFlow } from '@/harness/testing/draw-flow';
import { reply, shortTrace, startWith, TestWorld, testHash, toolSpec } from '@/harness/testing/test-host';
import type { TraceEvent } from '@/harness/trace/events';
import { catalogue } from '../../catalog';
import { runtime } from '../../executors';

/** The middle of the loop as a drawing, run by the engine: planning, both gates, the agent, evidence, world model. */
const document = drawFlow({
  nodes: {
    in: 'input',
    init: { type: 'initialize-run', config: { tasks: [{ id: 't', description: 'Mend the sum' }] } },
    resolve: 'control-state',
    plan: { type: 'planning', config: { parallel: false } },
    weigh: 'value-of-information',
    review: 'review-gate',
    gate: 'action-gate',
    act: 'act',
    evidence: 'evidence',
    world: 'world-model',
    ended: { type: 'branch', config: { cases: [{ id: 'yes', when: 'state.taskResults[state.currentTask].status != "continue"' }] } },
    out: { type: 'output', config: { value: '{{state.taskResults["t"]}}' } },
    stuck: { type: 'output', config: { value: '{{received}}', required: false } },
  },
  edges: [
    'in -> init',
    'init -> resolve',
    'resolve.normal -> plan',
    'resolve.cautious -> plan',
    'resolve.blocked -> stuck',
    'resolve.human -> stuck',
    'plan.task -> weigh',
    'plan.complete -> stuck',
    'plan.nothing-eligible -> stuck',
    'weigh.act -> review',
    'weigh.gather -> review',
    'review.pass -> gate',
    'review.revise -> resolve x50',
    'review.halt -> stuck',
    'gate.pass -> act',
    'gate.block -> resolve x50',
    'gate.escalate -> stuck',
    'act.done -> evidence',
    'act.continue -> evidence',
    'act.failed -> evidence',
    'evidence -> world',
    'world -> ended',
    'ended.yes -> out',
    'ended.else -> resolve x50',
  ],
});

function planOf(): Plan {
  const { plan, diagnostics } = compile(document, { catalogue, hash: testHash });
  if (!plan) throw new Error(diagnostics.map((entry) => `${entry.nodeId ?? ''} ${entry.code}: ${entry.message}`).join('\n'));
  return plan;
}

/** Files in memory; a write that is made twice shows in them. */
function worldOn(log: MemoryEventLog, files: Map<string, string>): TestWorld {
  const world = new TestWorld(log);
  world.tools = [toolSpec('read_file'), toolSpec('edit_file', 'write'), toolSpec('create_file', 'write')];
  world.use = (name, input) => use(files, name, input);
  world.answer = (request) => {
    const answered = request.messages.filter(({ role }) => role === 'tool').length;
    const call = (id: string, toolName: string, args: Json) => ({ id, name: toolName, arguments: args });
    if (answered === 0) return reply('', { toolCalls: [call('1', 'read_file', { path: 'sum.js' })], finish: 'tool-calls' });
    if (answered === 1) {
      const edit = call('2', 'edit_file', { path: 'sum.js', find: 'a - b', replace: 'a + b' });
      return reply('', { toolCalls: [edit, call('3', 'create_file', { path: 'NOTES.md', content: 'mended' })], finish: 'tool-calls' });
    }
    return reply('The sum is mended.');
  };
  return world;
}

function use(files: Map<string, string>, name: string, input: Json): Json {
  const fields: { path?: string; find?: string; replace?: string; content?: string } = JSON.parse(JSON.stringify(input));
  const path = fields.path ?? '';
  const before = files.get(path) ?? '';
  if (name === 'edit_file') files.set(path, before.replace(fields.find ?? '', fields.replace ?? ''));
  if (name === 'create_file') files.set(path, `${before}${fields.content ?? ''}`);
  return { path, content: files.get(path) ?? '' };
}

const freshFiles = () => new Map([['sum.js', 'return a - b']]);

class BatchedLog extends MemoryEventLog {
  readonly ends: number[] = [];
  override append(runId: string, events: readonly TraceEvent[]): void {
    super.append(runId, events);
    this.ends.push(this.lastSeq(runId));
  }
}

async function settled(driver: RunDriver, world: TestWorld): Promise<void> {
  for (let round = 0; round < 40 && driver.snapshot.status === 'running'; round += 1) await world.pass(1);
}

async function whole() {
  const log = new BatchedLog();
  const files = freshFiles();
  const world = worldOn(log, files);
  const driver = new RunDriver(planOf(), world.host(runtime), 'run');
  await driver.start(startWith({ message: 'The sum is wrong' }));
  await settled(driver, world);
  return { driver, world, files, events: log.read('run'), ends: log.ends };
}

test('the drawn loop did not carry a task through reads and two gated writes to its result', async () => {
  const { driver, files, events } = await whole();
  const end = events.at(-1);
  expect(shortTrace(events).at(-1)).toBe('succeeded');
  expect(end).toMatchObject({
    kind: 'run-end',
    output: { status: 'done', output: 'The sum is mended.', turns: 3, changed_paths: ['sum.js', 'NOTES.md'] },
  });
  expect(Object.fromEntries(files)).toEqual({ 'sum.js': 'return a + b', 'NOTES.md': 'mended' });
  expect(driver.snapshot.channels).toMatchObject({
    progress: { steps_used: 4 },
    toolResults: [],
    proposal: null,
    worldModel: { environment_change_log: [{ affected_paths: ['sum.js'] }, { affected_paths: ['NOTES.md'] }] },
  });
});

test('a write went past the gates: between two writes there was no gate of its own', async () => {
  const { events } = await whole();
  const walked = events.flatMap((event) => {
    if (event.kind === 'visit-end' && event.nodeId === 'gate') return [`gate ${event.ports.join()}`];
    return event.kind === 'tool-start' && event.effect === 'write' ? [`write ${event.tool}`] : [];
  });
  // the task, its first read, then each write behind a pass of its own
  expect(walked).toEqual(['gate pass', 'gate pass', 'gate pass', 'write edit_file', 'gate pass', 'write create_file']);
});

test('killed after any event, the run wrote twice, asked the model again or came out otherwise', async () => {
  const expected = await whole();
  expect(expected.ends.length).toBeGreaterThan(30);
  for (const cut of expected.ends.slice(0, -1)) {
    const before = expected.events.slice(0, cut);
    const log = new MemoryEventLog();
    log.append('run', before);
    const files = freshFiles();
    for (const event of before) if (event.kind === 'tool-end' && event.visit !== undefined) replay(files, before, event.key, event.visit);
    const world = worldOn(log, files);
    const driver = new RunDriver(planOf(), world.host(runtime), 'run');
    await driver.restore();
    for (let round = 0; round < 40 && driver.snapshot.status === 'running'; round += 1) {
      await world.pass(1);
      for (const visit of Object.values(driver.snapshot.visits)) {
        for (const suspension of Object.values(visit.suspended)) {
          // a write that was under way: nothing reached the files in this world
          if (suspension.kind === 'ask') await driver.answer(suspension.askId, suspension.hash, { choice: 'repeat', by: 'person' });
        }
      }
    }
    const finished = before.filter(({ kind }) => kind === 'model-end').length;
    expect({ cut, status: driver.snapshot.status, files: Object.fromEntries(files), calls: world.modelCalls.length + finished }).toEqual({
      cut,
      status: 'succeeded',
      files: Object.fromEntries(expected.files),
      calls: expected.world.modelCalls.length,
    });
    expect({ cut, channels: driver.snapshot.channels.taskResults }).toEqual({
      cut,
      channels: expected.driver.snapshot.channels.taskResults,
    });
  }
}, 60_000);

/** Brings the files to where the finished calls of the log left them. */
function replay(files: Map<string, string>, events: readonly TraceEvent[], key: string, visit: string): void {
  const start = events.find((event) => event.kind === 'tool-start' && event.key === key && event.visit === visit);
  if (start?.kind === 'tool-start') use(files, start.tool, start.input);
}
