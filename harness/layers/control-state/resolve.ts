import type { Decision } from '../../contract/decision';
import type { Contradiction } from '../contradiction/state';
import { assertUnit } from '../diagnostics/normalise';
import { type Diagnostics, type DimensionName, dimensionNames, healthOf } from '../diagnostics/state';
import type { PatternMatch } from '../recovery/state';
import type { ReviewerVerdict } from '../reviewer/state';
import { clamp01, mean } from '../shared/numbers';
import { type ControlStateConfig, defaultControlStateConfig } from './config';
import { findCycle } from './cycles';
import { explainControlState, type TierFindings } from './explain';
import type { BlockEntry, ControlState } from './state';

export interface ResolveInput {
  diagnostics: Diagnostics;
  contradictions: readonly Contradiction[];
  generation: number;
  matchedPattern?: PatternMatch | null | undefined;
  /** Read once: the caller clears it after this resolve (INV-18). */
  pendingVerdict?: ReviewerVerdict | null | undefined;
  /** What calls a person: a recovery class that changed nothing twice, a second failed review (D11). */
  escalations?: readonly { source: string; dimension: string }[];
}

/** min(1, mean shortfall below the caution threshold / threshold); 0 when nothing is below (layers.md R6, tier 4). */
export function elevationFactor(values: readonly number[], caution = defaultControlStateConfig.caution): number {
  const shortfalls = values.filter((value) => value < caution).map((value) => caution - value);
  return shortfalls.length === 0 ? 0 : Math.min(1, mean(shortfalls) / caution);
}

const coverage: readonly DimensionName[] = ['symptom_coverage', 'explanation_coverage'];

/** Blocked dimensions that wait for each other through what their recovery needs (INV-04). */
function deadlock(mask: readonly BlockEntry[], config: ControlStateConfig): string[] | null {
  const blocked = new Set(mask.map(({ dimension }) => dimension));
  return findCycle(
    new Map(mask.map(({ dimension }) => [dimension, (config.recoveryClasses[dimension]?.needs ?? []).filter((need) => blocked.has(need))])),
  );
}

/**
 * The one writer of control state: five tiers in strict order, tiers 1 and 2 final (layers.md R6, INV-06).
 * Throws `INV_02` when a dimension is outside [0, 1].
 */
export function resolveControlState(
  input: ResolveInput,
  config: ControlStateConfig = defaultControlStateConfig,
): { controlState: ControlState; decision: Decision } {
  const health = healthOf(input.diagnostics);
  for (const name of dimensionNames) assertUnit(health[name], name);
  const values = dimensionNames.map((name) => health[name]);
  const breaking =
    input.contradictions.find(({ severity }) => severity === 'SYSTEM_BREAKING') ??
    (config.blockFrom === 'HIGH' ? input.contradictions.find(({ severity }) => severity === 'HIGH') : undefined);
  const state: ControlState = {
    generation_id: input.generation,
    permission: 'ALLOW',
    execution_mode: 'NORMAL',
    escalation: 'NONE',
    risk_estimate: clamp01(1 - mean(values.slice(5))),
    confidence_estimate: mean(values.slice(0, 5)),
    escalation_reason: null,
    block_mask: [],
    notes: [],
  };
  const tiers: TierFindings = {
    tier: 5,
    elevation: 0,
    cycle: null,
    breaking: breaking ?? null,
    escalations: input.escalations ?? [],
    health,
  };

  if (breaking) {
    tiers.tier = 1;
    const recovery = config.recoveryClasses.world_model_integrity?.action ?? 'consistency_repair';
    Object.assign(state, {
      permission: 'DENY',
      execution_mode: 'RECOVERY',
      ...(breaking.severity === 'SYSTEM_BREAKING'
        ? { escalation: 'SYSTEM_BREAKING', escalation_reason: 'SYSTEM_BREAKING_CONTRADICTION' }
        : {}),
    });
    state.block_mask = [{ dimension: 'world_model_integrity', value: 0, recovery_action_class: recovery }];
  } else {
    state.block_mask = dimensionNames
      .filter((name) => health[name] < config.critical)
      .map((name) => ({
        dimension: name,
        value: health[name],
        recovery_action_class: config.recoveryClasses[name]?.action ?? 'consistency_repair',
      }));
    if (state.block_mask.length > 0) {
      tiers.tier = 2;
      tiers.cycle = deadlock(state.block_mask, config);
      Object.assign(state, { permission: 'DENY', execution_mode: 'RECOVERY' });
    } else {
      liftCaution(state, tiers, input, config);
    }
  }
  if (tiers.cycle || tiers.escalations.length > 0) {
    Object.assign(state, {
      permission: 'DENY',
      execution_mode: 'RECOVERY',
      escalation: 'HUMAN_REQUIRED',
      escalation_reason: 'HUMAN_REQUIRED',
    });
  }
  for (const { source, dimension } of tiers.escalations) state.notes.push(`A person is needed for ${dimension}: ${source}`);
  if (input.diagnostics.dep_class_gap_annotation !== '') state.notes.push(`dep_class_gap: ${input.diagnostics.dep_class_gap_annotation}`);
  const verdict = input.pendingVerdict;
  if (verdict && (verdict.severity === 'MEDIUM' || verdict.severity === 'HIGH')) {
    state.notes.push(`Pending reviewer verdict (${verdict.lens}, ${verdict.severity}): ${verdict.summary}`);
    if (state.execution_mode === 'NORMAL') state.execution_mode = 'CAUTIOUS';
  }
  return { controlState: state, decision: explainControlState(state, tiers, config) };
}

/** Tiers 3 and 4: both only lift NORMAL to CAUTIOUS. */
function liftCaution(state: ControlState, tiers: TierFindings, input: ResolveInput, config: ControlStateConfig): void {
  for (const name of coverage) {
    const value = tiers.health[name];
    if (value >= config.caution) continue;
    tiers.tier = 3;
    state.execution_mode = 'CAUTIOUS';
    state.notes.push(`Coverage gap in ${name} (${value.toFixed(3)}): exploration actions allowed`);
  }
  const plain = elevationFactor(
    dimensionNames.map((name) => tiers.health[name]),
    config.caution,
  );
  const pattern = input.matchedPattern;
  tiers.elevation = pattern ? plain * (1 - config.patternWeight) + clamp01(pattern.confidence) * config.patternWeight : plain;
  if (tiers.elevation > config.elevation && state.execution_mode === 'NORMAL') {
    tiers.tier = 4;
    state.execution_mode = 'CAUTIOUS';
  }
}
