import { describe, expect, test } from 'vitest';
import { draw } from '../testing/draw';
import { planOfDocument, reply, runToEnd, shortTrace, startWith, TestWorld } from '../testing/test-host';
import { channelsAt } from './branches';
import { RunDriver } from './driver';

const visits = (trace: string[], node: string) => trace.filter((line) => line.replace(/^s\d+:/, '').startsWith(`${node}→`)).length;

/** Runs to the end while time goes by. */
async function runOn(flow: Parameters<typeof planOfDocument>[0]) {
  const world = new TestWorld();
  const driver = new RunDriver(planOfDocument(flow), world.host(), 'run');
  await driver.start(startWith(null));
  for (let round = 0; round < 20 && driver.snapshot.status === 'running'; round += 1) {
    await world.settle();
    await world.pass(5);
  }
  return { world, end: await driver.done };
}

describe('branches of a dispatch', () => {
  test('walk the same nodes with outputs and channels of their own (the second token sees what the first one got)', async () => {
    const flow = draw({
      nodes: {
        s: 'start',
        d: ['send', { items: ['a', 'b'] }],
        n: ['nap', { ms: 5 }],
        w: ['step', { value: '[received, d, state.log]' }],
        m: 'merge',
        z: 'end',
      },
      edges: ['s>d', 'd>n', 'n>w', 'w>m', 'm>z'],
    });
    const { end, world } = await runOn(flow);
    expect(end.output).toEqual([
      { received: ['a', 'a', ['a']], log: ['a'] },
      { received: ['b', 'b', ['b']], log: ['b'] },
    ]);
    expect(visits(shortTrace(world.events), 'm')).toBe(1);
  });

  test('are both under way at once, not one after the other', async () => {
    const flow = draw({
      nodes: { s: 'start', d: 'send', t: ['think', { prompt: '{{received}}' }], m: 'merge', z: 'end' },
      edges: ['s>d', 'd>t', 't>m', 'm>z'],
    });
    const world = new TestWorld();
    let open = 0;
    let most = 0;
    const release: (() => void)[] = [];
    world.answer = async (request) => {
      open += 1;
      most = Math.max(most, open);
      await new Promise<void>((resolve) => release.push(resolve));
      open -= 1;
      return reply(`${request.messages.at(-1)?.content}!`);
    };
    const driver = new RunDriver(planOfDocument(flow), world.host(), 'run');
    await driver.start(startWith(null));
    await world.settle();
    expect(most).toBe(2);
    for (const go of release) go();
    expect((await driver.done).output).toMatchObject([{ received: 'a!' }, { received: 'b!' }]);
  });

  test('what they wrote and the merging node did not settle is kept, the later branch winning (a branch whose work is dropped)', async () => {
    const flow = draw({
      nodes: { s: 'start', d: 'send', m: 'merge', w: ['step', { value: 'state.log' }], z: 'end' },
      edges: ['s>d', 'd>m', 'm>w', 'w>z'],
    });
    expect((await runToEnd(flow)).end.output).toEqual(['b']);
  });

  test('the merging node writes where the dispatch stood, over what the branches left', async () => {
    const flow = draw({
      nodes: { s: 'start', d: 'send', m: ['merge', { write: true }], w: ['step', { value: 'state.log' }], z: 'end' },
      edges: ['s>d', 'd>m', 'm>w', 'w>z'],
    });
    expect((await runToEnd(flow)).end.output).toEqual(['merged']);
  });

  test('one that ends elsewhere does not keep the merge waiting (a run that hangs after a halt)', async () => {
    const flow = draw({
      nodes: {
        s: 'start',
        d: 'send',
        n: ['nap', { ms: 5 }],
        i: ['branch', { when: 'received == "b"' }],
        x: ['end', { value: '"left early"' }],
        m: 'merge',
        z: 'end',
      },
      edges: ['s>d', 'd>n', 'n>i', 'i.yes>x', 'i.no>m', 'm>z'],
    });
    const { end } = await runOn(flow);
    expect(end.outcome).toBe('succeeded');
    expect(end.output).toEqual({
      x: 'left early',
      z: [
        { received: 'a', log: ['a'] },
        { received: null, log: ['b'] },
      ],
    });
  });

  test('a token that was not dispatched passes the merging node by itself', async () => {
    const flow = draw({ nodes: { s: 'start', m: 'merge', z: 'end' }, edges: ['s>m', 'm>z'] });
    expect((await runToEnd(flow, 'x')).end.output).toEqual({ alone: 'x', log: [] });
    const single = draw({ nodes: { s: 'start', d: ['send', { items: ['only'] }], m: 'merge', z: 'end' }, edges: ['s>d', 'd>m', 'm>z'] });
    expect((await runToEnd(single)).end.output).toEqual({ alone: 'only', log: ['only'] });
  });

  test('nest, and a loop goes round with a new pair each time', async () => {
    const flow = draw({
      nodes: {
        s: 'start',
        d: 'send',
        e: ['send', { items: ['x', 'y'] }],
        inner: 'merge',
        outer: 'merge',
        i: ['branch', { when: 'run.visit < 3' }],
        z: ['end', { value: 'outer' }],
      },
      edges: ['s>d', 'd>e', 'e>inner', 'inner>outer', 'outer>i', 'i.yes>d*5', 'i.no>z'],
    });
    const { end, world } = await runToEnd(flow);
    const pair = (name: string) => ['x', 'y'].map((item) => ({ received: item, log: expect.arrayContaining([name, item]) }));
    expect(end.output).toMatchObject([{ received: pair('a') }, { received: pair('b') }]);
    expect(visits(shortTrace(world.events), 'inner')).toBe(6);
    expect(visits(shortTrace(world.events), 'outer')).toBe(3);
  });

  test('stand inside the bodies of a map, each with its item', async () => {
    const flow = draw({
      nodes: {
        s: 'start',
        c: ['map', { list: '[1, 2]', concurrency: 2 }],
        d: ['send', { items: ['a', 'b'] }, 'c'],
        n: ['nap', { ms: 5 }, 'c'],
        w: ['step', { value: '[item, received]' }, 'c'],
        m: ['merge', {}, 'c'],
        z: 'end',
      },
      edges: ['s>c', 'd>n', 'n>w', 'w>m', 'c>z'],
    });
    expect((await runOn(flow)).end.output).toMatchObject([
      [{ received: [1, 'a'] }, { received: [1, 'b'] }],
      [{ received: [2, 'a'] }, { received: [2, 'b'] }],
    ]);
  });

  test('a cancelled run ends both, and a disabled merging node still takes them in', async () => {
    const hanging = draw({ nodes: { s: 'start', d: 'send', h: 'hang', m: 'merge', z: 'end' }, edges: ['s>d', 'd>h', 'h>m', 'm>z'] });
    const world = new TestWorld();
    const driver = new RunDriver(planOfDocument(hanging), world.host(), 'run');
    await driver.start(startWith(null));
    await world.settle();
    expect(Object.keys(driver.snapshot.visits)).toHaveLength(2);
    await driver.cancel('person');
    expect((await driver.done).outcome).toBe('cancelled');

    const off = draw({ nodes: { s: 'start', d: 'send', m: 'merge', z: 'end' }, edges: ['s>d', 'd>m', 'm>z'] });
    const document = { ...off, nodes: off.nodes.map((node) => (node.id === 'm' ? { ...node, disabled: true } : node)) };
    const passed = await runToEnd(document);
    expect(passed.end).toMatchObject({ outcome: 'succeeded', output: 'b' });
    expect(visits(shortTrace(passed.world.events), 'z')).toBe(1);
  });

  test('leave nothing behind in the snapshot (a run of many pairs that grows)', async () => {
    const flow = draw({ nodes: { s: 'start', d: 'send', m: 'merge', z: 'end' }, edges: ['s>d', 'd>m', 'm>z'] });
    const world = new TestWorld();
    const driver = new RunDriver(planOfDocument(flow), world.host(), 'run');
    await driver.start(startWith(null));
    await driver.done;
    expect(Object.keys(driver.snapshot.scopes)).toEqual(['']);
    expect(channelsAt(driver.snapshot, '')).toEqual(driver.snapshot.channels);
  });
});

describe('the inbox', () => {
  test('gives each message out once, in order (a correction that is applied twice)', async () => {
    const flow = draw({ nodes: { s: 'start', a: 'inbox', b: 'inbox', z: ['end', { value: '[a, b]' }] }, edges: ['s>a', 'a>b', 'b>z'] });
    const world = new TestWorld();
    const messages = [
      { id: 'm1', text: 'first', at: 1 },
      { id: 'm2', text: 'later: second', at: 2 },
    ];
    const host = world.host();
    const driver = new RunDriver(planOfDocument(flow), { ...host, inbox: async () => [...messages] }, 'run');
    await driver.start(startWith(null));
    const end = await driver.done;
    expect(end.output).toEqual([['first', 'later: second'], []]);
    // what is handed back is not counted as taken up
    expect(end.inbox).toEqual(['m1']);
  });
});
