import type { ExecuteContext } from '@/harness/contract/execute';
import { implementNode } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import { describeBlocked } from '@/harness/layers/planning/dependents';
import { newTask } from '@/harness/layers/planning/revalidate';
import { taskById } from '@/harness/layers/planning/state';
import { type Blocker, blockerAsk } from '@/harness/layers/recovery/blocker';
import { failureSigns, matchFailure } from '@/harness/layers/recovery/failure';
import { pushHistory, settleGone } from '@/harness/layers/recovery/history';
import { type RecoverInput, type RecoverResult, recover } from '@/harness/layers/recovery/recover';
import { detectStall } from '@/harness/layers/recovery/stall';
import type { Directive } from '@/harness/layers/recovery/supervisor';
import type { Progress, ToolResult } from '../channels';
import { clip, decideAll, isoNow } from '../support/helpers';
import { type ControlChannels, stateOf } from '../support/state';
import { type Work, withNote, workOf } from '../support/work';
import { writesOf } from '../support/writes';
import { askSupervisor, matchByModel } from './checks';
import { investigate } from './investigate';
import { recovery } from './node';

type Context = ExecuteContext<ConfigOf<typeof recovery>>;

/** What the supervisor led to before the rules are applied. */
interface Supervised {
  directive?: Directive | undefined;
  found: ToolResult[];
  note: string | null;
  used: Partial<Progress>;
}

export const executeRecovery = implementNode(recovery, async (context) => {
  const { config } = context;
  const state = stateOf(context);
  const { progress, verification, failureDiagnostics, memoryState } = state;
  const work = workOf(state, context.input);
  const signs = failureSigns(state.taskResults[work.id], verification?.task_id === work.id ? verification : null);
  const at = await isoNow(context);
  const matched = await matchOf(context, state, { work, symptoms: signs.symptoms });
  const input: RecoverInput = {
    task: work.task ?? newTask({ id: work.id, description: work.description }),
    kind: signs.kind,
    at,
    strategy: state.strategyState,
    failures: { ...failureDiagnostics, matched_pattern: matched },
    taskGraph: state.taskGraph,
    beliefs: state.worldModel.beliefs,
    successCriteria: state.callerState.success_criteria,
    experience: state.experienceStore,
    mayRebuild: progress.plan_revisions < config.planRevisions,
  };
  const supervised = await supervise(context, state, { work, input, symptoms: signs.symptoms });
  const result = recover({ ...input, directive: supervised.directive }, config);
  decideAll(context, result.decisions);
  const messages = state.conversation[work.id] ?? [];
  return {
    port: result.port,
    output: {
      task_id: state.currentTask,
      kind: signs.kind,
      failure_class: matched?.failure_class ?? 'unknown',
      strategy: result.strategy.current_strategy,
      scope: result.scope,
      stall: result.stallReason,
      message: messageFor(work, signs.symptoms, result),
    },
    writes: writesOf(context, {
      taskGraph: result.taskGraph,
      strategyState: pushHistory(result.strategy, result.taskGraph, state.controlState),
      failureDiagnostics: result.scope === 'GLOBAL' ? settleGone(result.failures, result.taskGraph) : result.failures,
      memoryState: {
        ...memoryState,
        journal: [
          ...memoryState.journal,
          {
            step: progress.steps_used,
            action_class: state.strategyState.current_strategy,
            outcome: `Failed: ${clip(work.description, 200)}`,
            ...(config.excerpt === 0 || signs.symptoms.length === 0 ? {} : { verbatim: clip(signs.symptoms.join('; '), config.excerpt) }),
            success: false,
            ...(matched ? { failure_class: matched.failure_class } : {}),
          },
        ],
      },
      ...(supervised.found.length > 0 ? { toolResults: [...state.toolResults, ...supervised.found] } : {}),
      ...(supervised.note === null ? {} : { conversation: { [work.id]: withNote(messages, supervised.note, null) } }),
      progress: {
        ...supervised.used,
        ...(result.scope === 'GLOBAL' ? { plan_revisions: progress.plan_revisions + 1 } : {}),
        ...(result.port === 'escalate' ? called(context, state, { work, symptoms: signs.symptoms, result, at }) : {}),
      },
    }),
  };
});

async function matchOf(context: Context, state: ControlChannels, { work, symptoms }: { work: Work; symptoms: string[] }) {
  const { failure_mode_library, matched_pattern } = state.failureDiagnostics;
  const byWords = context.config.matchByWords ? matchFailure(symptoms, failure_mode_library.entries, matched_pattern) : matched_pattern;
  if (!context.config.matchByModel) return byWords;
  return (await matchByModel(context, state, work, symptoms)) ?? byWords;
}

/** Asks the supervisor when, and only when, this failure stalls the run (INV-22), and does what it wants done first. */
async function supervise(
  context: Context,
  state: ControlChannels,
  { work, input, symptoms }: { work: Work; input: RecoverInput; symptoms: string[] },
): Promise<Supervised> {
  const nothing: Supervised = { found: [], note: null, used: {} };
  if (!context.config.supervisor) return nothing;
  const failed = { failure_class: input.failures.matched_pattern?.failure_class ?? 'unknown' };
  const failures = [...input.failures.failure_history, failed];
  const { stalled, reason } = detectStall({ strategy: input.strategy, failures }, context.config.stall);
  if (!stalled) return nothing;
  const directive = await askSupervisor(context, state, { work, reason, symptoms });
  const { supervisor } = state.progress;
  if (directive?.action === 'GATHER_EVIDENCE') {
    const calls = directive.calls ?? context.config.gatherCalls;
    const found = await investigate(context, work, { calls, why: directive.rationale || symptoms.join('; ') });
    return { directive, found, note: null, used: { supervisor: { ...supervisor, gathers: supervisor.gathers + 1 } } };
  }
  if (directive?.action === 'ASK_USER' && directive.question) {
    const { question, options } = directive.question;
    const blocker: Blocker = { ...blockerFor(work, symptoms, input.at), reason: 'supervisor_question', question, options };
    const answer = await context.ask(`supervisor-${supervisor.asks + 1}`, blockerAsk(blocker));
    const chosen = options[Number(answer.choice.replace('option-', '')) - 1] ?? answer.choice;
    const said = [chosen, answer.comment ?? ''].filter((part) => part !== '').join(': ');
    const used = { supervisor: { ...supervisor, asks: supervisor.asks + 1 } };
    if (answer.choice === 'stop') return { directive: { action: 'ABORT', rationale: 'a person stopped it' }, found: [], note: null, used };
    const goOn: Directive = { action: 'REDIRECT_STRATEGY', rationale: `a person answered: ${said}` };
    return { directive: goOn, found: [], note: `Question: ${question}\nA person answers: ${said}`, used };
  }
  return { ...nothing, directive };
}

const blockerFor = (work: Work, symptoms: readonly string[], at: string): Blocker => ({
  reason: 'cannot_make_progress',
  missing_info: symptoms.slice(0, 10).map((line) => clip(line, 300)),
  current_task_summary: work.description,
  escalated_at: at,
});

/** What tells a person, and, where it is switched on, the next resolve, that the run is stuck. */
function called(
  { config }: Context,
  { progress }: ControlChannels,
  { work, symptoms, result, at }: { work: Work; symptoms: string[]; result: RecoverResult; at: string },
): Partial<Progress> {
  const dimension = result.stallReason === '' ? 'strategy ladder' : result.stallReason;
  return {
    blocker: blockerFor(work, symptoms, at),
    ...(config.callAtResolve ? { escalations: [...progress.escalations, { source: 'recovery', dimension }] } : {}),
  };
}

function messageFor(work: Work, symptoms: readonly string[], result: RecoverResult): string {
  const status = taskById(result.taskGraph, work.id)?.status;
  const failed = `"${work.description}" failed${symptoms.length > 0 ? `: ${clip(symptoms.join('; '), 500)}` : ''}.`;
  const next = result.requeued
    ? 'It is tried again.'
    : result.scope === 'GLOBAL'
      ? 'The plan was rebuilt.'
      : status === 'FAILED'
        ? 'It is not tried again.'
        : '';
  return [failed, next, ...describeBlocked(result.taskGraph)].filter((line) => line !== '').join('\n');
}
