import { compared, fact } from '../../layers/shared/explain';
import { fileName, planPath, uniquePaths } from '../artefacts/paths';
import { isWriteStep, type PlanStep } from '../artefacts/plan-step';
import { allSteps, type Check, isExecutable, looksLikeTest, sorted, type ValidatorContext } from './context';

/** Implementation files with code in them, as the steps write them. Tests are not their own subject. */
const writtenCode = (context: ValidatorContext): string[] =>
  sorted(
    uniquePaths(
      context.plan.steps
        .filter((step) => isWriteStep(step) && isExecutable(step.file_path, context.config) && !looksLikeTest(step, context.config))
        .map(({ file_path }) => file_path),
    ),
  );

const names = (step: PlanStep, path: string): boolean =>
  [planPath(step.file_path), step.instruction, step.context, step.reason].some(
    (text) => text.includes(path) || text.includes(fileName(path)),
  );

/** A check that runs after the file was last written: one of its own contract, a test or lint run, or a command that names it. */
function hasSuccessCheck(steps: readonly PlanStep[], path: string): boolean {
  const writing = steps.map((step, at) => ({ step, at })).filter(({ step }) => isWriteStep(step) && planPath(step.file_path) === path);
  if (writing.some(({ step }) => (step.contract?.success_checks.length ?? 0) > 0)) return true;
  const last = Math.max(-1, ...writing.map(({ at }) => at));
  return steps
    .slice(last + 1)
    .some((step) => ['run_tests', 'run_lint'].includes(step.tool) || (step.tool === 'run_command' && names(step, path)));
}

/** Each file with code in it is followed by something that can fail. */
export const successChecksPerFile: Check = {
  title: 'A success check for each executable file',
  run(context) {
    const written = writtenCode(context);
    const steps = [...context.plan.tdd_test_steps, ...context.plan.steps];
    const unchecked = written.filter((path) => !hasSuccessCheck(steps, path));
    return {
      warnings: unchecked.map((path) => `executable file has no success check: ${path}`),
      because: [compared('files without a check', unchecked.length, '==', 0), fact('executable files', written.length)],
    };
  },
};

/** In TDD, each file with code in it is named by a test that is written first. */
export const tddCoverage: Check = {
  title: 'TDD contract covers the change',
  run(context) {
    if (context.tdd !== true) return { warnings: [], because: [], skipped: 'TDD is off' };
    const written = writtenCode(context);
    const uncovered = written.filter((path) => !context.plan.tdd_test_steps.some((step) => names(step, path)));
    return {
      warnings: uncovered.map((path) => `no test is written before: ${path}`),
      because: [
        compared('files without a test written first', uncovered.length, '==', 0),
        fact('tests written first', context.plan.tdd_test_steps.length),
      ],
    };
  },
};

const setupFiles =
  /(?:^|\/)(?:package\.json|pyproject\.toml|pytest\.ini|tox\.ini|setup\.cfg|requirements[\w-]*\.txt|conftest\.py|(?:jest|vitest|karma|playwright)\.config\.\w+|\.mocharc\.\w+|phpunit\.xml(?:\.dist)?|Gemfile|\.rspec|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?)$/;
const setupCommand = /\b(?:install|add|venv|mod\s+init|sync)\b/i;

const addsTestSetup = (step: PlanStep): boolean =>
  (isWriteStep(step) && setupFiles.test(planPath(step.file_path))) || (step.tool === 'run_command' && setupCommand.test(step.instruction));

/** Tests come first unless the plan has to set testing up before it can have any. */
export const tddRequired: Check = {
  title: 'Tests come first',
  run(context) {
    const setup = allSteps(context).filter(addsTestSetup);
    const first = context.plan.tdd_test_steps.length;
    const met = first > 0 || setup.length > 0;
    return {
      warnings: met ? [] : ['no test is written before the implementation, and no step sets testing up'],
      because: [compared('tests written first', first, '>', 0), compared('steps that set testing up', setup.length, '>', 0)],
    };
  },
};
