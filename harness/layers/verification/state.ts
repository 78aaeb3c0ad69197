import { z } from 'zod';

/** The nine checks, always in this order (layers.md R9). */
export const checkNames = [
  'syntax',
  'unit',
  'integration',
  'consistency',
  'requirements',
  'assumptions',
  'goal_correctness',
  'evidence_sufficiency',
  'output_contract_partial',
] as const;
export type CheckName = (typeof checkNames)[number];

export const checkTiers: Record<CheckName, 'mechanical' | 'environmental' | 'model'> = {
  syntax: 'mechanical',
  unit: 'mechanical',
  integration: 'mechanical',
  consistency: 'mechanical',
  requirements: 'environmental',
  assumptions: 'environmental',
  goal_correctness: 'model',
  evidence_sufficiency: 'environmental',
  output_contract_partial: 'mechanical',
};

export const checkTools: Record<CheckName, string> = {
  syntax: 'linter',
  unit: 'pytest',
  integration: 'integration_runner',
  consistency: 'consistency_checker',
  requirements: 'requirements_checker',
  assumptions: 'assumption_checker',
  goal_correctness: 'goal_checker',
  evidence_sufficiency: 'evidence_checker',
  output_contract_partial: 'contract_checker',
};

export const checkStatusSchema = z.enum(['PASS', 'FAIL', 'SKIPPED']);
export type CheckStatus = z.output<typeof checkStatusSchema>;

export const checkResultSchema = z.object({
  check: z.enum(checkNames),
  tier: z.enum(['mechanical', 'environmental', 'model']),
  status: checkStatusSchema,
  /** What was found, or why nothing could be checked. */
  detail: z.string(),
  /** Evidence the check rests on. */
  evidence_ids: z.array(z.string()).default([]),
});
export type CheckResult = z.output<typeof checkResultSchema>;

export const verificationSchema = z.object({
  checks: z.array(checkResultSchema).default([]),
  has_critical_failure: z.boolean().default(false),
  critical_failure_tiers: z.array(z.string()).default([]),
  adversarial_passed: z.boolean().nullable().default(null),
  /** Checks that really passed. A skipped check is not verified and never counts here (D9). */
  verified: z.number().int().min(0).default(0),
  task_id: z.string().optional(),
});
export type Verification = z.output<typeof verificationSchema>;
