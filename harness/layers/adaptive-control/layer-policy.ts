import type { Decision } from '../../contract/decision';
import { decided, fact } from '../shared/explain';
import type { TurnPolicy } from './state';

export const layerPolicyModes = ['static', 'adaptive', 'shadow'] as const;
export type LayerPolicyMode = (typeof layerPolicyModes)[number];

/** What may be left out of a turn, and by which signal of the judgement. All of these rules are unproven (layers.md R0). */
export const layerRules: readonly { layer: string; skippedWhen: string; applies: (policy: TurnPolicy, tasks: number) => boolean }[] = [
  { layer: 'hypothesis_display', skippedWhen: 'nothing is underdetermined', applies: (policy) => !policy.isUnderdetermined },
  { layer: 'evidence_escalation', skippedWhen: 'no grounding is asked for', applies: (policy) => !policy.needsGrounding },
  { layer: 'belief_trail', skippedWhen: 'one task at LOW risk', applies: (policy, tasks) => policy.riskLevel === 'LOW' && tasks <= 1 },
  {
    layer: 'reviewer_adversarial',
    skippedWhen: 'LOW risk and fewer than three tasks',
    applies: (policy, tasks) => policy.riskLevel === 'LOW' && tasks < 3,
  },
  {
    layer: 'semantic_contradiction',
    skippedWhen: 'no pushback and no facts stated',
    applies: (policy) => !policy.pushbackOnPriorTurn && policy.statesDurableFacts.length === 0,
  },
  { layer: 'semantic_change_review', skippedWhen: 'LOW risk', applies: (policy) => policy.riskLevel === 'LOW' },
  {
    layer: 'semantic_failure_match',
    skippedWhen: 'one task at LOW risk',
    applies: (policy, tasks) => policy.riskLevel === 'LOW' && tasks <= 1,
  },
  { layer: 'semantic_constraint_judge', skippedWhen: 'no constraint is stated', applies: (policy) => !policy.statesConstraint },
];

/** `static` runs what is drawn, `adaptive` skips and says so, `shadow` runs what is drawn and says what adaptive would have skipped. */
export function skippedLayers(policy: TurnPolicy, tasks: number, mode: LayerPolicyMode): { skip: Set<string>; decisions: Decision[] } {
  if (mode === 'static') return { skip: new Set(), decisions: [] };
  const rules = layerRules.filter(({ applies }) => applies(policy, tasks));
  const decisions = rules.map(({ layer, skippedWhen }) =>
    decided({
      rule: `layer policy: ${skippedWhen}`,
      outcome: mode === 'shadow' ? `would skip ${layer}` : `skip ${layer}`,
      because: [fact('risk', policy.riskLevel), fact('tasks', tasks)],
    }),
  );
  return { skip: mode === 'shadow' ? new Set() : new Set(rules.map(({ layer }) => layer)), decisions };
}
