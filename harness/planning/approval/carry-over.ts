import type { Decision } from '../../contract/decision';
import { decided, fact } from '../../layers/shared/explain';
import type { DesignAndRisks } from '../artefacts/design';
import type { ExecutionPlan } from '../artefacts/execution-plan';
import type { FileSummary } from '../artefacts/file-summary';
import { planPath, uniquePaths } from '../artefacts/paths';
import { hasWriteStep, noWriteStepWarning, sanitisePlan } from '../assembly/sanitise';
import type { ValidatorConfig } from '../validators/config';
import { type ValidationReport, validatePlan } from '../validators/run';
import { checkOfWarning } from '../validators/warnings';
import type { VerificationConfig } from '../verification-steps/config';
import { checkTestContract, isContractWarning } from '../verification-steps/contract';

export interface RevisionInput {
  /** The plan as it was shown, with the person's edits. */
  previous: ExecutionPlan;
  /** As the reviser wrote it. */
  revised: ExecutionPlan;
  fileSummary: FileSummary | null;
  design: DesignAndRisks;
  validators: ValidatorConfig;
  /** Without it the contract is not checked again and its warnings stay. */
  verification?: VerificationConfig;
}

export interface CarriedPlan {
  plan: ExecutionPlan;
  report: ValidationReport;
  decisions: Decision[];
}

/** Warnings that no check of this re-run owns; those of the checks are found anew or are mended. */
function keptWarnings(previous: ExecutionPlan, report: ValidationReport, contractChecked: boolean): string[] {
  const rerun = new Set<string>(report.results.filter(({ status }) => status !== 'skipped').map(({ id }) => id));
  return previous.plan_validation_warnings.filter((warning) => {
    if (warning === noWriteStepWarning) return false;
    if (isContractWarning(warning)) return !contractChecked;
    const check = checkOfWarning(warning);
    return check === null || !rerun.has(check);
  });
}

/**
 * A revision that loses nothing (planning.md §11): core tags are those of the plan that was shown, tests written first and their paths stay
 * unless the reviser gives others, V1 to V7 run again, and warnings of other origin are kept.
 */
export function carryOver(input: RevisionInput): CarriedPlan {
  const { previous, revised, fileSummary, design, validators, verification } = input;
  const first = revised.tdd_test_steps.length > 0 ? revised.tdd_test_steps : previous.tdd_test_steps;
  const { plan, decisions } = sanitisePlan(
    { ...revised, core_functionality: previous.core_functionality, tdd_test_steps: first },
    validators.allowedTools,
  );
  const listed = revised.affected_files.length > 0 ? revised.affected_files : previous.affected_files;
  const known = new Set(listed.map(planPath));
  const tests = plan.tdd_test_steps.filter(({ tool }) => tool === 'create_file').map(({ file_path }) => file_path);
  const carried: ExecutionPlan = { ...plan, affected_files: [...listed, ...uniquePaths(tests).filter((path) => !known.has(path))] };
  const report = validatePlan({
    plan: carried,
    fileSummary,
    missingFiles: design.missing_files,
    config: { ...validators, placement: 'after-verification' },
  });
  const contract = verification?.strictContract
    ? checkTestContract({ steps: [...plan.tdd_test_steps, ...plan.steps], scope: 'plan', validators, config: verification })
    : null;
  const kept = keptWarnings(previous, report, contract !== null);
  const warnings = [...(hasWriteStep(carried) ? [] : [noWriteStepWarning]), ...kept, ...(contract?.warnings ?? []), ...report.warnings];
  const carriedDecision = decided({
    rule: 'plan_carried_over',
    outcome: 'tags, tests and warnings kept',
    because: [
      fact('core tags', carried.core_functionality.length),
      fact('tests written first', carried.tdd_test_steps.length),
      fact('tests given by the revision', revised.tdd_test_steps.length),
      fact('warnings kept', kept.length),
      fact('warnings found again', report.warnings.length),
    ],
  });
  return {
    plan: { ...carried, plan_validation_warnings: [...new Set(warnings)] },
    report,
    decisions: [
      ...decisions,
      carriedDecision,
      ...(contract === null ? [] : [contract.decision]),
      ...report.results.map(({ decision }) => decision),
      report.decision,
    ],
  };
}
