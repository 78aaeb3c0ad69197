import type { Decision } from '../../contract/decision';
import type { DesignAndRisks } from '../artefacts/design';
import type { ExecutionPlan, VerificationPlan } from '../artefacts/execution-plan';
import type { FileSummary } from '../artefacts/file-summary';
import { numbered, type PlanStep } from '../artefacts/plan-step';
import { strippedDecision, stripSteps } from '../assembly/sanitise';
import { type ValidatorConfig, verificationChecks } from '../validators/config';
import { type ValidationReport, validatePlan } from '../validators/run';
import type { VerificationConfig } from './config';
import { type ContractFinding, checkTestContract } from './contract';
import { mergeNormal, mergeTdd } from './merge';
import { verificationInputs } from './targets';

export interface VerificationInput {
  plan: ExecutionPlan;
  /** As the model wrote it. */
  verification: VerificationPlan;
  testCommand: string;
  fileSummary: FileSummary | null;
  design: DesignAndRisks;
  config: VerificationConfig;
  validators: ValidatorConfig;
}

export interface VerifiedPlan {
  plan: ExecutionPlan;
  added: PlanStep[];
  status: string;
  findings: ContractFinding[];
  report: ValidationReport;
  decisions: Decision[];
}

/** Phase 5 after its model call (planning.md §9): strip, check the contract, merge, run V5 to V7. Everything found is a warning on the plan. */
export function addVerification(input: VerificationInput): VerifiedPlan {
  const { plan, design, fileSummary, config, validators } = input;
  const { steps, stripped } = stripSteps(input.verification.steps, validators.allowedTools);
  const verification = { steps: numbered(steps) };
  const merged = config.mode === 'tdd' ? mergeTdd(plan, verification) : mergeNormal(plan, verification, input.testCommand);
  const { targets } = verificationInputs(design, fileSummary, plan.core_functionality);
  // An injected test run must not hide that phase 5 gave no steps.
  const own = verification.steps.length === 0 ? [] : merged.added;
  const contract = config.strictContract
    ? checkTestContract({ steps: own, scope: 'verification', design, targets, validators, config })
    : null;
  const report = validatePlan({
    plan: merged.plan,
    fileSummary,
    missingFiles: design.missing_files,
    verificationSteps: merged.added,
    config: { ...validators, placement: 'after-verification', checks: verificationChecks },
  });
  const warnings = [...plan.plan_validation_warnings, ...(contract?.warnings ?? []), ...report.warnings];
  return {
    plan: { ...merged.plan, plan_validation_warnings: [...new Set(warnings)] },
    added: merged.added,
    status: merged.status,
    findings: contract?.findings ?? [],
    report,
    decisions: [
      ...(stripped.length === 0 ? [] : [strippedDecision(stripped, validators.allowedTools)]),
      ...merged.decisions,
      ...(contract === null ? [] : [contract.decision]),
      ...report.results.map(({ decision }) => decision),
      report.decision,
    ],
  };
}
