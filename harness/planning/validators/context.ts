import type { Reason } from '../../contract/decision';
import type { MissingFile } from '../artefacts/design';
import type { ExecutionPlan } from '../artefacts/execution-plan';
import type { FileSummary } from '../artefacts/file-summary';
import { planPath, uniquePaths } from '../artefacts/paths';
import type { PlanStep } from '../artefacts/plan-step';
import type { CommandSet } from '../artefacts/results';
import { isRegressionPath, isTestFilePath } from '../guards/path-rules';
import type { ValidatorConfig } from './config';

/** What the validators see: structured artefacts only, never prose (planning.md §10). */
export interface ValidatorContext {
  plan: ExecutionPlan;
  /** `null` after parallel exploration or a failed synthesis; V1 and V3 are skipped then. */
  fileSummary: FileSummary | null;
  missingFiles: readonly MissingFile[];
  /** The steps of phase 5, where they are known; without them, test steps are told by their paths. */
  verificationSteps?: readonly PlanStep[];
  commands?: CommandSet;
  tdd?: boolean;
  config: ValidatorConfig;
}

/** A match that satisfies a check on thin ground; shown, so that nobody takes it for more. */
export interface WeakMatch {
  subject: string;
  step: number;
  by: string;
}

export interface Findings {
  warnings: string[];
  because: Reason[];
  weak?: WeakMatch[];
  /** Subjects whose lack is blocking (V2). */
  blocking?: string[];
  /** Why the check could not be made; it then counts neither as passed nor as failed. */
  skipped?: string;
}

export interface Check {
  title: string;
  run(context: ValidatorContext): Findings;
}

export const allSteps = ({ plan }: Pick<ValidatorContext, 'plan'>): PlanStep[] => [...plan.tdd_test_steps, ...plan.steps];

export const pathsOf = (steps: readonly PlanStep[], ...tools: string[]): string[] =>
  uniquePaths(steps.filter(({ tool }) => tools.includes(tool)).map(({ file_path }) => file_path));

export const sorted = (paths: Iterable<string>): string[] =>
  [...new Set(paths)].sort((left, right) => (left < right ? -1 : Number(left > right)));

/** Every path that phases 2 and 3 know of; `null` when there is no file summary to hold a plan against. */
export function knownPaths({ fileSummary, missingFiles }: Pick<ValidatorContext, 'fileSummary' | 'missingFiles'>): Set<string> | null {
  if (fileSummary === null) return null;
  return new Set(
    uniquePaths([
      ...fileSummary.files_to_modify.map(({ file_path }) => file_path),
      ...fileSummary.files_to_create.map(({ file_path }) => file_path),
      ...fileSummary.files_read_for_context.map(({ file_path }) => file_path),
      ...fileSummary.missing_infrastructure.map(({ name }) => name),
      ...missingFiles.map(({ file_path }) => file_path),
    ]),
  );
}

export const looksLikeTest = (step: PlanStep, config: ValidatorConfig): boolean =>
  isTestFilePath(step.file_path) ||
  isRegressionPath(step.file_path, config.regressionPattern) ||
  step.reason.trimStart().startsWith('REGRESSION:');

/** The `create_file` steps that write tests. */
export function testSteps(context: ValidatorContext): PlanStep[] {
  const created = (steps: readonly PlanStep[]) => steps.filter(({ tool, file_path }) => tool === 'create_file' && file_path.trim() !== '');
  if (context.verificationSteps !== undefined) return created(context.verificationSteps);
  return [...created(context.plan.tdd_test_steps), ...created(context.plan.steps).filter((step) => looksLikeTest(step, context.config))];
}

/** Paths that no earlier phase can know, because the verification steps create them (decision P5). Empty before those steps exist. */
export const exemptPaths = (context: ValidatorContext): Set<string> =>
  new Set(context.config.placement === 'after-verification' ? testSteps(context).map(({ file_path }) => planPath(file_path)) : []);

export function isExecutable(path: string, config: ValidatorConfig): boolean {
  const ending = /\.([^./]+)$/.exec(planPath(path))?.[1]?.toLowerCase();
  return ending !== undefined && config.executableExtensions.includes(ending);
}
