import { z } from 'zod';
import type { BeliefDepGraph } from '../../belief-graph/state';
import type { EvidenceStore, ToolManifest } from '../../evidence/state';
import type { HypothesisSet } from '../../hypothesis/state';
import type { TaskGraph } from '../../planning/state';
import type { WorldModel } from '../../world-model/state';
import type { FailureDiagnostics, StrategyState } from '../state';

/** Everything that a recovery class may repair (D3). Control state is not among it: only the resolver writes that. */
export interface Repairable {
  worldModel: WorldModel;
  beliefGraph: BeliefDepGraph;
  evidence: EvidenceStore;
  hypotheses: HypothesisSet;
  taskGraph: TaskGraph;
  strategy: StrategyState;
  failures: FailureDiagnostics;
}

/** What the node found out for the recovery before it ran: results of re-reading, judging, asking, looking. */
export interface RecoveryFindings {
  /** Source id or path → whether it still says what it said. */
  rereads?: Readonly<Record<string, 'same' | 'changed' | 'gone'>>;
  /** Contradiction id → the beliefs to give up, by a model check or a person; an empty list settles it without giving up any. */
  judgements?: Readonly<Record<string, readonly string[]>>;
  /** Tool availability as it is now. */
  tools?: ToolManifest;
}

export interface RecoveryContext {
  /** ISO time. */
  now: string;
  findings: RecoveryFindings;
  config: RecoveryActionConfig;
}

export const recoveryActionConfigSchema = z.object({
  maxNewHypotheses: z.number().int().min(1).default(5).meta({ title: 'Hypotheses raised at once' }),
  newHypothesisConfidence: z.number().min(0).max(1).default(0.4).meta({ title: 'Confidence of a raised hypothesis' }),
  unchangedToEscalate: z.number().int().min(1).default(2).meta({ title: 'Times unchanged before a person is called' }),
});
export type RecoveryActionConfig = z.output<typeof recoveryActionConfigSchema>;
export const defaultRecoveryActionConfig: RecoveryActionConfig = recoveryActionConfigSchema.parse({});

export interface ActionResult {
  state: Repairable;
  changed: boolean;
  /** What was done, or why nothing could be. */
  summary: string;
  /** What the node could find out to make it work next time. */
  wants: string[];
}

export type RecoveryAction = (state: Repairable, context: RecoveryContext) => ActionResult;

export const unchanged = (state: Repairable, summary: string, wants: string[] = []): ActionResult => ({
  state,
  changed: false,
  summary,
  wants,
});
export const repaired = (state: Repairable, summary: string, wants: string[] = []): ActionResult => ({
  state,
  changed: true,
  summary,
  wants,
});
