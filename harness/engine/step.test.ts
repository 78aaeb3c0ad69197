import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draw } from '../testing/draw';
import { planOfDocument, startWith } from '../testing/test-host';
import { testCatalogue } from '../testing/test-runtime';
import { advance } from './advance';
import type { EngineInput } from './inputs';
import { newSnapshot, type RunSnapshot } from './snapshot';
import { step } from './step';

const plan = planOfDocument(
  draw({
    nodes: { s: 'start', f: ['fork', { branches: ['a', 'b'] }], a: 'step', b: ['branch', { when: 'true' }], j: 'join', z: 'end' },
    edges: ['s>f', 'f.a>a', 'f.b>b', 'a>j', 'b.yes>j', 'b.no>b*5', 'j>z'],
  }),
);
const program = { plan, channels: testCatalogue.channels };

/** Some input that the snapshot could be given next, chosen by a number. */
function nextInput(snapshot: RunSnapshot, choice: number): EngineInput {
  const at = snapshot.lastAt + (choice % 7);
  if (snapshot.status === 'new') return { kind: 'start', at, start: startWith(choice) };
  const visits = Object.values(snapshot.visits);
  const visit = visits[choice % Math.max(1, visits.length)];
  if (!visit || choice % 31 === 0) return { kind: 'cancel', at, by: 'person' };
  const base = { at, visit: visit.id, notes: [] };
  if (choice % 11 === 0) return { kind: 'visit-failed', ...base, error: { code: 'X', kind: 'user', message: 'x' } };
  const node = plan.nodes[visit.node];
  const ports = node?.role === 'fork' ? node.ports.slice(0, 2) : (node?.ports.slice(choice % 2, (choice % 2) + 1) ?? []);
  return { kind: 'visit-done', ...base, ports: ports.length > 0 ? ports : null, output: choice, writes: {} };
}

const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

test('step leaves what it is given untouched and is the same as advance on a copy (a run that changes its own past)', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { maxLength: 40 }), (choices) => {
      let snapshot = newSnapshot('run');
      const owned = newSnapshot('run');
      for (const choice of choices) {
        const input = nextInput(snapshot, choice);
        const before = plain(snapshot);
        const taken = step(program, snapshot, input);
        expect(plain(snapshot)).toEqual(before);
        const advanced = advance(program, owned, input);
        expect(taken.events).toEqual(advanced.events);
        expect(taken.effects).toEqual(advanced.effects);
        expect(plain(taken.snapshot)).toEqual(plain(owned));
        snapshot = taken.snapshot;
      }
    }),
    { verbose: 1 },
  );
});
