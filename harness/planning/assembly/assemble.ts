import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { compared, decided, fact } from '../../layers/shared/explain';
import { type DesignAndRisks, describeMissingFile, type MissingFile } from '../artefacts/design';
import type { ExecutionPlan } from '../artefacts/execution-plan';
import type { FileSummary } from '../artefacts/file-summary';
import { bullet } from '../artefacts/markdown';
import type { CommandSet } from '../artefacts/results';
import type { ValidatorConfig } from '../validators/config';
import { uncoveredMissingFiles } from '../validators/missing-files';
import { type ValidationReport, validatePlan } from '../validators/run';
import { hasWriteStep, noWriteStepWarning, sanitisePlan } from './sanitise';

export const assemblyConfigSchema = z.object({
  autoRevise: z.int().min(0).max(10).default(1).meta({
    title: 'Automatic revisions',
    description: 'How often the plan is sent back by itself while a blocking missing file is covered by no step.',
  }),
  coreFunctionality: z.boolean().default(true).meta({ title: 'Take core functionality over from the design' }),
  testability: z.boolean().default(true).meta({ title: 'Ask for seams that tests can use' }),
});
export type AssemblyConfig = z.output<typeof assemblyConfigSchema>;
export const defaultAssemblyConfig: AssemblyConfig = assemblyConfigSchema.parse({});

export interface AssemblyInput {
  /** The plan as the model wrote it. */
  plan: ExecutionPlan;
  design: DesignAndRisks;
  fileSummary: FileSummary | null;
  validators: ValidatorConfig;
  config: AssemblyConfig;
  commands?: CommandSet;
  /** Automatic revisions that this plan has had. */
  revisions: number;
}

export interface Assembled {
  plan: ExecutionPlan;
  report: ValidationReport;
  decisions: Decision[];
  /** What the reviser is told, when the plan has to be sent back by itself; `null` when it may go on. */
  feedback: string | null;
}

/** The block of the prompt that lists what must come into being (planning.md §8). */
export const missingFilesBlock = (missing: readonly MissingFile[]): string =>
  missing.length === 0
    ? ''
    : `## Required missing files\n\nEach of these needs a step that creates or edits it.\n\n${missing.map((file) => bullet(describeMissingFile(file))).join('\n')}`;

/** The feedback that the automatic revision is made of. */
export const missingFilesFeedback = (missing: readonly MissingFile[]): string =>
  `The plan has no step for these files, and the change cannot work without them:\n\n${missing
    .map((file) => bullet(describeMissingFile(file)))
    .join('\n')}\n\nAdd a create_file or edit_file step for each, before the steps that need it. Leave the other steps as they are.`;

function revisionDecision(uncovered: readonly MissingFile[], input: AssemblyInput): { revise: boolean; decision: Decision } {
  const revise = uncovered.length > 0 && input.revisions < input.config.autoRevise;
  return {
    revise,
    decision: decided({
      rule: 'auto_revision',
      outcome: revise ? 'send the plan back once' : uncovered.length === 0 ? 'not needed' : 'warn only',
      because: [
        compared('blocking missing files without a step', uncovered.length, '>', 0),
        compared('automatic revisions made', input.revisions, '<', input.config.autoRevise),
        ...(uncovered.length === 0
          ? []
          : [
              fact(
                'files',
                uncovered.map(({ file_path }) => file_path),
              ),
            ]),
      ],
      alternatives: revise ? [{ outcome: 'not needed', needs: 'a create or edit step for each blocking file' }] : [],
    }),
  };
}

/**
 * From the model's plan to the plan that people see (planning.md §8): core tags from the design, allowed tools only, numbered, validated, and
 * sent back by itself at most `autoRevise` times. Whatever the model wrote into the fields that later phases own is discarded.
 */
export function assemblePlan(input: AssemblyInput): Assembled {
  const { design, fileSummary, validators, config } = input;
  const core = config.coreFunctionality ? design.core_functionality : [];
  const { plan, decisions } = sanitisePlan({ ...input.plan, tdd_test_steps: [], core_functionality: core }, validators.allowedTools);
  const context = {
    plan,
    fileSummary,
    missingFiles: design.missing_files,
    config: validators,
    ...(input.commands === undefined ? {} : { commands: input.commands }),
  };
  const report = validatePlan(context);
  const uncovered = uncoveredMissingFiles(context).filter(({ blocking }) => blocking);
  const { revise, decision } = revisionDecision(uncovered, input);
  const warnings = [...(hasWriteStep(plan) ? [] : [noWriteStepWarning]), ...report.warnings];
  return {
    plan: { ...plan, plan_validation_warnings: warnings },
    report,
    decisions: [...decisions, ...report.results.map((result) => result.decision), report.decision, decision],
    feedback: revise ? missingFilesFeedback(uncovered) : null,
  };
}
