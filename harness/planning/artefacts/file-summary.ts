import { z } from 'zod';

export const observationRoleSchema = z.enum(['modify', 'create', 'reference', 'missing']);
export type ObservationRole = z.output<typeof observationRoleSchema>;

/** What exploration learned of one file (planning.md §6). `file_path` is its identity: a later record replaces an earlier one. */
export const fileObservationSchema = z.object({
  file_path: z.string(),
  role: observationRoleSchema,
  reason: z.string(),
  relevant_sections: z.string().default(''),
  key_snippets: z.array(z.string()).default([]).describe('Verbatim passages of 15 to 25 lines.'),
});
export type FileObservation = z.output<typeof fileObservationSchema>;

export const testCoverageSchema = z.object({
  source_file: z.string(),
  test_files: z.array(z.string()).default([]),
  coverage_notes: z.string().default(''),
});

/** How this workspace tests (planning.md §6). Every field may stay empty. */
export const testingInventorySchema = z.object({
  test_framework: z.string().default(''),
  test_directory: z.string().default(''),
  test_file_pattern: z.string().default(''),
  assertion_style_excerpt: z.string().default(''),
  existing_regression_files: z.array(z.string()).default([]),
  affected_files_existing_coverage: z.array(testCoverageSchema).default([]),
  notes: z.string().default(''),
});
export type TestingInventory = z.output<typeof testingInventorySchema>;

export const missingInfrastructureSchema = z.object({ name: z.string(), reason: z.string(), blocking: z.boolean().default(false) });

/** An external dependency whose documentation was read. */
export const verifiedReferenceSchema = z.object({
  dependency: z.string(),
  docs_url: z.string(),
  version: z.string().default(''),
  confirmed_patterns: z.string().default(''),
});

export const assumptionStatusSchema = z.enum(['confirmed', 'falsified', 'unable_to_verify']);

export const resolvedAssumptionSchema = z.object({
  assumption: z.string(),
  status: assumptionStatusSchema,
  evidence: z.string().default(''),
});

const observations = () => z.array(fileObservationSchema).default([]);

/** What phase 2 found (planning.md §6). Its paths are what the validators hold a plan against. */
export const fileSummarySchema = z.object({
  files_to_modify: observations(),
  files_to_create: observations(),
  files_read_for_context: observations(),
  missing_infrastructure: z.array(missingInfrastructureSchema).default([]),
  verified_references: z.array(verifiedReferenceSchema).default([]),
  assumptions_resolved: z.array(resolvedAssumptionSchema).default([]),
  testing_inventory: testingInventorySchema.nullable().default(null),
  notes: z.string().default(''),
});
export type FileSummary = z.output<typeof fileSummarySchema>;
