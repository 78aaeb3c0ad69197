import type { BodyResult } from '@/harness/contract/execute';
import type { Json } from '@/harness/contract/json';
import { describeStep, type PlanStep } from '@/harness/planning/artefacts/plan-step';
import type { StepResult } from '@/harness/planning/artefacts/results';
import type { ArtefactStore } from '@/harness/planning/execution/artefact-store';
import type { StepGroup } from '@/harness/planning/grouping/group-steps';
import { planningState } from '../support/state';
import { type ExecutionPhase, type StepItem, type StepOutput, stepOutputSchema } from '../support/step-item';
import type { ExecutionContext } from './execute';

/** What the groups hand on to one another. */
export interface GroupRun {
  phase: ExecutionPhase;
  /** Steps that write tests before the change. */
  tests: ReadonlySet<PlanStep>;
  completed: StepResult[];
  store: ArtefactStore;
  /** Steps that failed in an earlier visit; their old rows must not stop anybody now. */
  staleFailures: readonly number[];
}

type Member = Pick<StepOutput, 'result' | 'files'>;

/** Runs the body once for each member, at most `parallel` at once. A failure does not break off members that are under way. */
export async function runGroup(context: ExecutionContext, group: StepGroup, run: GroupRun): Promise<Member[]> {
  const siblings = group.steps.map(({ step_number }) => step_number).filter((number) => !run.staleFailures.includes(number));
  const items = group.steps.map(
    (step): StepItem => ({
      step,
      group: group.number,
      phase: run.phase,
      writes_test: run.tests.has(step),
      siblings: siblings.filter((number) => number !== step.step_number),
      completed: run.completed,
      store: run.store,
    }),
  );
  const bodies = await context.each(
    `group-${group.number}`,
    // an item is plain JSON by its schema
    items as unknown as Json[],
    { concurrency: context.config.parallel, onError: 'collect' },
  );
  return group.steps.map((step, index) => memberOf(context, step, bodies[index]));
}

/** What the body says of its step; a body that ends with other nodes has left its result in the channel. */
function memberOf(context: ExecutionContext, step: PlanStep, body: BodyResult | undefined): Member {
  if (body?.outcome !== 'done') return { result: failedBody(step, body?.error?.message ?? 'it did not run'), files: [] };
  const output = stepOutputSchema.safeParse(body.output);
  if (output.success) return output.data;
  const row = planningState(context).stepResults.find(({ step_number }) => step_number === step.step_number);
  return { result: row ?? failedBody(step, 'the nodes inside “Execute plan” gave no result for it'), files: [] };
}

const failedBody = (step: PlanStep, problem: string): StepResult => ({
  step_number: step.step_number,
  status: 'failed',
  tool: step.tool,
  file_path: step.file_path,
  description: describeStep(step),
  summary: '',
  changed_files: [],
  failure_reasons: [problem],
});
