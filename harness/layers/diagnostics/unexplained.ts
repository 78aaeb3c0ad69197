import type { TaskGraph } from '../planning/state';
import type { Observation, WorldModel } from '../world-model/state';

const executionId = /^(?:exec|result|not-done)-(.+)-\d+$/;

const taskOf = (observation: Observation): string | undefined => observation.task_id ?? executionId.exec(observation.id)?.[1];

/** Observations that no belief derives from and no completed task accounts for (D1). */
export function unexplainedObservations(model: WorldModel, graph: TaskGraph): Observation[] {
  const used = new Set(model.beliefs.flatMap(({ derived_from, supporting_evidence }) => [...derived_from, ...supporting_evidence]));
  const complete = new Set(graph.tasks.filter(({ status }) => status === 'COMPLETE').map(({ id }) => id));
  return model.observations.filter((observation) => !used.has(observation.id) && !complete.has(taskOf(observation) ?? ''));
}
