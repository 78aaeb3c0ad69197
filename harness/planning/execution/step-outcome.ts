import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { compared, decided, fact } from '../../layers/shared/explain';
import { planPath, uniquePaths } from '../artefacts/paths';
import { describeStep, isCommandStep, type PlanStep, writeTools } from '../artefacts/plan-step';
import type { StepResult } from '../artefacts/results';

export const stepOutcomeConfigSchema = z.object({
  failOnRed: z.boolean().default(false).meta({
    title: 'A check that ran and failed fails its step',
    description: 'Off by the specification: what is red after the last step is the business of post-validation.',
  }),
});
export type StepOutcomeConfig = z.output<typeof stepOutcomeConfigSchema>;
export const defaultStepOutcomeConfig: StepOutcomeConfig = stepOutcomeConfigSchema.parse({});

/** One tool call of a step with what became of it, out of band (decision P8): no verdict is read from text. */
export interface StepCall {
  tool: string;
  file_path?: string;
  /** `ran`: the tool did its work, whatever the result; `refused`: a guard or a person said no; `error`: it could not be done. */
  status: 'ran' | 'refused' | 'error';
  /** Of a command; `null` when it did not end by itself (timeout, killed). */
  exit_code?: number | null;
}

export interface StepRun {
  step: PlanStep;
  calls: readonly StepCall[];
  /** How the loop ended: `task_complete` or the reason of its exit. */
  exit: string;
  /** What `task_complete` said. */
  summary: string;
}

export interface StepVerdict {
  result: StepResult;
  decision: Decision;
}

const did = ({ status, exit_code }: StepCall): boolean => status === 'ran' && exit_code !== null;

/** Creating and editing are one act on a file: which of the two was right shows only on disk. */
function actionHappened(step: PlanStep, calls: readonly StepCall[]): boolean {
  const done = calls.filter(did);
  if (isCommandStep(step)) return done.some(({ tool }) => tool === step.tool);
  const tools = writeTools.includes(step.tool) ? writeTools : [step.tool];
  const path = planPath(step.file_path);
  return done.some((call) => tools.includes(call.tool) && (path === '' || planPath(call.file_path ?? '') === path));
}

/** Tools of the step's contract that had to run and did not. */
const checksNotRun = ({ contract }: PlanStep, calls: readonly StepCall[]): string[] => {
  const required = (contract?.success_checks ?? []).map(({ tool }) => tool.trim()).filter((tool) => tool !== '');
  return [...new Set(required)].filter((tool) => !calls.some((call) => call.tool === tool && did(call)));
};

const lastRed = (calls: readonly StepCall[]): StepCall | null => {
  const last = calls.filter((call) => ['run_tests', 'run_lint'].includes(call.tool) && did(call)).at(-1);
  return last !== undefined && last.exit_code !== undefined && last.exit_code !== 0 ? last : null;
};

/**
 * Whether a step came to what it was for (planning.md §13): it fails when its action did not happen, a required check was not run, or it ended
 * without `task_complete`.
 */
export function judgeStep({ step, calls, exit, summary }: StepRun, config: StepOutcomeConfig = defaultStepOutcomeConfig): StepVerdict {
  const happened = actionHappened(step, calls);
  const missing = checksNotRun(step, calls);
  const red = config.failOnRed ? lastRed(calls) : null;
  const target = step.file_path === '' ? step.tool : `${step.tool} ${step.file_path}`;
  const failure_reasons = [
    ...(happened ? [] : [`its action did not happen: ${target}`]),
    ...missing.map((tool) => `a required check was not run: ${tool}`),
    ...(exit === 'task_complete' ? [] : [`it ended without task_complete: ${exit}`]),
    ...(red === null ? [] : [`${red.tool} ended with exit code ${red.exit_code}`]),
  ];
  const changed = calls.filter((call) => writeTools.includes(call.tool) && call.status === 'ran');
  const result: StepResult = {
    step_number: step.step_number,
    status: failure_reasons.length === 0 ? 'completed' : 'failed',
    tool: step.tool,
    file_path: step.file_path,
    description: describeStep(step),
    summary,
    changed_files: uniquePaths(changed.map(({ file_path }) => file_path ?? '')),
    failure_reasons,
  };
  return {
    result,
    decision: decided({
      rule: 'step_outcome',
      outcome: result.status,
      because: [
        fact('action happened', happened),
        compared('required checks not run', missing.length, '==', 0),
        { name: 'ended by', value: exit, operator: 'is', threshold: 'task_complete', holds: exit === 'task_complete' },
        fact('calls', calls.length),
        ...(config.failOnRed ? [fact('last check', red === null ? 'not red' : `exit code ${red.exit_code}`)] : []),
      ],
      alternatives: failure_reasons.map((reason) => ({ outcome: 'completed', needs: `not: ${reason}` })),
    }),
  };
}

/** The payload of a `checkpoint` event. */
export const checkpointOf = (step: PlanStep, status: 'running' | 'completed' | 'failed') => ({
  step_index: step.step_number,
  step_description: describeStep(step),
  status,
});

/** What a failed step adds to `.bridle/incomplete.md`. */
export const incompleteEntry = (result: StepResult): string =>
  [`## Step ${result.step_number}: ${result.description}`, '', ...result.failure_reasons.map((reason) => `- ${reason}`), ''].join('\n');

/** After a failure nothing further starts; members of the same group that are under way finish (planning.md §13). */
export const executionHalted = (results: readonly StepResult[]): boolean => results.some(({ status }) => status === 'failed');

/** Results for the steps that a halt kept from starting, so that a list of results always covers the plan. */
export const skippedResults = (steps: readonly PlanStep[], results: readonly StepResult[]): StepResult[] => {
  const known = new Set(results.map(({ step_number }) => step_number));
  return steps
    .filter(({ step_number }) => !known.has(step_number))
    .map((step) => ({
      step_number: step.step_number,
      status: 'skipped',
      tool: step.tool,
      file_path: step.file_path,
      description: describeStep(step),
      summary: '',
      changed_files: [],
      failure_reasons: ['an earlier step failed'],
    }));
};
