import { z } from 'zod';
import { coreFunctionalityTagSchema, namingConventionSchema } from './design';
import { planStepSchema } from './plan-step';

/** The names one entity goes by across files, so that isolated steps agree on them (planning.md §8). */
export const nameRegistryEntrySchema = z.object({
  entity: z.string(),
  model_class: z.string().default(''),
  module_namespace: z.string().default(''),
  import_stmt: z.string().default(''),
  db_table: z.string().default(''),
  file_path: z.string().default(''),
  route_endpoint: z.string().default(''),
  registered_in: z.array(z.string()).default([]).describe('Files that have to mention it; each should have an edit step.'),
  test_file: z.string().default(''),
});
export type NameRegistryEntry = z.output<typeof nameRegistryEntrySchema>;

/** The plan a person approves and the executor follows (planning.md §8). Steps are numbered without gaps once assembled. */
export const executionPlanSchema = z.object({
  scope: z.string(),
  user_summary: z.string().default('').describe('For the person who approves; at most about 1,000 words.'),
  naming_conventions: z.array(namingConventionSchema).default([]),
  name_registry: z.array(nameRegistryEntrySchema).default([]),
  steps: z.array(planStepSchema),
  tdd_test_steps: z.array(planStepSchema).default([]),
  affected_files: z.array(z.string()).default([]),
  test_strategy: z.string().default(''),
  plan_validation_warnings: z.array(z.string()).default([]),
  core_functionality: z.array(coreFunctionalityTagSchema).default([]),
});
export type ExecutionPlan = z.output<typeof executionPlanSchema>;

/** What phase 5 adds to a plan (planning.md §9). */
export const verificationPlanSchema = z.object({ steps: z.array(planStepSchema) });
export type VerificationPlan = z.output<typeof verificationPlanSchema>;
