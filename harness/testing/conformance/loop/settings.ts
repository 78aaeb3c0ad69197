import { type BeliefGraphConfig, defaultBeliefGraphConfig, referenceBeliefGraphConfig } from '../../../layers/belief-graph/propagate';
import { type ContradictionConfig, defaultContradictionConfig, referenceContradictionConfig } from '../../../layers/contradiction/config';
import { type DiagnosticsConfig, defaultDiagnosticsConfig, referenceDiagnosticsConfig } from '../../../layers/diagnostics/config';
import { defaultReviewGateConfig, type ReviewGateConfig, referenceReviewGateConfig } from '../../../layers/execution/review-gate';
import {
  defaultOutputValidationConfig,
  type OutputValidationConfig,
  referenceOutputValidationConfig,
} from '../../../layers/output-validation/validate';
import { defaultPlanningConfig, type PlanningConfig, referencePlanningConfig } from '../../../layers/planning/config';
import { defaultMergeConfig, type MergeConfig } from '../../../layers/planning/merge';
import { defaultRecoveryConfig, type RecoveryConfig, referenceRecoveryConfig } from '../../../layers/recovery/config';
import { defaultReviewerConfig, type ReviewerConfig, referenceReviewerConfig } from '../../../layers/reviewer/lenses';

/** The parameters of the layers a loop is run with. */
export interface LoopSettings {
  contradiction: ContradictionConfig;
  diagnostics: DiagnosticsConfig;
  planning: PlanningConfig;
  merge: MergeConfig;
  recovery: RecoveryConfig;
  reviewGate: ReviewGateConfig;
  reviewer: ReviewerConfig;
  output: OutputValidationConfig;
  beliefGraph: BeliefGraphConfig;
  /** Recovery classes run when the gate blocks (D3). */
  recoveryActions: boolean;
  /** Beliefs get edges to what they derive from (D12). */
  derivations: boolean;
  budgetWarningShare: number;
  budgetWarningFeasibility: number;
}

export const ownSettings: LoopSettings = {
  contradiction: defaultContradictionConfig,
  diagnostics: defaultDiagnosticsConfig,
  planning: defaultPlanningConfig,
  merge: defaultMergeConfig,
  recovery: defaultRecoveryConfig,
  reviewGate: defaultReviewGateConfig,
  reviewer: defaultReviewerConfig,
  output: defaultOutputValidationConfig,
  beliefGraph: defaultBeliefGraphConfig,
  recoveryActions: true,
  derivations: true,
  budgetWarningShare: 0.8,
  budgetWarningFeasibility: 0.5,
};

/** Every deliberate difference switched back (layers.md part 2). */
export const referenceSettings: LoopSettings = {
  ...ownSettings,
  contradiction: referenceContradictionConfig,
  diagnostics: referenceDiagnosticsConfig,
  planning: referencePlanningConfig,
  merge: { unite: false },
  recovery: referenceRecoveryConfig,
  reviewGate: referenceReviewGateConfig,
  reviewer: referenceReviewerConfig,
  output: referenceOutputValidationConfig,
  beliefGraph: referenceBeliefGraphConfig,
  recoveryActions: false,
  derivations: false,
};
