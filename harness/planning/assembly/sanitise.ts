import type { Decision } from '../../contract/decision';
import { compared, decided, fact } from '../../layers/shared/explain';
import type { ExecutionPlan } from '../artefacts/execution-plan';
import { isWriteStep, numbered, type PlanStep, stepShapeWarnings, stepTools } from '../artefacts/plan-step';

/** What is said of a plan that would change nothing. */
export const noWriteStepWarning = 'the plan has no step that creates or edits a file';

export interface StrippedSteps {
  steps: PlanStep[];
  stripped: PlanStep[];
}

/** Leaves out steps whose tool is not allowed; numbers are left to the caller. */
export const stripSteps = (steps: readonly PlanStep[], allowed: readonly string[] = stepTools): StrippedSteps => ({
  steps: steps.filter(({ tool }) => allowed.includes(tool)),
  stripped: steps.filter(({ tool }) => !allowed.includes(tool)),
});

export const strippedDecision = (stripped: readonly PlanStep[], allowed: readonly string[]): Decision =>
  decided({
    rule: 'steps_stripped',
    outcome: stripped.length === 0 ? 'nothing stripped' : `${stripped.length} stripped, the rest renumbered`,
    because: [
      compared('steps with a tool that is not allowed', stripped.length, '==', 0),
      ...stripped.map(({ step_number, tool }) => fact(`step ${step_number}`, tool)),
      ...(stripped.length === 0 ? [] : [fact('allowed tools', [...allowed])]),
    ],
  });

export interface SanitisedPlan {
  plan: ExecutionPlan;
  stripped: PlanStep[];
  decisions: Decision[];
}

/**
 * A plan with allowed tools only and without gaps in its numbers: tests written first from 1, the steps after them (planning.md §8, §9). Other
 * oddities of a step's shape are told and left.
 */
export function sanitisePlan(plan: ExecutionPlan, allowed: readonly string[] = stepTools): SanitisedPlan {
  const first = stripSteps(plan.tdd_test_steps, allowed);
  const main = stripSteps(plan.steps, allowed);
  const stripped = [...first.stripped, ...main.stripped];
  const clean: ExecutionPlan = {
    ...plan,
    tdd_test_steps: numbered(first.steps),
    steps: numbered(main.steps, first.steps.length + 1),
  };
  const odd = stepShapeWarnings([...clean.tdd_test_steps, ...clean.steps], allowed);
  const shape = odd.length === 0 ? [] : [decided({ rule: 'step_shape', outcome: 'told only', because: [fact('findings', odd)] })];
  return { plan: clean, stripped, decisions: [strippedDecision(stripped, allowed), ...shape] };
}

export const hasWriteStep = (plan: ExecutionPlan): boolean => [...plan.tdd_test_steps, ...plan.steps].some(isWriteStep);
