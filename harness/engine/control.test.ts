import { describe, expect, test } from 'vitest';
import { operationalError } from '../contract/errors';
import { draw } from '../testing/draw';
import { planOfDocument, reply, runToEnd, shortTrace, startWith, TestWorld, toolSpec } from '../testing/test-host';
import { runOptionsSchema } from '../trace/events';
import { RunDriver } from './driver';

const options = (given: Record<string, unknown>) => runOptionsSchema.parse(given);

describe('cancel', () => {
  const busy = draw({
    nodes: { s: 'start', t: 'think', n: ['nap', { ms: 60_000 }], u: ['use', { tool: 'look' }], h: 'hang', j: 'join', z: 'end' },
    edges: ['s>t', 's>n', 's>u', 's>h', 't>j', 'n>j', 'u>j', 'h>j', 'j>z'],
  });

  test('reaches the model call, the tool call, the sleep and a node that does not listen; nothing is heard afterwards (BR-45)', async () => {
    const world = new TestWorld();
    world.tools = [toolSpec('look')];
    const aborted: string[] = [];
    const until = (name: string, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted.push(name);
          reject(operationalError('CANCELLED', 'stopped'));
        });
      });
    world.answer = (_request, call) => until('model', call.signal);
    world.use = (_name, _input, context) => until('tool', context.signal);
    const driver = new RunDriver(planOfDocument(busy), world.host(), 'run');
    await driver.start(startWith(null));
    await world.settle();
    await driver.cancel('person');
    expect((await driver.done).outcome).toBe('cancelled');
    expect(aborted.sort()).toEqual(['model', 'tool']);
    const count = world.events.length;
    await driver.cancel('person');
    await world.pass(120_000);
    expect(world.events).toHaveLength(count);
    expect(world.events.at(-1)?.kind).toBe('run-end');
  });
});

describe('retries and timeouts are policies', () => {
  test('a failing node is tried again after its delay until it works', async () => {
    const flow = draw({
      nodes: { s: 'start', f: ['fail', { times: 2 }], r: ['again', { attempts: 3, delayMs: 100 }], z: 'end' },
      edges: ['s>f', 'f>z', 'r@f'],
    });
    const world = new TestWorld();
    const driver = new RunDriver(planOfDocument(flow), world.host(), 'run');
    await driver.start(startWith(null));
    await world.pass(100);
    await world.pass(100);
    expect(await driver.done).toMatchObject({ outcome: 'succeeded', output: 'attempt 3' });
    expect(world.events.filter((event) => event.kind === 'visit-retry')).toHaveLength(2);
  });

  test('a node that hangs is ended by its timeout and may be caught by its error edge', async () => {
    const flow = draw({
      nodes: { s: 'start', h: 'hang', r: ['again', { attempts: 1, timeoutMs: 500 }], z: ['end', { value: 'received.error.code' }] },
      edges: ['s>h', 'h>z', 'h.error>z', 'r@h'],
    });
    const world = new TestWorld();
    const driver = new RunDriver(planOfDocument(flow), world.host(), 'run');
    await driver.start(startWith(null));
    await world.pass(500);
    expect(await driver.done).toMatchObject({ outcome: 'succeeded', output: 'TIMEOUT' });
  });

  test('a model that is busy is asked again after the time it names, and its second answer counts once', async () => {
    const flow = draw({ nodes: { s: 'start', t: 'think', z: 'end' }, edges: ['s>t', 't>z'] });
    const world = new TestWorld();
    let asked = 0;
    world.answer = () => {
      asked += 1;
      if (asked === 1) throw operationalError('MODEL_RATE_LIMIT', 'slow down', { retryable: true, retryAfterMs: 700 });
      return reply('fine');
    };
    const driver = new RunDriver(planOfDocument(flow), world.host(), 'run');
    await driver.start(startWith(null));
    await world.pass(699);
    expect(asked).toBe(1);
    await world.pass(1);
    expect(await driver.done).toMatchObject({ outcome: 'succeeded', output: 'fine', usage: { modelCalls: 1 } });
  });
});

describe('caps', () => {
  const thinking = (caps: Record<string, number>) =>
    draw({ nodes: { s: 'start', t: ['think', { calls: 10 }], z: 'end' }, edges: ['s>t', 't>z'], caps });

  test.each([
    [{ tokens: 40 }, 'tokens', 3],
    [{ cost: 0.025 }, 'cost', 3],
  ])('%j ends the run as limit as soon as a call goes past it', async (caps, cap, calls) => {
    const world = new TestWorld();
    world.answer = () => reply('…');
    const { end } = await runToEnd(thinking(caps), null, world);
    expect(end.outcome).toBe('limit');
    expect(end.usage.modelCalls).toBe(calls);
    expect(world.events.find((event) => event.kind === 'limit-reached')).toMatchObject({ cap });
  });

  test('wall time ends a run that only sleeps', async () => {
    const flow = draw({ nodes: { s: 'start', n: ['nap', { ms: 10_000 }], z: 'end' }, edges: ['s>n', 'n>z'], caps: { wallTimeMs: 1000 } });
    const world = new TestWorld();
    const driver = new RunDriver(planOfDocument(flow), world.host(), 'run');
    await driver.start(startWith(null));
    await world.pass(1000);
    expect((await driver.done).outcome).toBe('limit');
  });

  test('a budget policy that is used up ends the run as limit, or takes the error edge where there is one', async () => {
    const flow = (caught: boolean) =>
      draw({
        nodes: { s: 'start', t: ['think', { calls: 5 }], g: ['guard', { modelCalls: 2 }], z: 'end' },
        edges: ['s>t', 't>z', 'g@t', ...(caught ? ['t.error>z'] : [])],
      });
    const worlds = [new TestWorld(), new TestWorld()];
    for (const world of worlds) world.answer = () => reply('…');
    expect((await runToEnd(flow(false), null, worlds[0])).end).toMatchObject({ outcome: 'limit', usage: { modelCalls: 2 } });
    expect((await runToEnd(flow(true), null, worlds[1])).end).toMatchObject({
      outcome: 'succeeded',
      output: { error: { code: 'BUDGET_REACHED' } },
    });
  });
});

describe('guards around tools', () => {
  const using = (tool: string) => draw({ nodes: { s: 'start', u: ['use', { tool }], g: 'guard', z: 'end' }, edges: ['s>u', 'u>z', 'g@u'] });
  const worldWith = (...tools: string[]) => {
    const world = new TestWorld();
    world.tools = tools.map((tool) => toolSpec(tool));
    world.use = () => 'used';
    return world;
  };

  test('a denied tool is told to the node and never called', async () => {
    const world = worldWith('forbidden');
    const { end } = await runToEnd(using('forbidden'), null, world);
    expect(end.output).toEqual({ status: 'denied', message: 'Not this one.' });
    expect(world.toolCalls).toEqual([]);
    expect(world.events.find((event) => event.kind === 'guard-verdict')).toMatchObject({ verdict: 'deny', tool: 'forbidden', policy: 'g' });
  });

  test('a tool that does not exist is an answer that lists what does', async () => {
    const { end } = await runToEnd(using('ghost'), null, worldWith('real'));
    expect(end.output).toMatchObject({ status: 'failed', code: 'TOOL_UNKNOWN', message: expect.stringContaining('real') });
  });

  test.each([
    ['approve', { status: 'ok', output: 'used' }, 1],
    ['reject', { status: 'denied', message: 'A person refused this. They said: too risky' }, 0],
  ])('a tool that needs approval is called only after a person says %s', async (choice, output, calls) => {
    const world = worldWith('careful');
    const driver = new RunDriver(planOfDocument(using('careful')), world.host(), 'run');
    await driver.start(startWith(null));
    await world.settle();
    expect(world.toolCalls).toHaveLength(0);
    const open = world.events.find((event) => event.kind === 'ask-open');
    if (open?.kind !== 'ask-open') throw new Error('nobody was asked');
    await driver.answer(open.askId, open.hash, { choice, comment: 'too risky', by: 'person' });
    await world.settle();
    expect((await driver.done).output).toEqual(output);
    expect(world.toolCalls).toHaveLength(calls);
  });
});

describe('bodies', () => {
  const mapping = (
    config: Record<string, string | number>,
    body: [string, Record<string, string | number>] = ['step', { value: 'item * 10' }],
  ) =>
    draw({
      nodes: { s: 'start', m: ['map', { list: '[1, 2, 3, 4]', ...config }], b: [body[0], body[1], 'm'], z: 'end' },
      edges: ['s>m', 'm>z'],
    });

  test('a map runs its body once per item, results in item order', async () => {
    expect((await runToEnd(mapping({ concurrency: 2 }))).end.output).toEqual([10, 20, 30, 40]);
    expect((await runToEnd(mapping({ list: '[]' }))).end).toMatchObject({ outcome: 'succeeded', output: [] });
  });

  test('never more bodies at once than its concurrency', async () => {
    const world = new TestWorld();
    const driver = new RunDriver(planOfDocument(mapping({ concurrency: 2 }, ['nap', { ms: 10 }])), world.host(), 'run');
    await driver.start(startWith(null));
    await world.settle();
    const running = () => Object.values(driver.snapshot.scopes).filter((scope) => scope.id !== '' && scope.state === 'running').length;
    expect(running()).toBe(2);
    await world.pass(10);
    expect(running()).toBe(2);
    await world.pass(10);
    expect((await driver.done).outcome).toBe('succeeded');
  });

  test('stop cancels the bodies beside a failed one; collect keeps the failure among the results', async () => {
    const body: [string, Record<string, string | number>] = ['fail', {}];
    expect((await runToEnd(mapping({ onError: 'stop' }, body))).end.outcome).toBe('failed');
    expect((await runToEnd(mapping({ onError: 'collect' }, body))).end).toMatchObject({
      outcome: 'succeeded',
      output: [null, null, null, null],
    });
  });

  test('an embedded flow gets its own input, sees nothing of its caller, and gives back its output', async () => {
    const inner = draw({ id: 'inner', nodes: { s: 'start', a: ['step', { value: 'input + 1' }], z: 'end' }, edges: ['s>a', 'a>z'] });
    const outer = draw({ nodes: { s: 'start', c: ['call', { flow: 'inner', input: 'received * 2' }], z: 'end' }, edges: ['s>c', 'c>z'] });
    const world = new TestWorld();
    const driver = new RunDriver(planOfDocument(outer, [inner]), world.host(), 'run');
    await driver.start(startWith(20));
    await world.settle();
    expect((await driver.done).output).toBe(41);
  });
});

describe('partial runs', () => {
  const chain = draw({
    nodes: { s: 'start', a: ['step', { value: '"fresh"' }], b: ['step', { value: 'a + "!"' }], z: 'end' },
    edges: ['s>a', 'a>b', 'b>z'],
  });
  const run = async (given: Record<string, unknown>) => {
    const world = new TestWorld();
    const driver = new RunDriver(planOfDocument(chain), world.host(), 'run');
    await driver.start(startWith('in', { options: options(given) }));
    await world.settle();
    return { end: await driver.done, trace: shortTrace(world.events) };
  };

  test('from a node: what stands before it comes from an earlier run', async () => {
    const { end, trace } = await run({ from: 'b', seedOutputs: { a: 'kept' } });
    expect(end).toMatchObject({ outcome: 'succeeded', output: 'kept!' });
    expect(trace[0]).toBe('b→next');
  });

  test('from a node: it receives what its predecessor put out then (a part that runs on the input of the whole flow)', async () => {
    const receiving = draw({
      nodes: { s: 'start', a: ['step', { value: '"fresh"' }], b: ['step', { value: 'received + "!"' }], z: 'end' },
      edges: ['s>a', 'a>b', 'b>z'],
    });
    const world = new TestWorld();
    const driver = new RunDriver(planOfDocument(receiving), world.host(), 'run');
    await driver.start(startWith('in', { options: options({ from: 'b', seedOutputs: { s: 'in', a: 'kept' } }) }));
    await world.settle();
    expect((await driver.done).output).toBe('kept!');
  });

  test('until a node: it is the last one visited and its output is the result', async () => {
    expect((await run({ until: 'a' })).end).toMatchObject({ outcome: 'succeeded', output: 'fresh' });
  });

  test('a pinned output stands in for the node, and the trace says from which run (BR-73)', async () => {
    const { end, trace } = await run({ pins: { a: { output: 'pinned', runId: 'run-5', at: 1 } } });
    expect(end.output).toBe('pinned!');
    expect(trace).toContain('a(pinned)→next');
  });
});
