import { describe, expect, test } from 'vitest';
import type { Json } from '../contract/json';
import { draw } from '../testing/draw';
import { planOfDocument, reply, startWith, TestWorld, toolSpec } from '../testing/test-host';
import type { TraceEvent } from '../trace/events';
import { RunDriver } from './driver';
import { MemoryEventLog } from './memory-event-log';
import type { RunSnapshot } from './snapshot';

/** A flow with one of everything that can be interrupted. */
const flow = draw({
  nodes: {
    s: 'start',
    t: ['think', { calls: 2 }],
    f: ['fork', { branches: ['u', 'm'] }],
    u: ['use', { tool: 'look', calls: 2 }],
    m: ['map', { list: '[1, 2, 3]', concurrency: 2 }],
    mt: ['think', { prompt: 'item {{item}}' }, 'm'],
    g: 'guard',
    j: 'join',
    d: 'send',
    dt: ['think', { prompt: 'branch {{received}}' }],
    du: ['use', { tool: 'look' }],
    dm: 'merge',
    a: 'ask',
    n: ['nap', { ms: 50 }],
    w: ['step', { value: '"written"', write: 'once' }],
    z: ['end', { value: 'received' }],
  },
  edges: ['s>t', 't>f', 'f.u>u', 'f.m>m', 'u>j', 'm>j', 'g@m', 'j>d', 'd>dt', 'dt>du', 'du>dm', 'dm>a', 'a.yes>n', 'n>w', 'w>z'],
});

function worldOn(log: MemoryEventLog): TestWorld {
  const world = new TestWorld(log);
  world.tools = [toolSpec('look')];
  world.answer = (request) => reply(`re: ${request.messages.at(-1)?.content}`);
  world.use = (_name, input) => ({ looked: input });
  return world;
}

async function drive(driver: RunDriver, world: TestWorld): Promise<void> {
  for (let round = 0; round < 40 && driver.snapshot.status === 'running'; round += 1) {
    await world.settle();
    for (const visit of Object.values(driver.snapshot.visits)) {
      for (const suspension of Object.values(visit.suspended)) {
        if (suspension.kind === 'ask') await driver.answer(suspension.askId, suspension.hash, { choice: 'yes', by: 'person' });
      }
    }
    await world.pass(50);
  }
}

/** What must be the same whether or not a process died on the way. */
const essence = (snapshot: RunSnapshot) => ({
  status: snapshot.status,
  outputs: snapshot.outputs,
  channels: snapshot.channels,
  modelCalls: snapshot.usage.modelCalls,
  steps: snapshot.usage.steps,
});

/** Remembers where each append ended: a batch is on disk whole or not at all, so a process dies between batches. */
class BatchedLog extends MemoryEventLog {
  readonly ends: number[] = [];
  override append(runId: string, events: readonly TraceEvent[]): void {
    super.append(runId, events);
    this.ends.push(this.lastSeq(runId));
  }
}

async function whole() {
  const log = new BatchedLog();
  const world = worldOn(log);
  const driver = new RunDriver(planOfDocument(flow), world.host(), 'run');
  await driver.start(startWith('go'));
  await drive(driver, world);
  return {
    events: log.read('run'),
    ends: log.ends,
    end: driver.snapshot,
    modelCalls: world.modelCalls.length,
    toolCalls: world.toolCalls.length,
  };
}

describe('a killed process', () => {
  test('may die after any write: the run goes on to the same end and no finished model or tool call is repeated', async () => {
    const expected = await whole();
    expect(expected.end.status).toBe('succeeded');
    expect(expected.ends.length).toBeGreaterThan(20);
    for (const cut of expected.ends.slice(0, -1)) {
      const log = new MemoryEventLog();
      log.append('run', expected.events.slice(0, cut));
      const finished = (kind: TraceEvent['kind']) => expected.events.slice(0, cut).filter((event) => event.kind === kind).length;
      const world = worldOn(log);
      const driver = new RunDriver(planOfDocument(flow), world.host(), 'run');
      await driver.restore();
      await drive(driver, world);
      expect({ cut, ...essence(driver.snapshot) }).toEqual({ cut, ...essence(expected.end) });
      expect({ cut, calls: world.modelCalls.length }).toEqual({ cut, calls: expected.modelCalls - finished('model-end') });
      expect({ cut, uses: world.toolCalls.length }).toEqual({ cut, uses: expected.toolCalls - finished('tool-end') });
    }
  });

  test('leaves a snapshot that is exactly the fold of its log', async () => {
    const { events, end } = await whole();
    const log = new MemoryEventLog();
    log.append('run', events);
    const driver = new RunDriver(planOfDocument(flow), worldOn(log).host(), 'run');
    await driver.load();
    expect(JSON.parse(JSON.stringify(driver.snapshot))).toEqual(JSON.parse(JSON.stringify(end)));
  });

  test('writes no decision twice when it takes a visit up again', async () => {
    const { events } = await whole();
    const decided = events.findIndex((event) => event.kind === 'decision' && event.nodeId === 'w');
    const log = new MemoryEventLog();
    log.append('run', events.slice(0, decided + 1));
    const world = worldOn(log);
    const driver = new RunDriver(planOfDocument(flow), world.host(), 'run');
    await driver.restore();
    await drive(driver, world);
    const decisions = log.read('run').filter((event) => event.kind === 'decision' && event.nodeId === 'w');
    expect(decisions).toHaveLength(1);
  });
});

describe('a write whose outcome nobody recorded', () => {
  const writing = draw({ nodes: { s: 'start', u: ['use', { tool: 'save' }], z: 'end' }, edges: ['s>u', 'u>z'] });

  async function killedDuring(effect: 'read' | 'idempotent' | 'write') {
    const log = new MemoryEventLog();
    const first = new TestWorld(log);
    first.tools = [toolSpec('save', effect)];
    first.use = () => new Promise<Json>(() => {});
    const killed = new RunDriver(planOfDocument(writing), first.host(), 'run');
    await killed.start(startWith(null));
    await first.settle();
    killed.stop();
    const world = new TestWorld(log);
    world.tools = [toolSpec('save', effect)];
    world.use = () => 'saved';
    const driver = new RunDriver(planOfDocument(writing), world.host(), 'run');
    await driver.restore();
    await world.settle();
    return { driver, world, log };
  }

  test.each(['read', 'idempotent'] as const)('%s is repeated without asking', async (effect) => {
    const { driver, world } = await killedDuring(effect);
    expect((await driver.done).output).toEqual({ status: 'ok', output: 'saved' });
    expect(world.toolCalls).toHaveLength(1);
  });

  test.each([
    ['done', 0, { status: 'ok', output: 'A person confirmed that this was done.' }],
    ['repeat', 1, { status: 'ok', output: 'saved' }],
    ['failed', 0, { status: 'failed', code: 'TOOL_OUTCOME_UNKNOWN', message: 'A person said that this was not done.' }],
  ])('write is put to a person, who says %s', async (choice, calls, output) => {
    const { driver, world, log } = await killedDuring('write');
    expect(world.toolCalls).toHaveLength(0);
    const open = log.read('run').find((event) => event.kind === 'ask-open');
    expect(open?.kind === 'ask-open' && open.ask.kind).toBe('unknown-outcome');
    if (open?.kind !== 'ask-open') throw new Error('nobody was asked');
    await driver.answer(open.askId, open.hash, { choice, by: 'person' });
    await world.settle();
    expect((await driver.done).output).toEqual(output);
    expect(world.toolCalls).toHaveLength(calls);
  });
});
