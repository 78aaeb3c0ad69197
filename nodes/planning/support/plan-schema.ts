import { z } from 'zod';
import { type ExecutionPlan, executionPlanSchema } from '@/harness/planning/artefacts/execution-plan';
import { planStepSchema } from '@/harness/planning/artefacts/plan-step';

/**
 * A plan as a model writes it: without the fields that later phases own, and with contracts of steps only where they are asked for. What
 * comes back is a whole plan.
 */
export function modelPlanSchema({ contracts, testsFirst }: { contracts: boolean; testsFirst: boolean }): z.ZodType<ExecutionPlan> {
  const step = contracts ? planStepSchema : planStepSchema.omit({ contract: true });
  return executionPlanSchema
    .omit({ plan_validation_warnings: true, core_functionality: true, tdd_test_steps: true })
    .extend({
      steps: z.array(step),
      ...(testsFirst
        ? { tdd_test_steps: z.array(step).default([]).describe('Tests written first. Leave out to keep them as they are.') }
        : {}),
    })
    .transform((plan) => executionPlanSchema.parse(plan));
}
