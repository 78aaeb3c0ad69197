import { z } from 'zod';
import type { BeliefDepGraph } from '../belief-graph/state';
import type { Belief, WorldModel } from '../world-model/state';
import type { Finding } from './state';

const unit = (title: string, initial: number) => z.number().min(0).max(1).default(initial).meta({ title });

export const reviewerConfigSchema = z.object({
  weakBelow: unit('Confidence below which a belief is weak', 0.25),
  highFrom: unit('Confidence from which a contradicted belief is a finding', 0.8),
  priorAbove: unit('Class prior above which it is a finding', 0.5),
  proximityFrom: unit('Proximity from which a belief is attacked', 0.5),
  proximityCriterion: unit('Proximity of a belief that names a criterion', 1),
  proximityDerived: unit('Proximity of a derived belief', 0.6),
  proximityOther: unit('Proximity of any other belief', 0.1),
  maxSeeds: z.number().int().min(1).default(10).meta({ title: 'Beliefs attacked at most' }),
  maxHops: z.number().int().min(0).default(3).meta({ title: 'Hops along derivations' }),
  adversarialTasks: z.number().int().min(1).default(3).meta({ title: 'Tasks from which the adversarial lens runs at low risk' }),
  genericCriteria: z.array(z.string()).default(['respond helpfully']).meta({ title: 'Criteria that are not checked' }),
  reopenBy: z
    .enum(['taskIds', 'text'])
    .default('taskIds')
    .meta({ title: 'What reopens a task', description: 'text restores the reference: its id anywhere in a finding.' }),
});
export type ReviewerConfig = z.output<typeof reviewerConfigSchema>;
export const defaultReviewerConfig: ReviewerConfig = reviewerConfigSchema.parse({});
export const referenceReviewerConfig: ReviewerConfig = { ...defaultReviewerConfig, genericCriteria: [], reopenBy: 'text' };

/** Beliefs by the tasks they came from, as far as the observations they derive from tell. */
export function tasksOf(model: WorldModel, beliefIds: readonly string[]): string[] {
  const sources = new Set(
    model.beliefs
      .filter(({ id }) => beliefIds.includes(id))
      .flatMap(({ derived_from, supporting_evidence }) => [...derived_from, ...supporting_evidence]),
  );
  return [...new Set(model.observations.flatMap(({ id, task_id }) => (task_id !== undefined && sources.has(id) ? [task_id] : [])))];
}

/** Did it do what was asked: every criterion occurs in some belief, or a model check says that it is covered (layers.md R11). */
export function implementerFindings(
  model: WorldModel,
  criteria: readonly string[],
  covered: ReadonlySet<string>,
  config: ReviewerConfig,
): Finding[] {
  const statements = model.beliefs.map(({ statement }) => statement.toLowerCase());
  return criteria
    .filter((criterion) => !config.genericCriteria.includes(criterion.toLowerCase()) && !covered.has(criterion))
    .filter((criterion) => !statements.some((statement) => statement.includes(criterion.toLowerCase())))
    .map((criterion) => ({
      lens: 'implementer' as const,
      text: `Success criterion not covered by any belief: "${criterion}"`,
      taskIds: [],
    }));
}

/** Conflicts that are grave enough for a finding. */
export const severeConflicts = ({ contradictions }: WorldModel): WorldModel['contradictions'] =>
  contradictions.filter(({ severity }) => severity === 'HIGH' || severity === 'SYSTEM_BREAKING');

/** A second reading: severe conflicts still open, and beliefs that are mostly weak. */
export function reviewerFindings(model: WorldModel, config: ReviewerConfig): Finding[] {
  const severe = severeConflicts(model).map((contradiction) => ({
    lens: 'reviewer' as const,
    text: `Unresolved ${contradiction.severity} contradiction: ${contradiction.description}`,
    taskIds: tasksOf(model, contradiction.involved_belief_ids),
  }));
  const weak = model.beliefs.filter(({ confidence }) => confidence < config.weakBelow);
  if (weak.length <= model.beliefs.length / 2) return severe;
  return [
    ...severe,
    { lens: 'reviewer', text: `More than half of beliefs have LOW confidence (${weak.length}/${model.beliefs.length})`, taskIds: [] },
  ];
}

/** Beliefs near the goal, found from close ones along derivations in either direction. They are never stored (INV-09). */
export function adversarialSeeds(model: WorldModel, graph: BeliefDepGraph, criteria: readonly string[], config: ReviewerConfig): Belief[] {
  const wanted = criteria.map((criterion) => criterion.toLowerCase());
  const proximity = (belief: Belief): number => {
    const text = belief.statement.toLowerCase();
    if (wanted.some((criterion) => text.includes(criterion))) return config.proximityCriterion;
    return belief.derived_from.length > 0 ? config.proximityDerived : config.proximityOther;
  };
  const byId = new Map(model.beliefs.map((belief) => [belief.id, belief]));
  const queue = model.beliefs.filter((belief) => proximity(belief) >= config.proximityFrom).map(({ id }) => ({ id, hop: 0 }));
  const visited = new Set(queue.map(({ id }) => id));
  const seeds: Belief[] = [];
  for (const { id, hop } of queue) {
    if (seeds.length >= config.maxSeeds) break;
    const belief = byId.get(id);
    if (!belief) continue;
    seeds.push(belief);
    if (hop >= config.maxHops) continue;
    for (const { from, to } of graph.derived_from_edges) {
      const next = from === id ? to : to === id ? from : undefined;
      if (next === undefined || visited.has(next)) continue;
      visited.add(next);
      queue.push({ id: next, hop: hop + 1 });
    }
  }
  return seeds;
}

/** Tries to break it: strong beliefs that are contradicted, failure classes that are likely, executions whose adversarial check failed (D10). */
export function adversarialFindings(
  input: {
    model: WorldModel;
    graph: BeliefDepGraph;
    criteria: readonly string[];
    classPriors: Readonly<Record<string, number>>;
    failedTasks?: readonly string[];
  },
  config: ReviewerConfig,
): Finding[] {
  const contradicted = new Set(input.model.contradictions.flatMap(({ involved_belief_ids }) => involved_belief_ids));
  const attacked = adversarialSeeds(input.model, input.graph, input.criteria, config).filter(
    ({ id, confidence }) => confidence >= config.highFrom && contradicted.has(id),
  );
  return [
    ...attacked.map(({ id }) => ({
      lens: 'adversarial' as const,
      text: `Adversarial challenge: HIGH-reliability belief "${id}" is contradicted`,
      taskIds: tasksOf(input.model, [id]),
    })),
    ...Object.entries(input.classPriors)
      .filter(([, prior]) => prior > config.priorAbove)
      .map(([name, prior]) => ({
        lens: 'adversarial' as const,
        text: `High prior probability (${prior.toFixed(2)}) for failure class "${name}"`,
        taskIds: [],
      })),
    ...(input.failedTasks ?? []).map((id) => ({
      lens: 'adversarial' as const,
      text: `Adversarial check of "${id}" failed`,
      taskIds: [id],
    })),
  ];
}
