import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { compile } from '../compiler/compile';
import type { Runtime } from '../contract/catalogue';
import { operationalError } from '../contract/errors';
import type { ExecuteContext, NodeImplementation, VisitResult } from '../contract/execute';
import { implementNode } from '../contract/execute';
import { jsonSchema } from '../contract/json';
import { defineNode } from '../contract/node';
import { implementPolicy } from '../contract/policy';
import { draw } from '../testing/draw';
import { reply, startWith, TestWorld, testHash, toolSpec } from '../testing/test-host';
import { testRuntime } from '../testing/test-runtime';
import { RunDriver } from './driver';
import { MemoryEventLog } from './memory-event-log';

const base = {
  version: 1,
  category: 'flow' as const,
  layer: 'flow' as const,
  authority: 'deterministic' as const,
  icon: 'circle',
  outputs: jsonSchema,
};
const odd = defineNode({ ...base, id: 'odd', role: 'step', title: 'odd', summary: 'odd', config: z.object({}), ports: ['next'] });
const brittle = defineNode({
  ...base,
  id: 'brittle',
  role: 'policy',
  title: 'brittle',
  summary: 'brittle',
  config: z.object({}),
  ports: [],
  attaches: { to: ['*'] },
});
const breaking = implementPolicy(brittle, {
  onError: () => {
    throw new Error('the policy broke');
  },
});

type Execute = (context: ExecuteContext<unknown>) => Promise<VisitResult> | VisitResult;

function runtimeWith(execute: Execute): Runtime {
  const node: NodeImplementation = implementNode(odd, execute as Parameters<typeof implementNode<typeof odd>>[1]);
  return {
    ...testRuntime,
    catalogue: {
      ...testRuntime.catalogue,
      nodes: new Map([...testRuntime.catalogue.nodes, ['odd', odd], ['brittle', brittle]]),
    },
    executors: new Map([...testRuntime.executors, ['odd', node]]),
    policies: new Map([...testRuntime.policies, ['brittle', breaking]]),
  };
}

function open(execute: Execute, drawing: Parameters<typeof draw>[0], world = new TestWorld()) {
  const runtime = runtimeWith(execute);
  const { plan, diagnostics } = compile(draw(drawing), { catalogue: runtime.catalogue, hash: testHash });
  if (!plan) throw new Error(JSON.stringify(diagnostics));
  return { world, driver: new RunDriver(plan, world.host(runtime), 'run') };
}

const line = { nodes: { s: 'start', o: 'odd', z: 'end' }, edges: ['s>o', 'o>z'] };

describe('an executor that misbehaves', () => {
  test.each([
    ['gives back nothing', () => undefined],
    ['gives back null', () => null],
    ['throws nothing', () => Promise.reject(undefined)],
    ['throws a text', () => Promise.reject('just text')],
    ['throws what cannot be JSON', () => Promise.reject({ code: 'X', circle: globalThis })],
    ['names a port that is not there', () => ({ port: 'elsewhere' })],
    ['writes a channel that it may not', () => ({ writes: { log: ['x'] } })],
  ])('that %s took the process with it, or left the run hanging', async (_what, execute) => {
    // exactly what the types forbid
    const { driver } = open(execute as unknown as Execute, line);
    await driver.start(startWith(null));
    expect(await driver.done).toMatchObject({ outcome: 'failed', error: { code: expect.any(String), message: expect.any(String) } });
  });

  test('a policy that throws while it looks at a failure took the process with it', async () => {
    const { driver, world } = open(() => Promise.reject(operationalError('BROKE', 'broken')), {
      nodes: { ...line.nodes, b: 'brittle' },
      edges: [...line.edges, 'b@o'],
    });
    await driver.start(startWith(null));
    expect(await driver.done).toMatchObject({ outcome: 'failed', error: { code: 'BROKE' } });
    expect(world.events.some((event) => event.kind === 'log' && event.message.includes('the policy broke'))).toBe(true);
  });
});

const again = (config: Record<string, number>) => ({
  nodes: { ...line.nodes, r: ['again', config] as [string, Record<string, number>] },
  edges: [...line.edges, 'r@o'],
});

describe('attempts', () => {
  test('a timeout that the executor also reports counted as two failures', async () => {
    const { driver, world } = open(
      ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
      again({ attempts: 4, delayMs: 10, timeoutMs: 100 }),
    );
    await driver.start(startWith(null));
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await world.pass(100);
      await world.pass(10);
    }
    expect(await driver.done).toMatchObject({ outcome: 'failed', error: { code: 'TIMEOUT' } });
    expect(world.events.flatMap((event) => (event.kind === 'visit-retry' ? [event.attempt] : []))).toEqual([2, 3, 4]);
  });

  test('what an earlier attempt left running wrote into the next one', async () => {
    let late: () => void = () => {};
    let rest: Promise<unknown> = Promise.resolve();
    const { driver, world } = open(
      async (context) => {
        if (context.visit.attempt > 1) return { output: await context.once('value', () => 'second') };
        const gate = new Promise<void>((resolve) => {
          late = resolve;
        });
        rest = gate.then(() => context.once('value', () => 'first')).catch(() => 'refused');
        throw operationalError('BROKE', 'one of two things failed');
      },
      again({ attempts: 2, delayMs: 50, timeoutMs: 10_000 }),
    );
    await driver.start(startWith(null));
    await world.settle();
    late();
    expect(await Promise.race([rest, world.settle().then(() => 'silent')])).not.toBe('first');
    await world.pass(50);
    expect(await driver.done).toMatchObject({ outcome: 'succeeded', output: 'second' });
  });

  test('a finished answer that led to the failure was given to the next attempt again', async () => {
    const world = new TestWorld();
    let asked = 0;
    world.answer = () => reply(`answer ${++asked}`);
    const { driver } = open(
      async (context) => {
        const { text } = await context.model({ role: 'primary', messages: [] });
        context.decide({ rule: 'good enough', outcome: text, because: [] });
        if (text !== 'answer 3') throw operationalError('NOT_GOOD', text);
        return { output: text };
      },
      again({ attempts: 3, delayMs: 10 }),
      world,
    );
    await driver.start(startWith(null));
    await world.pass(10);
    await world.pass(10);
    expect(await driver.done).toMatchObject({ outcome: 'succeeded', output: 'answer 3', usage: { modelCalls: 3 } });
    const decided = world.events.flatMap((event) =>
      event.kind === 'decision' && event.decision.rule === 'good enough' ? [event.decision.outcome] : [],
    );
    expect(decided).toEqual(['answer 1', 'answer 2', 'answer 3']);
  });

  test('a write was done again by the retry of the visit that had done it', async () => {
    const world = new TestWorld();
    world.tools = [toolSpec('send', 'write')];
    world.use = () => 'sent';
    const { driver } = open(
      async (context) => {
        await context.tool('send', { to: 'everyone' });
        if (context.visit.attempt < 3) throw operationalError('BROKE', 'after the write');
        return { output: 'done' };
      },
      again({ attempts: 3, delayMs: 10 }),
      world,
    );
    await driver.start(startWith(null));
    await world.pass(10);
    await world.pass(10);
    expect((await driver.done).outcome).toBe('succeeded');
    expect(world.toolCalls).toHaveLength(1);
  });

  test('time in which one of two people was still asked counted as time of the node', async () => {
    const ask = (title: string) => ({ kind: 'question' as const, title, choices: [{ id: 'ok', label: 'OK', tone: 'accept' as const }] });
    const { driver, world } = open(
      async (context) => {
        await Promise.all([context.ask('one', ask('One?')), context.ask('two', ask('Two?'))]);
        return { output: 'both' };
      },
      again({ attempts: 1, timeoutMs: 100 }),
    );
    await driver.start(startWith(null));
    await world.settle();
    const answer = async (title: string) => {
      for (const visit of Object.values(driver.snapshot.visits)) {
        for (const open of Object.values(visit.suspended)) {
          if (open.kind === 'ask' && open.ask.title === title) await driver.answer(open.askId, open.hash, { choice: 'ok', by: 'person' });
        }
      }
    };
    await answer('One?');
    await world.pass(5000);
    await answer('Two?');
    expect(await driver.done).toMatchObject({ outcome: 'succeeded', output: 'both' });
  });
});

/** A log that is asynchronous, as one over a network would be, and can be made to refuse. */
class SlowLog extends MemoryEventLog {
  refuses = false;
  override async append(...given: Parameters<MemoryEventLog['append']>): Promise<void> {
    await Promise.resolve();
    if (this.refuses) throw operationalError('DISK_FULL', 'no space');
    super.append(...given);
  }
}

describe('a log that answers later', () => {
  test('two answers to one request at the same moment were both told to have counted', async () => {
    const world = new TestWorld(new SlowLog());
    const { driver } = open(() => ({ output: null }), { nodes: { s: 'start', a: 'ask', z: 'end' }, edges: ['s>a', 'a.yes>z'] }, world);
    await driver.start(startWith(null));
    await world.settle();
    const [ask] = Object.values(driver.snapshot.visits).flatMap((visit) => Object.values(visit.suspended));
    if (ask?.kind !== 'ask') throw new Error('nothing was asked');
    const results = await Promise.all(['a', 'b'].map((by) => driver.answer(ask.askId, ask.hash, { choice: 'yes', by })));
    expect(results.map((result) => result.accepted)).toEqual([true, false]);
    expect((await driver.done).outcome).toBe('succeeded');
  });

  test('a refused append left callers waiting for ever, or the run going on without a record', async () => {
    const log = new SlowLog();
    const world = new TestWorld(log);
    const broken: unknown[] = [];
    const { driver } = open(
      () => ({ output: null }),
      { nodes: { s: 'start', n: ['nap', { ms: 10 }], z: 'end' }, edges: ['s>n', 'n>z'] },
      world,
    );
    driver.host.broken = (_run, error) => broken.push(error);
    await driver.start(startWith(null));
    await world.settle();
    log.refuses = true;
    await Promise.all([driver.cancel('one'), driver.cancel('two')]);
    await driver.cancel('later');
    expect(broken).toHaveLength(1);
    const written = world.events.length;
    await world.pass(1000);
    expect(world.events).toHaveLength(written);
  });

  test('a process that let its run go while the log was writing went on to use the outside world', async () => {
    const world = new TestWorld(new SlowLog());
    let used = 0;
    const { driver } = open(
      () => {
        used += 1;
        return { output: null };
      },
      line,
      world,
    );
    const started = driver.start(startWith(null));
    driver.stop();
    await started;
    await world.settle();
    expect(used).toBe(0);
  });
});

test('a model call that failed after it had been answered cost nothing in the books', async () => {
  const world = new TestWorld();
  let asked = 0;
  world.answer = () => {
    asked += 1;
    const usage = { inputTokens: 20, outputTokens: 7, cost: 0.5 };
    if (asked === 1) throw operationalError('MODEL_BAD_REPLY', 'busy after the first half', { retryable: true, retryAfterMs: 5, usage });
    throw operationalError('MODEL_BAD_REPLY', 'not the JSON asked for', { retryable: false, usage });
  };
  const { driver } = open(() => ({ output: null }), { nodes: { s: 'start', t: 'think', z: 'end' }, edges: ['s>t', 't>z'] }, world);
  await driver.start(startWith(null));
  await world.pass(5);
  expect(await driver.done).toMatchObject({ outcome: 'failed', usage: { modelCalls: 1, inputTokens: 40, outputTokens: 14, cost: 1 } });
});
