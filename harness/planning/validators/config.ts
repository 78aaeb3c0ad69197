import { z } from 'zod';
import { tagConfidenceSchema } from '../artefacts/design';
import { patternSchema } from '../artefacts/pattern';
import { stepTools } from '../artefacts/plan-step';
import { regressionPattern } from '../guards/path-rules';

export const validatorIds = ['V1', 'V2', 'V3', 'V4', 'V5', 'V6', 'V7'] as const;
export const extraCheckIds = [
  'success-checks',
  'tdd-coverage',
  'tdd-required',
  'full-suite-command',
  'specific-checks',
  'core-regression-check',
] as const;
export const checkIdSchema = z.enum([...validatorIds, ...extraCheckIds]);
export type CheckId = z.output<typeof checkIdSchema>;

export const severitySchema = z.enum(['info', 'warn', 'block']);
export type Severity = z.output<typeof severitySchema>;

export const checkChoiceSchema = z.object({
  id: checkIdSchema.meta({ title: 'Check' }),
  severity: severitySchema.default('warn').meta({ title: 'What a finding does' }),
});
export type CheckChoice = z.output<typeof checkChoiceSchema>;

const choices = (...ids: CheckId[]): CheckChoice[] => ids.map((id) => ({ id, severity: 'warn' }));

/** The checks of plan assembly and of verification steps (planning.md §8, §9). */
export const assemblyChecks: CheckChoice[] = choices('V1', 'V2', 'V3', 'V4');
export const verificationChecks: CheckChoice[] = choices('V5', 'V6', 'V7');

/** The further checks with the severities the specification suggests. */
export const extraChecks: CheckChoice[] = extraCheckIds.map((id) => ({ id, severity: id === 'core-regression-check' ? 'warn' : 'block' }));

/** File name endings of code that runs (planning.md §10). */
export const executableExtensions: readonly string[] =
  'py pyi ts tsx js jsx mjs cjs go rs java kt kts cs fs vb rb php swift m mm cpp cxx cc c h hpp hh ex exs erl hrl scala clj cljs lua dart ml mli hs r nim zig v d'.split(
    ' ',
  );

export const validatorConfigSchema = z.object({
  checks: z
    .array(checkChoiceSchema)
    .default([...assemblyChecks, ...verificationChecks])
    .meta({ title: 'Checks', description: 'Run in this order. Only a check that blocks can stop the plan.' }),
  placement: z.enum(['before-verification', 'after-verification']).default('before-verification').meta({
    title: 'Where the check stands',
    description: 'After the verification steps, test files that they create are no invented paths.',
  }),
  allowedTools: z
    .array(z.string())
    .default([...stepTools])
    .meta({ title: 'Tools that a step may use' }),
  missingFilesNeed: z
    .enum(['create-or-edit', 'any-step'])
    .default('create-or-edit')
    .meta({ title: 'What covers a missing file', description: 'A step that only reads a missing file does not bring it about.' }),
  minConfidence: tagConfidenceSchema.default('medium').meta({ title: 'Least confidence of a core tag that needs a regression test' }),
  executableExtensions: z
    .array(z.string())
    .default([...executableExtensions])
    .meta({ title: 'Endings of executable files' }),
  testTokens: z.array(z.string().min(1)).default(['test', 'spec']).meta({ title: 'Words that mark a test path' }),
  regressionPattern: patternSchema.default(regressionPattern).meta({ title: 'Regression convention (regular expression)' }),
});
export type ValidatorConfig = z.output<typeof validatorConfigSchema>;

const ranks: Readonly<Record<string, number>> = { low: 0, medium: 1, high: 2 };

/** low 0 < medium 1 < high 2; anything else counts as medium (planning.md §10). */
export const confidenceRank = (confidence: string): number => ranks[confidence] ?? 1;
