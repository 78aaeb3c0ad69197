import type { ExecuteContext } from '@/harness/contract/execute';
import type { ModelRole } from '@/harness/contract/model';
import type { ExecutionPlan } from '@/harness/planning/artefacts/execution-plan';
import { type PlanReply, planCall } from './plan-call';
import { modelPlanSchema } from './plan-schema';
import { prompt, section } from './prompt';

const system = [
  'You revise an execution plan for a change to a code base, after feedback.',
  '',
  '- Make targeted edits, not a rewrite: what the feedback does not touch stays word for word, verification steps included.',
  '- One step is exactly one tool call. Allowed tools: create_file, edit_file, read_file, run_command, run_tests, run_lint, format_code.',
  '- Whoever carries a step out sees this step alone: exact paths, snippets, signatures, the place in the file, and a reason.',
  '- Use only paths that the plan or the feedback names, or that the feedback makes necessary.',
  '- A test that a program cannot run by itself needs a hook: an edit_file step before it that makes what it checks reachable.',
  '- Files under the regression convention (`regression_…` or a `regression` folder) that exist already are never edited.',
  '- Keep name_registry and affected_files true to the steps. Give the whole plan back.',
].join('\n');

export interface Revision {
  previous: ExecutionPlan;
  feedback: string;
  task: string;
  role: ModelRole;
  corrections: number;
  contracts: boolean;
  instructions: string;
  maxOutputTokens: number | null;
}

/** One structured call: the previous plan and the feedback, without tools. */
export function askForRevision(context: Pick<ExecuteContext, 'model' | 'decide'>, revision: Revision): Promise<PlanReply<ExecutionPlan>> {
  const { previous, feedback, task, role, corrections, contracts, instructions, maxOutputTokens } = revision;
  const { plan_validation_warnings, core_functionality: _tags, ...shown } = previous;
  const testsFirst = previous.tdd_test_steps.length > 0;
  return planCall(context, {
    role,
    name: 'execution-plan',
    schema: modelPlanSchema({ contracts: contracts || previous.steps.some(({ contract }) => contract !== undefined), testsFirst }),
    system: prompt(system, instructions),
    prompt: prompt(
      section('Task', task),
      section('Feedback', feedback),
      section('Warnings on the plan', plan_validation_warnings.map((warning) => `- ${warning}`).join('\n')),
      section('The plan as it is', JSON.stringify(shown, null, 1)),
    ),
    corrections,
    maxOutputTokens,
  });
}
