import { z } from 'zod';
import { planStepSchema } from '@/harness/planning/artefacts/plan-step';
import { stepResultSchema } from '@/harness/planning/artefacts/results';
import { artefactStoreSchema } from '@/harness/planning/execution/artefact-store';

/** `tests`: the tests written first. `implementation`: everything after them. `all`: both, in this order. */
export const executionPhaseSchema = z.enum(['all', 'tests', 'implementation']);
export type ExecutionPhase = z.output<typeof executionPhaseSchema>;

/** What “Execute plan” hands to the body for one step. */
export const stepItemSchema = z.object({
  step: planStepSchema,
  /** From 1, in the order in which groups run. */
  group: z.int().min(1),
  phase: executionPhaseSchema,
  /** True for a step that writes a test before the change. */
  writes_test: z.boolean().default(false),
  /** Steps of the same group whose failure keeps this one from starting. */
  siblings: z.array(z.int()).default([]),
  completed: z.array(stepResultSchema).default([]),
  store: artefactStoreSchema,
});
export type StepItem = z.output<typeof stepItemSchema>;

/** A changed file as it is on disk after the step; `content` is null when it is gone. */
export const readBackSchema = z.object({ path: z.string(), content: z.string().nullable() });

/** What a body gives back for one step. */
export const stepOutputSchema = z.object({
  result: stepResultSchema,
  files: z.array(readBackSchema).default([]),
  exit: z.string().default(''),
  turns: z.int().min(0).default(0),
});
export type StepOutput = z.output<typeof stepOutputSchema>;
