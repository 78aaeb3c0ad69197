import { unexpectedError } from '@/harness/contract/errors';
import type { Json } from '@/harness/contract/json';
import { assertInvariants } from '@/harness/layers/invariants';
import type { Progress } from '../channels';
import { type ControlChannels, stateOf } from './state';

/** What a control node writes. Channels that merge take only the keys that change. */
export type ControlWrites = { [K in Exclude<keyof ControlChannels, 'progress'>]?: ControlChannels[K] } & { progress?: Partial<Progress> };

interface Writer {
  readonly state: Readonly<Record<string, Json>>;
  readonly node: { readonly type: string; readonly label: string };
}

/** The node types that alone may write a channel, with the number of the invariant (layers.md R13). */
const sole: Partial<Record<keyof ControlChannels, { by: readonly string[]; invariant: string }>> = {
  controlState: { by: ['control-state'], invariant: '06' },
  verdict: { by: ['reviewer-pass', 'control-state', 'merge-branches'], invariant: '18' },
};

/** Drawn over time, so that each visit leaves its point in the trace even when nothing moved; and what takes single keys anyway. */
const everyTime: readonly string[] = ['controlState', 'diagnostics', 'taskResults', 'conversation', 'progress'];

/** Only these may open finished tasks again: the reviewer, and the merge that carries its decision on. */
const reopeners: readonly string[] = ['reviewer-pass'];

/**
 * Channel writes of a control node, asserted against the run-time invariants of layers.md R13. Throws `INV_<number>` when one is broken.
 * Keys that are `undefined`, or hold what the channel holds already, are left out, but for `everyTime`.
 */
export function writesOf(writer: Writer, writes: ControlWrites): Record<string, Json> {
  const before = stateOf(writer);
  for (const [channel, { by, invariant }] of Object.entries(sole)) {
    if (channel in writes && writes[channel as keyof ControlWrites] !== undefined && !by.includes(writer.node.type)) {
      throw unexpectedError(
        `INV_${invariant}`,
        `INV-${invariant}: "${writer.node.label}" (${writer.node.type}) wrote ${channel}, which only ${by.join(' and ')} may write`,
      );
    }
  }
  assertInvariants({
    before: { worldModel: before.worldModel, taskGraph: before.taskGraph },
    after: {
      ...(writes.worldModel === undefined ? {} : { worldModel: writes.worldModel }),
      ...(writes.taskGraph === undefined ? {} : { taskGraph: writes.taskGraph }),
      ...(writes.diagnostics === undefined ? {} : { diagnostics: writes.diagnostics }),
    },
    mayReopen: reopeners.includes(writer.node.type),
  });
  const changed = Object.entries(writes).filter(
    ([channel, value]) => value !== undefined && (everyTime.includes(channel) || !same(value, before[channel as keyof ControlChannels])),
  );
  // every channel's value is plain JSON by its schema, which the engine checks once more
  return Object.fromEntries(changed) as Record<string, Json>;
}

/** Equal JSON. What both share is not looked into, so a copy with few changes is compared quickly. */
function same(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  // both are plain objects or lists here, whose values are read by key
  const [one, other] = [left as Record<string, unknown>, right as Record<string, unknown>];
  return keys.length === Object.keys(right).length && keys.every((key) => Object.hasOwn(right, key) && same(one[key], other[key]));
}
