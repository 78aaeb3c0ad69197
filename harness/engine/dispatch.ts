import type { Dispatch } from '../contract/execute';
import type { Json } from '../contract/json';
import { patchesBetween } from '../state/patch';
import { withdraw } from './arrive';
import { channelsAt } from './branches';
import { limitReached } from './finish';
import { scopeOf, targetsOf } from './plan-lookup';
import type { Visit } from './snapshot';
import type { Turn } from './turn';

interface SendOut {
  dispatch: Dispatch[];
  write: (scope: string, change: { id: string; value: Json }) => void;
}

/**
 * A visit ends with several tokens, each a branch with channels and outputs of its own (layers.md R7: the pair of tasks that may run side
 * by side). A loop edge that is spent ends the run, as it does for a single token.
 */
export function sendOut(turn: Turn, visit: Visit, { dispatch, write }: SendOut): void {
  const node = turn.nodeOf(visit);
  const scope = scopeOf(turn.snapshot, visit.scope);
  const first = turn.snapshot.counters.scope + 1;
  const branches = dispatch.map(({ port, output }, index) => ({
    scope: `s${first + index}`,
    port,
    edges: targetsOf(node, port).map(({ edge }) => edge),
    output: output ?? null,
  }));
  const targets = dispatch.flatMap(({ port }) => targetsOf(node, port));
  const spent = targets.find((target) => target.loop !== undefined && (scope.traversals[target.edge] ?? 0) >= target.loop.max);
  const place = turn.place(visit);
  withdraw(turn, visit);
  if (!spent) turn.emit({ kind: 'branches-open', ...place, branches });
  if (!spent) {
    dispatch.forEach(({ writes }, index) => {
      for (const [id, value] of Object.entries(writes ?? {})) write(`s${first + index}`, { id, value });
    });
  }
  turn.emit({
    kind: 'visit-end',
    ...place,
    outcome: 'done',
    ports: dispatch.map(({ port }) => port),
    edges: [],
    output: dispatch.map(({ output }) => output ?? null),
    durationMs: turn.at - visit.startedAt,
  });
  const max = spent?.loop?.max ?? 0;
  if (spent) limitReached(turn, `loop edge from "${node.label}"`, max, max);
}

/** What branches wrote and their merging node said nothing of is not lost: the later branch wins. */
export function settleBranches(turn: Turn, visit: Visit, writes: Record<string, Json>): void {
  for (const id of visit.merged ?? []) {
    const branch = scopeOf(turn.snapshot, id).branch;
    for (const channel of branch?.touched ?? []) {
      if (Object.hasOwn(writes, channel)) continue;
      const patches = patchesBetween(channelsAt(turn.snapshot, visit.scope)[channel] ?? null, branch?.channels[channel] ?? null);
      if (patches.length > 0) turn.emit({ kind: 'state-patch', ...turn.place(visit), channel, patches });
    }
  }
}
