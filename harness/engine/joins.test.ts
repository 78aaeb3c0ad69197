import { describe, expect, test } from 'vitest';
import { draw } from '../testing/draw';
import { planOfDocument, runToEnd, shortTrace, startWith, TestWorld } from '../testing/test-host';
import { RunDriver } from './driver';

const visits = (trace: string[], node: string) => trace.filter((line) => line.startsWith(`${node}→`)).length;

describe('joins collect the live tokens of the fork they close', () => {
  test('two edges from one port fork the token, and the join collects both once', async () => {
    const flow = draw({
      nodes: { s: 'start', a: ['step', { value: '"A"' }], b: ['step', { value: '"B"' }], j: 'join', z: 'end' },
      edges: ['s>a', 's>b', 'a>j', 'b>j', 'j>z'],
    });
    const { end, world } = await runToEnd(flow);
    expect(end.output).toEqual({ a: 'A', b: 'B' });
    expect(visits(shortTrace(world.events), 'j')).toBe(1);
  });

  test.each([true, false])('an alternative that is not taken is no reason to wait: condition %s (BR-40)', async (taken) => {
    const flow = draw({
      nodes: { s: 'start', i: ['branch', { when: 'received' }], a: 'step', j: 'join', z: 'end' },
      edges: ['s>i', 'i.yes>a', 'a>j', 'i.no>j', 'j>z'],
    });
    const { end, world } = await runToEnd(flow, taken);
    expect(end.outcome).toBe('succeeded');
    expect(visits(shortTrace(world.events), 'j')).toBe(1);
  });

  test('a branch that ends on the way counts as resolved, even when the other came first', async () => {
    const flow = draw({
      nodes: { s: 'start', a: 'step', n: ['nap', { ms: 10 }], d: ['branch', { when: 'false' }], x: 'step', j: 'join', z: 'end' },
      edges: ['s>a', 's>n', 'a>j', 'n>d', 'd.yes>x', 'x>j', 'j>z'],
    });
    const { driver, world } = await start(flow);
    expect(driver.snapshot.status).toBe('running');
    await world.pass(10);
    expect((await driver.done).outcome).toBe('succeeded');
  });

  test('a failed branch counts as resolved too, and the run still tells the failure', async () => {
    const flow = draw({
      nodes: { s: 'start', a: ['step', { value: '1' }], f: 'fail', j: 'join', z: 'end' },
      edges: ['s>a', 's>f', 'a>j', 'f>j', 'j>z'],
    });
    expect((await runToEnd(flow)).end).toMatchObject({ outcome: 'failed', output: { a: 1 } });
  });

  test('forks nest: the inner join closes the inner fork, the outer one waits for both sides', async () => {
    const flow = draw({
      nodes: {
        s: 'start',
        f: ['fork', { branches: ['l', 'r'] }],
        g: ['fork', { branches: ['x', 'y'] }],
        x: ['step', { value: '"x"' }],
        y: ['step', { value: '"y"' }],
        inner: 'join',
        r: ['step', { value: '"r"' }],
        outer: 'join',
        z: 'end',
      },
      edges: ['s>f', 'f.l>g', 'g.x>x', 'g.y>y', 'x>inner', 'y>inner', 'inner>outer', 'f.r>r', 'r>outer', 'outer>z'],
    });
    const { end, world } = await runToEnd(flow);
    expect(end.output).toEqual({ inner: { x: 'x', y: 'y' }, r: 'r' });
    expect(visits(shortTrace(world.events), 'outer')).toBe(1);
  });

  test('an inner fork without a join of its own brings all its tokens to the outer join', async () => {
    const flow = draw({
      nodes: {
        s: 'start',
        f: ['fork', { branches: ['l', 'r'] }],
        g: ['fork', { branches: ['x', 'y'] }],
        x: 'step',
        y: 'step',
        r: 'step',
        j: 'join',
        z: 'end',
      },
      edges: ['s>f', 'f.l>g', 'g.x>x', 'g.y>y', 'x>j', 'y>j', 'f.r>r', 'r>j', 'j>z'],
    });
    const { end, world } = await runToEnd(flow, 7);
    expect(end.output).toEqual({ x: 7, y: 7, r: 7 });
    expect(visits(shortTrace(world.events), 'j')).toBe(1);
  });

  test('a join of some branches leaves the rest to the next join', async () => {
    const flow = draw({
      nodes: { s: 'start', f: ['fork', { branches: ['a', 'b', 'c'] }], a: 'step', b: 'step', c: 'step', j: 'join', k: 'join', z: 'end' },
      edges: ['s>f', 'f.a>a', 'f.b>b', 'f.c>c', 'a>j', 'b>j', 'j>k', 'c>k', 'k>z'],
    });
    const { end, world } = await runToEnd(flow, 1);
    expect(end.output).toEqual({ j: { a: 1, b: 1 }, c: 1 });
    expect(visits(shortTrace(world.events), 'k')).toBe(1);
  });

  test('any: the first to come fires the join and the others are cancelled', async () => {
    const flow = draw({
      nodes: { s: 'start', q: 'step', n: ['nap', { ms: 1000 }], j: ['join', { mode: 'any' }], z: 'end' },
      edges: ['s>q', 's>n', 'q>j', 'n>j', 'j>z'],
    });
    const { end, world } = await runToEnd(flow, 'quick');
    expect(end).toMatchObject({ outcome: 'succeeded', output: { q: 'quick' } });
    expect(shortTrace(world.events)).toContain('n(cancelled)→');
  });

  test('any with losers that finish: a late arrival is absorbed and what follows runs once', async () => {
    const flow = draw({
      nodes: { s: 'start', q: 'step', n: ['nap', { ms: 5 }], j: ['join', { mode: 'any', losers: 'finish' }], z: 'end' },
      edges: ['s>q', 's>n', 'q>j', 'n>j', 'j>z'],
    });
    const { driver, world } = await start(flow);
    await world.pass(5);
    expect((await driver.done).outcome).toBe('succeeded');
    expect(visits(shortTrace(world.events), 'z')).toBe(1);
    expect(shortTrace(world.events).some((line) => line.endsWith(':absorbed'))).toBe(true);
  });

  test('n: waits for that many, and for fewer when no more can come', async () => {
    const flow = (dead: boolean) =>
      draw({
        nodes: {
          s: 'start',
          a: 'step',
          b: ['branch', { when: String(!dead) }],
          c: ['branch', { when: 'false' }],
          x: 'step',
          j: ['join', { mode: 'n', count: 2 }],
          z: 'end',
        },
        edges: ['s>a', 's>b', 's>c', 'a>j', 'b.yes>x', 'x>j', 'c.yes>x', 'j>z'],
      });
    expect(Object.keys(Object((await runToEnd(flow(false), 1)).end.output))).toEqual(['a', 'x']);
    expect(Object.keys(Object((await runToEnd(flow(true), 1)).end.output))).toEqual(['a']);
  });

  test('a fork inside a loop joins anew every time round', async () => {
    const flow = draw({
      nodes: {
        s: 'start',
        f: ['fork', { branches: ['a', 'b'] }],
        a: ['step', { value: '1' }],
        b: ['step', { value: '2' }],
        j: 'join',
        c: ['branch', { when: 'run.visit >= 3' }],
        z: 'end',
      },
      edges: ['s>f', 'f.a>a', 'f.b>b', 'a>j', 'b>j', 'j>c', 'c.yes>z', 'c.no>f*10'],
    });
    const { end, world } = await runToEnd(flow);
    expect(end.outcome).toBe('succeeded');
    expect(visits(shortTrace(world.events), 'j')).toBe(3);
  });
});

async function start(flow: ReturnType<typeof draw>) {
  const world = new TestWorld();
  const driver = new RunDriver(planOfDocument(flow), world.host(), 'run');
  await driver.start(startWith('in'));
  await world.settle();
  return { driver, world };
}
