import type { Decision } from '../../contract/decision';
import { compared, decided, fact } from '../../layers/shared/explain';
import type { ExecutionPlan, VerificationPlan } from '../artefacts/execution-plan';
import { planPath, uniquePaths } from '../artefacts/paths';
import { numbered, type PlanStep, planStepSchema } from '../artefacts/plan-step';

export interface Merged {
  plan: ExecutionPlan;
  /** The steps of phase 5 as they stand in the plan, with its numbers. */
  added: PlanStep[];
  status: string;
  decisions: Decision[];
}

const createdPaths = (steps: readonly PlanStep[]): string[] =>
  steps.filter(({ tool }) => tool === 'create_file').map(({ file_path }) => file_path);

/** The plan's own spelling of a file is kept; new ones are appended once. */
function withAffected(affected: readonly string[], steps: readonly PlanStep[]): string[] {
  const known = new Set(affected.map(planPath));
  return [...affected, ...uniquePaths(createdPaths(steps)).filter((path) => !known.has(path))];
}

const isRun = ({ tool }: PlanStep): boolean => tool === 'run_tests';

const runTests = (command: string): PlanStep =>
  planStepSchema.parse({
    step_number: 1,
    tool: 'run_tests',
    instruction: `Run the full test suite with \`${command}\`.`,
    reason: 'No verification step ran the tests that were written.',
  });

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/**
 * Verification steps after the implementation (planning.md §9, normal merge). With a test command there is at least one `run_tests` behind the
 * tests, and exactly one more than before when phase 5 gave none; without one nothing that would run tests is left.
 */
export function mergeNormal(plan: ExecutionPlan, verification: VerificationPlan, testCommand: string): Merged {
  const command = testCommand.trim();
  const given = verification.steps.filter(isRun).length;
  const inPlan = plan.steps.filter(isRun).length;
  const because = [fact('test command', command), compared('run_tests steps of the verification', given, '==', 0)];
  let implementation = plan.steps;
  let added = verification.steps;
  const decisions: Decision[] = [];
  if (command === '') {
    implementation = plan.steps.filter((step) => !isRun(step));
    added = verification.steps.filter((step) => !isRun(step));
    const dropped = given + inPlan;
    if (dropped > 0) {
      const outcome = `${counted(dropped, 'step')} dropped, the test files stay`;
      const parts = [...because, fact('run_tests steps of the implementation', inPlan)];
      const alternatives = [{ outcome: 'kept', needs: 'a test command' }];
      decisions.push(decided({ rule: 'run_tests_dropped', outcome, because: parts, alternatives }));
    }
  } else if (given === 0) {
    added = [...verification.steps, runTests(command)];
    decisions.push(decided({ rule: 'run_tests_injected', outcome: 'one run_tests step as the last', because }));
  }
  const first = numbered(implementation);
  const last = numbered(added, first.length + 1);
  const files = counted(new Set(uniquePaths(createdPaths(last))).size, 'test file');
  return {
    plan: { ...plan, tdd_test_steps: [], steps: [...first, ...last], affected_files: withAffected(plan.affected_files, last) },
    added: last,
    status: command === '' ? `test files seeded (${files}), no runner` : `verification steps designed (${counted(last.length, 'step')})`,
    decisions,
  };
}

/** Verification steps as tests written first: numbered 1 to k without any `run_tests`, the implementation from k + 1 (planning.md §9, TDD merge). */
export function mergeTdd(plan: ExecutionPlan, verification: VerificationPlan): Merged {
  const first = numbered(verification.steps.filter((step) => !isRun(step)));
  const dropped = verification.steps.length - first.length;
  const decisions =
    dropped === 0
      ? []
      : [
          decided({
            rule: 'run_tests_dropped',
            outcome: `${counted(dropped, 'step')} dropped: the controller runs the tests`,
            because: [compared('run_tests steps of the verification', dropped, '==', 0)],
          }),
        ];
  return {
    plan: {
      ...plan,
      tdd_test_steps: first,
      steps: numbered(plan.steps, first.length + 1),
      affected_files: withAffected(plan.affected_files, first),
    },
    added: first,
    status: `TDD test steps designed (${counted(first.length, 'step')})`,
    decisions,
  };
}
