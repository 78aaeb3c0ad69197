import type { ReliabilityLevel } from '@/harness/layers/shared/levels';
import { believes, type Inference, type Known, pathsBehind } from '@/harness/layers/world-model/take-in';
import type { ControlChannels } from '../support/state';
import type { Fact } from './extract';

const stated: Record<'high' | 'medium' | 'low', ReliabilityLevel> = { high: 'HIGH', medium: 'MEDIUM', low: 'LOW' };

/** Facts that the message of the turn states. What they derive from is the message itself, on record as `message`. */
export const statedFacts = (state: ControlChannels, at: string): Inference[] =>
  (state.turnPolicy?.statesDurableFacts ?? []).map(({ fact, confidence }, index) => ({
    id: `fact-message-${index}`,
    source: 'fact_extraction',
    reliability: stated[confidence],
    freshness: at,
    belief: { statement: fact, derived_from: [messageId] },
  }));

export const messageId = 'message';

/** “Completed: …” of each finished task that has its evidence and no belief of its own yet (layers.md R2). */
export function trailOf(
  state: ControlChannels,
  known: Known,
  options: { mode: 'reference' | 'always' | 'never'; reliability: ReliabilityLevel; at: string },
): Inference[] {
  const { taskGraph, goal, taskResults } = state;
  if (options.mode === 'never') return [];
  if (options.mode === 'reference' && taskGraph.tasks.length <= 1 && goal.risk === 'LOW') return [];
  const evidence = new Set(known.store.observations.map(({ id }) => id));
  const believed = believes(known.worldModel);
  const tasks = new Map(taskGraph.tasks.map((task) => [task.id, task]));
  return Object.entries(taskResults).flatMap(([id, { status, step }]): Inference[] => {
    const exec = `exec-${id}-${step}`;
    const belief = `belief-${id}-${step}`;
    if (status !== 'done' || !evidence.has(exec) || evidence.has(belief)) return [];
    const task = tasks.get(id);
    if (!task || believed(`Completed: ${task.description}`)) return [];
    if (options.mode === 'reference' && hasFact(known, id, step)) return [];
    const result = `result-${id}-${step}`;
    return [
      {
        id: belief,
        source: 'world_model_trail',
        reliability: options.reliability,
        freshness: options.at,
        task_id: id,
        belief: { statement: `Completed: ${task.description}`, derived_from: evidence.has(result) ? [exec, result] : [exec] },
      },
    ];
  });
}

const hasFact = ({ store }: Known, taskId: string, step: number): boolean => {
  const prefix = `fact-${taskId}-${step}-`;
  return store.observations.some(({ id }) => id.startsWith(prefix));
};

/** Facts that a model read out of evidence, with ids that are not taken. Their paths make them stale when a file they rest on changes. */
export function extractedFacts(
  facts: readonly Fact[],
  known: Known,
  options: { taskId: string; step: number; reliability: ReliabilityLevel; at: string },
): Inference[] {
  const { taskId, step, reliability, at } = options;
  const prefix = `fact-${taskId}-${step}-`;
  const taken = known.store.observations.filter(({ id }) => id.startsWith(prefix)).length;
  return facts.map(({ statement, evidence_ids }, index) => ({
    id: `${prefix}${taken + index}`,
    source: 'fact_extraction',
    reliability,
    freshness: at,
    task_id: taskId,
    belief: { statement, derived_from: evidence_ids, supporting_evidence: pathsBehind(known.store, evidence_ids) },
  }));
}
