import { describe, expect, test } from 'vitest';
import { draw } from '../testing/draw';
import { planOfDocument, shortTrace, startWith, TestWorld } from '../testing/test-host';
import { RunDriver } from './driver';
import { statusOf } from './snapshot';

async function begin(flow: ReturnType<typeof draw>) {
  const world = new TestWorld();
  const driver = new RunDriver(planOfDocument(flow), world.host(), 'run');
  await driver.start(startWith('in'));
  await world.settle();
  const asks = () =>
    Object.values(driver.snapshot.visits).flatMap((visit) =>
      Object.values(visit.suspended).flatMap((entry) => (entry.kind === 'ask' ? [{ ...entry, node: visit.node }] : [])),
    );
  return { driver, world, asks };
}

const yes = { choice: 'yes', by: 'person' };
const gate = (config: Record<string, number | string> = {}) =>
  draw({ nodes: { s: 'start', a: ['ask', config], y: 'end', n: 'end', t: 'end' }, edges: ['s>a', 'a.yes>y', 'a.no>n', 'a.timeout>t'] });

describe('human gates', () => {
  test('a gate as the first node parks the run, and its answer goes on once (BR-53, BR-59)', async () => {
    const { driver, world, asks } = await begin(gate());
    expect(statusOf(driver.snapshot)).toBe('waiting');
    const [ask] = asks();
    if (!ask) throw new Error('no ask');
    const both = await Promise.all([driver.answer(ask.askId, ask.hash, yes), driver.answer(ask.askId, ask.hash, yes)]);
    await world.settle();
    expect(both.filter((answer) => answer.accepted)).toHaveLength(1);
    expect((await driver.done).outputs).toEqual({ y: 'yes' });
    expect(shortTrace(world.events).filter((line) => line.startsWith('a→'))).toEqual(['a→yes']);
  });

  test('an answer is bound to what was shown: another hash is refused and logged (BR-60, BR-85)', async () => {
    const { driver, world, asks } = await begin(gate());
    const [ask] = asks();
    if (!ask) throw new Error('no ask');
    expect(await driver.answer(ask.askId, 'tampered', yes)).toMatchObject({ accepted: false });
    expect(await driver.answer('a99', ask.hash, yes)).toMatchObject({ accepted: false });
    expect(await driver.answer(ask.askId, ask.hash, { choice: 'timeout', by: 'person' })).toMatchObject({ accepted: false });
    expect(world.events.filter((event) => event.kind === 'ask-refused')).toHaveLength(3);
    expect(statusOf(driver.snapshot)).toBe('waiting');
  });

  test('an approval that comes a minute after its expiry takes the timeout edge, also when the process was away (BR-60)', async () => {
    const flow = gate({ expiresInMs: 1000 });
    const { driver, world, asks } = await begin(flow);
    const [ask] = asks();
    if (!ask) throw new Error('no ask');
    driver.stop();
    const later = new TestWorld(world.log);
    later.clock.advance(61_000);
    const next = new RunDriver(planOfDocument(flow), later.host(), 'run');
    await next.load();
    expect(await next.answer(ask.askId, ask.hash, yes)).toEqual({ accepted: false, reason: 'This request has expired.' });
    const resumed = new TestWorld(world.log);
    resumed.clock.advance(61_000);
    const third = new RunDriver(planOfDocument(flow), resumed.host(), 'run');
    await third.restore();
    await resumed.pass(0);
    expect((await third.done).outputs).toEqual({ t: 'timeout' });
  });

  test.each([['ab'], ['ba'], ['both']])('two gates side by side answered %s: each answer reaches its own gate (BR-56)', async (order) => {
    const flow = draw({
      nodes: { s: 'start', a: ['ask', { title: 'A' }], b: ['ask', { title: 'B' }], j: 'join', z: 'end' },
      edges: ['s>a', 's>b', 'a.yes>j', 'a.no>j', 'b.yes>j', 'b.no>j', 'j>z'],
    });
    const { driver, world, asks } = await begin(flow);
    const of = (node: string) => {
      const found = asks().find((ask) => ask.node === node);
      if (!found) throw new Error(`no ask at ${node}`);
      return driver.answer(found.askId, found.hash, { choice: node === 'a' ? 'yes' : 'no', by: 'person' });
    };
    if (order === 'both') await Promise.all([of('a'), of('b')]);
    else for (const node of order) await of(node);
    await world.settle();
    expect((await driver.done).output).toEqual({ a: 'yes', b: 'no' });
    expect(world.events.filter((event) => event.kind === 'ask-open')).toHaveLength(2);
  });

  test('while a gate waits the branch beside it goes on, and everything after the gate runs (BR-43)', async () => {
    const flow = draw({
      nodes: {
        s: 'start',
        a: 'ask',
        mail: 'step',
        n: ['nap', { ms: 5 }],
        c: ['branch', { when: 'true' }],
        m2: 'step',
        m3: 'step',
        z: 'end',
      },
      edges: ['s>a', 's>mail', 'mail>n', 'a.yes>c', 'c.yes>m2', 'c.yes>m3', 'm2>z', 'm3>z'],
    });
    const { driver, world, asks } = await begin(flow);
    await world.pass(5);
    const [ask] = asks();
    if (!ask) throw new Error('no ask');
    await driver.answer(ask.askId, ask.hash, yes);
    await world.settle();
    expect((await driver.done).outcome).toBe('succeeded');
    const visited = world.events.flatMap((event) => (event.kind === 'visit-start' ? [event.nodeId] : []));
    expect(visited).toEqual(expect.arrayContaining(['mail', 'n', 'm2', 'm3', 'z']));
  });

  test('time in which only a person can go on does not count as wall time', async () => {
    const flow = { ...gate(), settings: { ...gate().settings, caps: { steps: 100, wallTimeMs: 1000, tokens: null, cost: null } } };
    const { driver, world, asks } = await begin(flow);
    await world.pass(10_000);
    const [ask] = asks();
    if (!ask) throw new Error('no ask');
    await driver.answer(ask.askId, ask.hash, yes);
    await world.settle();
    expect((await driver.done).outcome).toBe('succeeded');
  });

  test('a breakpoint stops before its node, steps once, and goes on', async () => {
    const flow = draw({ nodes: { s: 'start', a: 'step', b: 'step', c: 'step', z: 'end' }, edges: ['s>a', 'a>b', 'b>c', 'c>z'] });
    const world = new TestWorld();
    const driver = new RunDriver(planOfDocument(flow), world.host(), 'run');
    await driver.start(startWith(1, { options: { pins: {}, seedOutputs: {}, breakpoints: ['a'] } }));
    const stops: string[] = [];
    for (const choice of ['step', 'continue']) {
      await world.settle();
      const open = world.events.findLast((event) => event.kind === 'ask-open');
      if (open?.kind !== 'ask-open') throw new Error('did not stop');
      stops.push(open.nodeId ?? '');
      await driver.answer(open.askId, open.hash, { choice, by: 'person' });
    }
    await world.settle();
    expect(stops).toEqual(['a', 'b']);
    expect((await driver.done).outcome).toBe('succeeded');
  });
});
