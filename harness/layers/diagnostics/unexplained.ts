import type { TaskGraph } from '../planning/state';
import type { Observation, WorldModel } from '../world-model/state';

const executionId = /^(?:exec|result|not-done)-(.+)-\d+$/;

const taskOf = (observation: Observation): string | undefined => observation.task_id ?? executionId.exec(observation.id)?.[1];

/** Observations that no belief derives from and no completed task accounts for (D1). */
export function unexplainedObservations(model: WorldModel, graph: TaskGraph): Observation[] {
  if (model.observations.length === 0) return [];
  const complete = new Set<string>();
  for (const { id, status } of graph.tasks) if (status === 'COMPLETE') complete.add(id);
  // Most observations belong to finished tasks; beliefs are only gone through for the rest.
  const open = model.observations.filter((observation) => !complete.has(taskOf(observation) ?? ''));
  if (open.length === 0) return open;
  const used = new Set<string>();
  for (const { derived_from, supporting_evidence } of model.beliefs) {
    for (const id of derived_from) used.add(id);
    for (const id of supporting_evidence) used.add(id);
  }
  return open.filter(({ id }) => !used.has(id));
}
