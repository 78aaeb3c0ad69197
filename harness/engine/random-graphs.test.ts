import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compile } from '../compiler/compile';
import { draw } from '../testing/draw';
import { startWith, TestWorld, testHash } from '../testing/test-host';
import { testRuntime } from '../testing/test-runtime';
import { RunDriver } from './driver';

const nodeSpec = fc.oneof(
  fc.constant('step'),
  fc.constant(['branch', { when: 'size(nodes["n0"].list) < 1' }] as [string, Record<string, string>]),
  fc.constant('fork'),
  fc
    .record({ mode: fc.constantFrom('all', 'any', 'n'), count: fc.constantFrom(1, 2), losers: fc.constantFrom('cancel', 'finish') })
    .map((config) => ['join', config] as [string, Record<string, string | number>]),
  fc.constant(['nap', { ms: 5 }] as [string, Record<string, number>]),
);
const portsOf = { step: ['next'], branch: ['yes', 'no'], fork: ['a', 'b'], join: ['next'], nap: ['next'] };

const graph = fc.array(nodeSpec, { minLength: 4, maxLength: 10 }).chain((specs) => {
  const lines = specs.flatMap((spec, index) => {
    const type = typeof spec === 'string' ? spec : spec[0];
    // the type is one of the keys above
    const ports = portsOf[type as keyof typeof portsOf];
    return ports.map((port) =>
      fc.record({ target: fc.integer({ min: 0, max: specs.length }), cap: fc.integer({ min: 1, max: 3 }) }).map(({ target, cap }) => {
        const to = target === specs.length ? 'z' : `n${target}`;
        return `n${index}.${port}>${to}${target <= index ? `*${cap}` : ''}`;
      }),
    );
  });
  return fc.tuple(...lines).map((edges) => ({
    nodes: { s: 'start', ...Object.fromEntries(specs.map((spec, index) => [`n${index}`, spec])), z: 'end' },
    edges: ['s>n0', ...edges],
  }));
});

test('a flow drawn without any order hung for ever, or fired a join for nothing', async () => {
  let ran = 0;
  await fc.assert(
    fc.asyncProperty(graph, async ({ nodes, edges }) => {
      // draw takes tuples and texts alike
      const document = draw({ nodes: nodes as Parameters<typeof draw>[0]['nodes'], edges, caps: { steps: 300 } });
      const { plan } = compile(document, { catalogue: testRuntime.catalogue, hash: testHash });
      if (plan === null) return;
      ran += 1;
      const world = new TestWorld();
      const driver = new RunDriver(plan, world.host(), 'run');
      await driver.start(startWith({ list: [] }));
      for (let round = 0; round < 400 && driver.snapshot.status === 'running'; round += 1) {
        await world.settle();
        // the wall-time cap is an hour away: whoever needs it to end would have waited for ever
        const next = world.clock.untilNext();
        if (next === null || next > 60_000) break;
        world.clock.advance(next);
      }
      await world.settle();
      expect(driver.snapshot.status).not.toBe('running');
    }),
    { numRuns: 150 },
  );
  expect(ran).toBeGreaterThan(20);
});
