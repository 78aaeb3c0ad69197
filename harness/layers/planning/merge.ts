import { z } from 'zod';
import type { Contradiction } from '../contradiction/state';
import type { WorldModel } from '../world-model/state';

export const mergeConfigSchema = z.object({
  unite: z
    .boolean()
    .default(true)
    .meta({ title: 'Unite environment log and stale flags', description: 'Off in the reference, which drops those of the second branch.' }),
});
export type MergeConfig = z.output<typeof mergeConfigSchema>;
export const defaultMergeConfig: MergeConfig = mergeConfigSchema.parse({});

function byId<T extends { id: string }>(first: readonly T[], second: readonly T[]): T[] {
  const merged = new Map(first.map((item) => [item.id, item]));
  for (const item of second) merged.set(item.id, item);
  return [...merged.values()];
}

/**
 * Joins the world models of two branches: the later branch wins per id, the generation is the higher one, assumptions are
 * deduplicated, flags overlaid; environment log and stale flags are united (layers.md R7, D7).
 */
export function mergeWorldModels(first: WorldModel, second: WorldModel, config: MergeConfig = defaultMergeConfig): WorldModel {
  return {
    generation_id: Math.max(first.generation_id, second.generation_id),
    observations: byId(first.observations, second.observations),
    beliefs: byId(first.beliefs, second.beliefs),
    assumptions: [...new Set([...first.assumptions, ...second.assumptions])],
    contradictions: byId<Contradiction>(first.contradictions, second.contradictions),
    environment_change_log: config.unite ? byId(first.environment_change_log, second.environment_change_log) : [],
    completeness_flags: { ...first.completeness_flags, ...second.completeness_flags },
    stale_flags: config.unite ? uniteFlags(first.stale_flags, second.stale_flags) : {},
  };
}

/** A belief that is stale in one branch is stale. */
const uniteFlags = (first: Record<string, boolean>, second: Record<string, boolean>): Record<string, boolean> =>
  Object.fromEntries(
    [...new Set([...Object.keys(first), ...Object.keys(second)])].map((id) => [id, first[id] === true || second[id] === true]),
  );
