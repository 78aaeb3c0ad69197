import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { compared, decided, fact } from '../shared/explain';
import { parseInstant } from '../shared/instant';
import type { WorldModel } from './state';

export const stalenessConfigSchema = z.object({
  ttlMinutes: z.number().min(0).default(30).meta({ title: 'Minutes after which a belief is stale' }),
});
export type StalenessConfig = z.output<typeof stalenessConfigSchema>;
export const defaultStalenessConfig: StalenessConfig = stalenessConfigSchema.parse({});

/**
 * Flags beliefs that have grown old or whose sources changed after they were recorded; a flag is never cleared here
 * (layers.md R1). `now` is in milliseconds since the epoch. Both comparisons are strict.
 */
export function sweepStaleness(
  model: WorldModel,
  now: number,
  config: StalenessConfig = defaultStalenessConfig,
): { worldModel: WorldModel; newlyStale: string[]; decision: Decision } {
  const limit = config.ttlMinutes * 60_000;
  const lastChange = new Map<string, number>();
  for (const change of model.environment_change_log) {
    const at = parseInstant(change.timestamp);
    if (Number.isNaN(at)) continue;
    for (const path of change.affected_paths) lastChange.set(path, Math.max(at, lastChange.get(path) ?? Number.NEGATIVE_INFINITY));
  }
  const newlyStale: string[] = [];
  const because: Decision['because'] = [];
  for (const belief of model.beliefs) {
    if (model.stale_flags[belief.id] === true) continue;
    const recorded = parseInstant(belief.recorded_at);
    const changed = [...belief.derived_from, ...belief.supporting_evidence].find(
      (path) => (lastChange.get(path) ?? Number.NEGATIVE_INFINITY) > recorded,
    );
    if (now - recorded > limit) {
      because.push(compared(`age of ${belief.id} in minutes`, (now - recorded) / 60_000, '>', config.ttlMinutes));
    } else if (changed !== undefined) {
      because.push(fact(`source of ${belief.id} changed later`, changed));
    } else continue;
    newlyStale.push(belief.id);
  }
  const worldModel =
    newlyStale.length === 0
      ? model
      : { ...model, stale_flags: { ...model.stale_flags, ...Object.fromEntries(newlyStale.map((id) => [id, true])) } };
  const outcome = newlyStale.length === 0 ? 'nothing new is stale' : `stale: ${newlyStale.join(', ')}`;
  return { worldModel, newlyStale, decision: decided({ rule: 'staleness sweep', outcome, because: because.slice(0, 20) }) };
}
