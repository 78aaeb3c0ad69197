import { expect, test } from 'vitest';
import { draw } from '../testing/draw';
import { runToEnd } from '../testing/test-host';

test('two joins, each with a way to the other, waited for one another for ever', async () => {
  const { end, world } = await runToEnd(
    draw({
      nodes: { s: 'start', f: 'fork', a: 'step', b: 'step', ja: 'join', jb: 'join', more: ['branch', { when: 'false' }], z: 'end' },
      edges: ['s>f', 'f.a>a', 'f.b>b', 'a>ja', 'ja>jb', 'b>jb', 'jb>more', 'more.yes>ja*2', 'more.no>z'],
    }),
    'in',
  );
  expect(end).toMatchObject({ outcome: 'succeeded', output: expect.anything() });
  expect(world.events.filter((event) => event.kind === 'visit-start' && event.nodeId === 'z')).toHaveLength(1);
});
