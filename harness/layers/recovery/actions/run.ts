import type { Decision } from '../../../contract/decision';
import type { BlockEntry } from '../../control-state/state';
import { compared, decided, fact } from '../../shared/explain';
import type { RecoveryLog } from '../state';
import { beliefRefresh, consistencyRepair, supportAugment } from './beliefs';
import { coverageExpand, explanationExpand } from './coverage';
import { executionRetry, failureRecovery, oscillationStabilise } from './execution';
import {
  defaultRecoveryActionConfig,
  type RecoveryAction,
  type RecoveryActionConfig,
  type RecoveryFindings,
  type Repairable,
} from './types';
import { depGraphRefresh, feasibilityCheck, verificationPass } from './verification';

/** Every recovery class by name. */
export const recoveryActions: ReadonlyMap<string, RecoveryAction> = new Map([
  ['belief_refresh', beliefRefresh],
  ['consistency_repair', consistencyRepair],
  ['support_augment', supportAugment],
  ['coverage_expand', coverageExpand],
  ['explanation_expand', explanationExpand],
  ['verification_pass', verificationPass],
  ['feasibility_check', feasibilityCheck],
  ['execution_retry', executionRetry],
  ['failure_recovery', failureRecovery],
  ['oscillation_stabilise', oscillationStabilise],
  ['dep_graph_refresh', depGraphRefresh],
]);

export interface RecoveryRun {
  state: Repairable;
  log: RecoveryLog;
  port: 'repaired' | 'unchanged';
  /** Dimensions for which a person is needed; input of the next resolve. */
  escalations: { source: string; dimension: string }[];
  /** What the node could find out, by recovery class. */
  wants: Record<string, string[]>;
  decisions: Decision[];
}

/**
 * Runs the recovery class of every blocked dimension. A class that changes nothing twice in a row calls a person and names the
 * dimension (D3, D11); a change sets its count back.
 */
export function runRecoveryActions(
  input: { blockMask: readonly BlockEntry[]; state: Repairable; log: RecoveryLog; now: string; findings?: RecoveryFindings },
  config: RecoveryActionConfig = defaultRecoveryActionConfig,
): RecoveryRun {
  let { state } = input;
  const counts = { ...input.log.unchanged };
  const escalations: RecoveryRun['escalations'] = [];
  const wants: RecoveryRun['wants'] = {};
  const decisions: Decision[] = [];
  let changedAny = false;
  for (const { dimension, value, recovery_action_class: name } of input.blockMask) {
    const action = recoveryActions.get(name);
    const result = action?.(state, { now: input.now, findings: input.findings ?? {}, config }) ?? {
      state,
      changed: false,
      summary: `there is no recovery class "${name}"`,
      wants: [],
    };
    state = result.state;
    changedAny ||= result.changed;
    const key = `${dimension}:${name}`;
    const count = result.changed ? 0 : (counts[key] ?? 0) + 1;
    counts[key] = count;
    if (result.wants.length > 0) wants[name] = [...new Set([...(wants[name] ?? []), ...result.wants])];
    const escalates = count >= config.unchangedToEscalate;
    if (escalates) escalations.push({ source: `${name} changed nothing ${count} times in a row`, dimension });
    decisions.push(
      decided({
        rule: `recover ${dimension} by ${name}`,
        outcome: result.changed ? 'repaired' : escalates ? `unchanged, a person is needed for ${dimension}` : 'unchanged',
        because: [
          fact(dimension, value),
          fact('done', result.summary),
          compared('unchanged in a row', count, '>=', config.unchangedToEscalate),
        ],
        alternatives:
          result.changed || result.wants.length === 0 ? [] : [{ outcome: 'repaired', needs: result.wants.slice(0, 5).join(', ') }],
      }),
    );
  }
  return {
    state,
    log: { unchanged: counts, escalated_dimension: escalations[0]?.dimension ?? null },
    port: changedAny ? 'repaired' : 'unchanged',
    escalations,
    wants,
    decisions,
  };
}
