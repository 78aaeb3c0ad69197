import { z } from 'zod';
import { renderNamingTable } from '../artefacts/design';
import type { ExecutionPlan } from '../artefacts/execution-plan';
import { bullet } from '../artefacts/markdown';
import { describeStep, type PlanStep } from '../artefacts/plan-step';
import { renderNameRegistry, renderStep } from '../artefacts/render-execution-plan';
import type { StepResult } from '../artefacts/results';
import { type ArtefactStore, renderStoredFiles } from './artefact-store';

export const stepPromptConfigSchema = z.object({
  describeChars: z.int().min(20).max(1000).default(120).meta({ title: 'Characters of a step in checklists and lists of finished steps' }),
});
export type StepPromptConfig = z.output<typeof stepPromptConfigSchema>;
export const defaultStepPromptConfig: StepPromptConfig = stepPromptConfigSchema.parse({});

export interface StepPromptInput {
  plan: Pick<ExecutionPlan, 'naming_conventions' | 'name_registry'>;
  step: PlanStep;
  /** Project context and steering documents; may be empty. */
  context: string;
  completed: readonly StepResult[];
  store: ArtefactStore;
}

export interface StepPromptParts {
  /** Context, naming table, name registry. */
  system: string[];
  /** The step, what was done before it, files as they are now. */
  user: string[];
}

const section = (title: string, body: string): string[] => (body.trim() === '' ? [] : [`## ${title}\n\n${body.trim()}`]);

/** Finished steps in one line each, in the order in which they finished. */
export const renderCompleted = (completed: readonly StepResult[]): string =>
  completed
    .filter(({ status }) => status === 'completed')
    .map(({ step_number, description, summary }) => bullet(`Step ${step_number}: ${summary.trim() === '' ? description : summary.trim()}`))
    .join('\n');

const contractText = ({ contract }: PlanStep): string =>
  contract === undefined
    ? ''
    : [
        `Job: ${contract.job}`,
        ...contract.inputs.map(({ source, details }) => bullet(`Input ${source}: ${details}`)),
        ...contract.may_change.map(({ path, change }) => bullet(`May change \`${path}\`: ${change}`)),
        ...contract.must_not_change.map((what) => bullet(`Must not change: ${what}`)),
        ...(contract.output_shape === '' ? [] : [bullet(`Result: ${contract.output_shape}`)]),
        ...(contract.blocked_protocol === '' ? [] : [bullet(`If blocked: ${contract.blocked_protocol}`)]),
      ].join('\n');

/** Everything that the executor of one step is told besides its role (planning.md §13). Parts without content are left out. */
export function stepPromptParts({ plan, step, context, completed, store }: StepPromptInput): StepPromptParts {
  const naming = plan.naming_conventions.length === 0 ? '' : renderNamingTable(plan.naming_conventions);
  const registry = plan.name_registry.length === 0 ? '' : renderNameRegistry(plan.name_registry);
  const files = renderStoredFiles(store);
  return {
    system: [...section('Context', context), ...section('Naming conventions', naming), ...section('Name registry', registry)],
    user: [
      renderStep(step),
      ...section('Contract', contractText(step)),
      ...section('Finished steps', renderCompleted(completed)),
      ...(files === '' ? [] : [files]),
    ],
  };
}

export interface ChecklistEntry {
  step_index: number;
  description: string;
  tool: string;
  file_path: string;
}

/** The payload of `execution_checklist`: every step in the order in which it runs. `step_index` is the step's number. */
export function executionChecklist(
  plan: Pick<ExecutionPlan, 'tdd_test_steps' | 'steps'>,
  config: StepPromptConfig = defaultStepPromptConfig,
): { steps: ChecklistEntry[]; total: number } {
  const steps = [...plan.tdd_test_steps, ...plan.steps].map((step) => ({
    step_index: step.step_number,
    description: describeStep(step, config.describeChars),
    tool: step.tool,
    file_path: step.file_path,
  }));
  return { steps, total: steps.length };
}
