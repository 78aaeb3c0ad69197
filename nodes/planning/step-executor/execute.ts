import { userError } from '@/harness/contract/errors';
import { type ExecuteContext, implementNode, type VisitResult } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import type { CallScope } from '@/harness/contract/tool';
import { uniquePaths } from '@/harness/planning/artefacts/paths';
import type { PlanStep } from '@/harness/planning/artefacts/plan-step';
import type { StepResult } from '@/harness/planning/artefacts/results';
import { checkpointOf, judgeStep, skippedResults } from '@/harness/planning/execution/step-outcome';
import { isRegressionPath } from '@/harness/planning/guards/path-rules';
import { windowOf } from '../support/config';
import { requirePlan } from '../support/material';
import { WorkNotes } from '../support/notes';
import { readBack } from '../support/read-back';
import { planningState, planningWrites } from '../support/state';
import { type StepItem, type StepOutput, stepItemSchema } from '../support/step-item';
import { type LoopContext, type LoopResult, runToolLoop } from '../support/tool-loop';
import { stepExecutorNode } from './node';
import { stepMessages, stepReminder } from './prompt';
import { changedPaths, checkCalls, createdPaths, stepCalls } from './step-calls';

type Context = ExecuteContext<ConfigOf<typeof stepExecutorNode>>;

export const executeStepExecutor = implementNode(stepExecutorNode, async (context) => {
  const item = itemOf(context);
  const { step } = item;
  // stored, so that a resumed visit does not see a failure that came later
  const late = await context.once('an earlier step failed', () => siblingFailed(context, item));
  if (late) return skipped(context, step);
  checkpoint(context, step, 'running');
  const notes = ownNotes(context);
  const loop = await carryOut(context, item, notes);
  const { result, decision } = judgeStep(
    { step, calls: stepCalls(loop.calls, context.run.workspace), exit: loop.exit, summary: loop.summary ?? loop.text },
    context.config,
  );
  context.decide(decision);
  tellChecks(context, loop);
  const changed = uniquePaths([...result.changed_files, ...changedPaths(loop.calls, context.run.workspace)]);
  const files = await readBack(context, changed.slice(0, context.config.readBackFiles));
  checkpoint(context, step, result.status === 'completed' ? 'completed' : 'failed', result);
  const created = createdPaths(loop.calls, context.run.workspace).filter((path) => isRegressionPath(path));
  return {
    output: outputOf({ result: { ...result, changed_files: changed }, files, exit: loop.exit, turns: loop.turns }),
    writes: { ...writesOf({ ...result, changed_files: changed }, created), ...journalWrites(context, notes) },
  };
});

function itemOf(context: Context): StepItem {
  const item = stepItemSchema.safeParse(context.input);
  if (item.success) return item.data;
  throw userError('STEP_NO_ITEM', `"${context.node.label}" was given no step. Put it inside “Execute plan”, which hands it one.`);
}

const siblingFailed = (context: Context, { siblings }: StepItem): boolean =>
  planningState(context).stepResults.some(({ step_number, status }) => status === 'failed' && siblings.includes(step_number));

function skipped(context: Context, step: PlanStep): VisitResult {
  const [result] = skippedResults([step], []);
  if (result === undefined) throw userError('STEP_NO_ITEM', `"${context.node.label}" was given no step.`);
  context.decide({
    rule: 'execution halted',
    outcome: 'this step is not started',
    because: [{ name: 'step', value: step.step_number }],
    alternatives: [{ outcome: 'carry it out', needs: 'no failed step in its group' }],
  });
  return { output: outputOf({ result, files: [], exit: '', turns: 0 }), writes: writesOf(result) };
}

/** A step writes down what it must not lose when its context is rebuilt; notes of exploration and of other steps are not its own. */
const ownNotes = (context: Context): WorkNotes =>
  new WorkNotes(context, { ...planningState(context), observations: [], journal: [], scratchpad: '' });

/** The conversation of the step: its own, begun anew, with guards told of the step's contract. */
async function carryOut(context: Context, item: StepItem, notes: WorkNotes): Promise<LoopResult> {
  const { config } = context;
  const { step } = item;
  const channels = planningState(context);
  const messages = stepMessages(
    { plan: requirePlan(context, channels), step, context: channels.planTask.context, completed: item.completed, store: item.store },
    context.text(config.instructions),
  );
  const [system, user] = [messages[0]?.content ?? '', messages[1]?.content ?? ''];
  return runToolLoop(guarded(context, step), {
    role: item.writes_test ? config.testRole : config.role,
    messages,
    tools: config.tools,
    loop: { maxTurns: config.maxTurns, reminderInterval: config.reminderInterval, texts: { reminder: stepReminder(step) } },
    settings: config,
    executing: true,
    local: [notes.scratchpadTool(), notes.journalTool()],
    refresh: (before) => notes.rebuilt(before, { system, user, window: windowOf(config) }),
  });
}

/** The same context, whose tool calls carry the contract of the step. */
function guarded(context: Context, { contract }: PlanStep): LoopContext {
  const scope: CallScope | undefined =
    contract === undefined
      ? undefined
      : {
          contract: {
            mayChange: contract.may_change.length === 0 ? null : contract.may_change.map(({ path }) => path),
            mustNotChange: contract.must_not_change,
            allowedTools: contract.allowed_tools.length === 0 ? null : contract.allowed_tools,
          },
        };
  return {
    node: context.node,
    signal: context.signal,
    attachments: context.attachments,
    model: (request) => context.model(request),
    tools: () => context.tools(),
    tool: (name, input) => (scope === undefined ? context.tool(name, input) : context.tool(name, input, scope)),
    decide: (decision) => context.decide(decision),
    log: (level, message) => context.log(level, message),
    inbox: () => context.inbox(),
  };
}

function checkpoint(context: Context, step: PlanStep, status: 'running' | 'completed' | 'failed', result?: StepResult): void {
  const point = checkpointOf(step, status);
  context.decide({
    rule: 'checkpoint',
    outcome: status,
    because: [
      { name: 'step_index', value: point.step_index },
      { name: 'step_description', value: point.step_description },
      ...(result === undefined || result.failure_reasons.length === 0 ? [] : [{ name: 'reasons', value: result.failure_reasons }]),
    ],
  });
}

function tellChecks(context: Context, { calls }: LoopResult): void {
  for (const { name, arguments: given, exit_code } of checkCalls(calls)) {
    context.decide({
      rule: 'test_result',
      outcome: exit_code === 0 ? 'passed' : 'failed',
      because: [
        { name: 'tool', value: name },
        { name: 'exit code', value: exit_code, operator: '==', threshold: 0, holds: exit_code === 0 },
        { name: 'arguments', value: given },
      ],
    });
  }
}

const outputOf = ({ result, ...rest }: StepOutput) => ({ ...rest, result: { ...result } });

const writesOf = (result: StepResult, created: readonly string[] = []) =>
  planningWrites({
    stepResults: [{ ...result, id: String(result.step_number) }],
    modifiedFiles: result.changed_files.length === 0 ? undefined : result.changed_files,
    createdRegressionFiles: created.length === 0 ? undefined : [...created],
  });

/** The journal goes on across steps, also for a later `/resume`; scratchpads end with their step. */
function journalWrites(context: Context, { entries }: WorkNotes): VisitResult['writes'] {
  if (entries.length === 0) return {};
  return planningWrites({ journal: [...entries], sessionWork: { journal: [...planningState(context).journal, ...entries] } });
}
