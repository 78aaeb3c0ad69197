import type { Decision } from '../../contract/decision';
import type { Contradiction } from '../contradiction/state';
import { type DimensionName, dimensionNames } from '../diagnostics/state';
import { compared, decided, fact } from '../shared/explain';
import { shown } from '../shared/numbers';
import type { ControlStateConfig } from './config';
import { type ControlState, riskSummary } from './state';

export interface TierFindings {
  tier: 1 | 2 | 3 | 4 | 5;
  elevation: number;
  cycle: string[] | null;
  breaking: Contradiction | null;
  escalations: readonly { source: string; dimension: string }[];
  health: Record<DimensionName, number>;
}

/** Says which tier decided and how far every dimension that mattered is from the other outcome. */
export function explainControlState(state: ControlState, tiers: TierFindings, config: ControlStateConfig): Decision {
  const lowest = [...dimensionNames].sort((left, right) => tiers.health[left] - tiers.health[right]).slice(0, 3);
  const recover = [...new Set(state.block_mask.map(({ recovery_action_class }) => recovery_action_class))];
  const because: Decision['because'] = [];
  if (tiers.breaking) because.push(fact('contradiction', tiers.breaking.description), fact('blocks from', config.blockFrom));
  else if (tiers.tier === 2)
    for (const { dimension, value } of state.block_mask) because.push(compared(dimension, value, '<', config.critical));
  else {
    for (const name of lowest)
      because.push(compared(name, tiers.health[name], '<', config.critical), compared(name, tiers.health[name], '<', config.caution));
    because.push(compared('elevation', tiers.elevation, '>', config.elevation));
  }
  if (tiers.cycle) because.push(fact('blocked in a circle', tiers.cycle));
  for (const { source, dimension } of tiers.escalations) because.push(fact(dimension, source));
  const [first] = state.block_mask;
  const outcome =
    state.escalation === 'HUMAN_REQUIRED'
      ? 'a person is needed'
      : state.permission === 'DENY'
        ? `DENY, recover by ${recover.join(', ')}`
        : riskSummary(state);
  const headline =
    first && tiers.tier === 2
      ? `${first.dimension} ${shown(first.value)} < ${config.critical}`
      : tiers.tier === 1
        ? `${tiers.breaking?.severity ?? 'SYSTEM_BREAKING'} contradiction`
        : undefined;
  return decided({
    rule: headline ? `tier ${tiers.tier}: ${headline}` : `tier ${tiers.tier}`,
    outcome,
    because,
    alternatives: alternatives(state, tiers, lowest[0], config),
    note: state.notes.join(' · ') || undefined,
  });
}

function alternatives(
  state: ControlState,
  tiers: TierFindings,
  lowest: DimensionName | undefined,
  config: ControlStateConfig,
): Decision['alternatives'] {
  if (tiers.breaking) return [{ outcome: 'ALLOW', needs: 'the contradiction settled' }];
  if (state.permission === 'DENY') {
    return [
      {
        outcome: 'ALLOW',
        needs:
          state.block_mask.map(({ dimension, value }) => `${dimension} up by ${shown(config.critical - value)}`).join(' and ') ||
          'the answer of a person',
      },
    ];
  }
  if (lowest === undefined) return [];
  const deny = { outcome: 'DENY', needs: `${lowest} down by more than ${shown(tiers.health[lowest] - config.critical)}` };
  return [...calmer(state, tiers, config), deny];
}

/** What would have made a cautious run NORMAL, or a normal one CAUTIOUS: coverage by its own line, everything else by the elevation. */
function calmer(state: ControlState, tiers: TierFindings, config: ControlStateConfig): Decision['alternatives'] {
  const gaps = coverage.map((name) => ({ name, gap: tiers.health[name] - config.caution })).sort((left, right) => left.gap - right.gap);
  const low = gaps.filter(({ gap }) => gap < 0);
  const excess = tiers.elevation - config.elevation;
  if (state.execution_mode !== 'CAUTIOUS') {
    return gaps.slice(0, 1).map(({ name, gap }) => ({ outcome: 'CAUTIOUS', needs: `${name} down by more than ${shown(gap)}` }));
  }
  const needs = [
    ...low.map(({ name, gap }) => `${name} up by ${shown(-gap)}`),
    ...(excess > 0 ? [`elevation down by ${shown(excess)}`] : []),
  ];
  return needs.length === 0 ? [] : [{ outcome: 'NORMAL', needs: needs.join(' and ') }];
}

const coverage: readonly DimensionName[] = ['symptom_coverage', 'explanation_coverage'];
