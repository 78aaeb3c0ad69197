import { describe, expect, test } from 'vitest';
import { draw } from '../testing/draw';
import { runToEnd, shortTrace } from '../testing/test-host';

describe('one token', () => {
  test('a chain visits each node once, in order, and puts out what the end computes', async () => {
    const flow = draw({ nodes: { s: 'start', a: ['step', { value: 'received + 1' }], z: 'end' }, edges: ['s>a', 'a>z'] });
    const { end, world } = await runToEnd(flow, 41);
    expect(shortTrace(world.events)).toEqual(['s→next', 'a→next', 'z→', 'succeeded']);
    expect(end.output).toBe(42);
    expect(world.events.map((event) => event.seq)).toEqual(world.events.map((_, index) => index + 1));
  });

  test('a port without an edge ends the token, and a run that reached no output is incomplete and names it', async () => {
    const flow = draw({
      nodes: { s: 'start', b: ['branch', { when: 'received > 1' }], z: 'end' },
      edges: ['s>b', 'b.yes>z'],
    });
    const { end } = await runToEnd(flow, 0);
    expect(end.outcome).toBe('incomplete');
    expect(end.unreached).toEqual(['z']);
  });

  test('an output that is required and never ran keeps the run from success (BR-41)', async () => {
    const flow = draw({
      nodes: { s: 'start', b: ['branch', { when: 'received' }], y: 'end', n: ['end', { required: true }] },
      edges: ['s>b', 'b.yes>y', 'b.no>n'],
    });
    expect((await runToEnd(flow, true)).end).toMatchObject({ outcome: 'incomplete', unreached: ['n'] });
    expect((await runToEnd(flow, false)).end.outcome).toBe('succeeded');
  });

  test('a disabled node in the middle passes its token through its first port (BR-31)', async () => {
    const flow = draw({ nodes: { s: 'start', f: 'fail', z: 'end' }, edges: ['s>f', 'f>z'] });
    const disabled = { ...flow, nodes: flow.nodes.map((node) => (node.id === 'f' ? { ...node, disabled: true } : node)) };
    const { end, world } = await runToEnd(disabled, 'through');
    expect(end.output).toBe('through');
    expect(shortTrace(world.events)).toContain('f(disabled)→next');
  });
});

describe('loops', () => {
  const counting = (cap: number, until: number) =>
    draw({
      nodes: { s: 'start', a: ['step', { value: 'received + 1' }], b: ['branch', { when: `received >= ${until}` }], z: 'end' },
      edges: ['s>a', 'a>b', 'b.yes>z', `b.no>a*${cap}`],
    });

  test('a loop goes round until its condition holds', async () => {
    expect((await runToEnd(counting(25, 10), 0)).end).toMatchObject({ outcome: 'succeeded', output: 10 });
  });

  test('a loop that would never end stops at its cap with the cap named, and the trace so far stays (BR-38)', async () => {
    const { end, world } = await runToEnd(counting(3, 1000), 0);
    expect(end.outcome).toBe('limit');
    const limit = world.events.find((event) => event.kind === 'limit-reached');
    expect(limit).toMatchObject({ cap: 'loop edge from "b"', limit: 3 });
    expect(limit?.kind === 'limit-reached' && limit.message).toContain('Raise');
    expect(world.events.filter((event) => event.kind === 'visit-end' && event.nodeId === 'a')).toHaveLength(4);
  });

  test('the step cap stops two agents that hand to each other for ever (BR-38)', async () => {
    const flow = draw({
      nodes: { s: 'start', a: 'step', b: 'step', z: 'end', c: ['branch', { when: 'false' }] },
      edges: ['s>a', 'a>b', 'b>c', 'c.no>a*100000', 'c.yes>z'],
      caps: { steps: 50 },
    });
    const { end, world } = await runToEnd(flow, 0);
    expect(end.outcome).toBe('limit');
    expect(end.usage.steps).toBe(50);
    expect(world.events.find((event) => event.kind === 'limit-reached')).toMatchObject({ cap: 'steps', limit: 50 });
  });
});

describe('failures', () => {
  test('a failure without an error edge ends its token, the others finish, and the run is failed (BR-50)', async () => {
    const flow = draw({ nodes: { s: 'start', f: 'fail', after: 'step', ok: 'step', z: 'end' }, edges: ['s>f', 's>ok', 'f>after', 'ok>z'] });
    const { end, world } = await runToEnd(flow, 'x');
    expect(end).toMatchObject({ outcome: 'failed', output: 'x', error: { code: 'TEST_FAILURE' } });
    const visited = world.events.flatMap((event) => (event.kind === 'visit-start' ? [event.nodeId] : []));
    expect(visited).not.toContain('after');
    expect(visited).toContain('z');
  });

  test('an edge from the error port catches the failure with what went wrong', async () => {
    const flow = draw({
      nodes: { s: 'start', f: 'fail', z: ['end', { value: 'received.error.code' }] },
      edges: ['s>f', 'f>z', 'f.error>z'],
    });
    expect((await runToEnd(flow)).end).toMatchObject({ outcome: 'succeeded', output: 'TEST_FAILURE' });
  });
});
