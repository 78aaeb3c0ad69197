import type { Decision } from '../../../contract/decision';
import type { Json } from '../../../contract/json';
import type { RunState } from '../../../layers/initialise/initialise';
import { type ExperienceStore, emptyRecoveryLog, type RecoveryLog } from '../../../layers/recovery/state';
import type { ReviewerVerdict } from '../../../layers/reviewer/state';
import type { Verification } from '../../../layers/verification/state';
import type { LoopSettings } from './settings';

/** What a scripted executor answers. */
export type ScriptedOutcome = { status: 'ok'; output: Json } | { status: 'failed'; message: string } | { status: 'continue' };

export interface LoopInput {
  successCriteria: string[];
  maxSteps: number;
  facts: string[];
  signal: { risk: 'LOW' | 'MEDIUM' | 'HIGH'; taskCount: number };
  /** Milliseconds since the epoch. */
  now: number;
  execute: (taskId: string) => ScriptedOutcome;
  settings: LoopSettings;
  onDecision?: (decision: Decision) => void;
  experience?: ExperienceStore;
}

/** A run on its way. The pure functions of the layers compute; the loop only puts their results here. */
export interface LoopContext {
  input: LoopInput;
  state: RunState;
  steps: number;
  order: string[];
  finalResult: Json;
  reviewFailures: Map<string, number>;
  verdict: ReviewerVerdict | null;
  recoveryLog: RecoveryLog;
  escalations: { source: string; dimension: string }[];
  continuation: string | null;
  lastVerification: Verification | null;
  adversarialFailures: string[];
}

export const startContext = (input: LoopInput, state: RunState): LoopContext => ({
  input,
  state,
  steps: 0,
  order: [],
  finalResult: null,
  reviewFailures: new Map(),
  verdict: null,
  recoveryLog: emptyRecoveryLog(),
  escalations: [],
  continuation: null,
  lastVerification: null,
  adversarialFailures: [],
});

export type HaltReason = 'budget_exhausted' | 'cannot_make_progress' | 'review_failure';

/** Ends the run for a person to look at. */
export class LoopHalt extends Error {
  readonly reason: HaltReason;
  constructor(reason: HaltReason, detail: string) {
    super(detail);
    this.name = 'LoopHalt';
    this.reason = reason;
  }
}

export const note = (context: LoopContext, ...decisions: Decision[]): void => {
  for (const decision of decisions) context.input.onDecision?.(decision);
};
