import { unexpectedError } from '../contract/errors';
import type { ControlState } from './control-state/state';
import { type Diagnostics, dimensionNames, healthOf } from './diagnostics/state';
import type { TaskGraph } from './planning/state';
import { taskById } from './planning/state';
import type { WorldModel } from './world-model/state';

const broken = (number: string, what: string) => unexpectedError(`INV_${number}`, `INV-${number}: ${what}`);

/** Before and after of a write, as far as the run-time assertions look at it (layers.md R13). */
export interface InvariantInput {
  before: { worldModel?: WorldModel; taskGraph?: TaskGraph };
  after: { worldModel?: WorldModel; taskGraph?: TaskGraph; diagnostics?: Diagnostics };
  /** True for the reviewer, the only one that may open finished tasks again. */
  mayReopen?: boolean;
}

/** Throws `INV_<number>` with the broken invariant: 01 beliefs derive from something, 02 dimensions in [0, 1], 03 generation grows. */
export function assertInvariants({ before, after, mayReopen = false }: InvariantInput): void {
  if (after.worldModel) {
    const known = new Set(before.worldModel?.beliefs.map(({ id }) => id));
    const rootless = after.worldModel.beliefs.find(({ id, derived_from }) => derived_from.length === 0 && !known.has(id));
    if (rootless) throw broken('01', `belief "${rootless.id}" derives from nothing`);
    const observed = new Set(after.worldModel.observations.map(({ id }) => id));
    const both = after.worldModel.beliefs.find(({ id }) => observed.has(id));
    if (both) throw broken('01', `"${both.id}" is both an observation and a belief`);
    const previous = before.worldModel?.generation_id ?? 0;
    if (after.worldModel.generation_id < previous)
      throw broken('03', `the generation fell from ${previous} to ${after.worldModel.generation_id}`);
  }
  if (after.diagnostics) {
    const health = healthOf(after.diagnostics);
    const outside = dimensionNames.find((name) => !(health[name] >= 0 && health[name] <= 1));
    if (outside) throw broken('02', `${outside} is ${health[outside]}, outside 0 to 1`);
  }
  if (before.taskGraph && after.taskGraph && !mayReopen) {
    const next = after.taskGraph;
    const undone = before.taskGraph.tasks.find(
      ({ id, status }) => status === 'COMPLETE' && (taskById(next, id)?.status ?? 'COMPLETE') !== 'COMPLETE',
    );
    if (undone) throw broken('17', `finished task "${undone.id}" was moved to ${taskById(next, undone.id)?.status ?? 'nothing'}`);
  }
}

/** INV-03: an action is chosen on a control state that has seen the world model as it is. */
export function assertPinned(control: ControlState, worldModel: WorldModel): void {
  if (control.generation_id >= worldModel.generation_id) return;
  throw broken('03', `control state of generation ${control.generation_id} is behind world model generation ${worldModel.generation_id}`);
}

/** INV-15: every execution is covered by a recorded gate decision, fresh or replayed. */
export function assertGated(taskId: string, passed: readonly { taskId: string; result: string }[]): void {
  if (passed.some((gate) => gate.taskId === taskId && gate.result === 'PASS')) return;
  throw broken('15', `task "${taskId}" was executed without a gate that let it pass`);
}
