import { z } from 'zod';
import type { ExecuteContext } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import { patternOf } from '@/harness/layers/recovery/failure';
import type { StallReason } from '@/harness/layers/recovery/stall';
import type { PatternMatch } from '@/harness/layers/recovery/state';
import { type Directive, directiveSchema, readDirective } from '@/harness/layers/recovery/supervisor';
import { compared, decided, fact } from '@/harness/layers/shared/explain';
import { clip } from '../support/helpers';
import { modelCheck } from '../support/model-check';
import type { ControlChannels } from '../support/state';
import type { Work } from '../support/work';
import type { recovery } from './node';

type Context = ExecuteContext<ConfigOf<typeof recovery>>;

const matchSchema = z.object({
  pattern: z.string().nullable(),
  confidence: z.number().min(0).max(1),
  reason: z.string().default(''),
});

/** Which pattern of the library a model sees in the failure; `null` when it sees none, or when it could not be asked. */
export async function matchByModel(
  context: Context,
  state: ControlChannels,
  work: Work,
  symptoms: readonly string[],
): Promise<PatternMatch | null> {
  const { entries } = state.failureDiagnostics.failure_mode_library;
  const asked = state.failureDiagnostics.failure_history.some((record) => record.context.task_id === work.id);
  if (entries.length === 0 || asked) return null;
  const answer = await modelCheck(context, {
    what: 'failure match',
    role: context.config.role,
    schema: matchSchema,
    system:
      'You say which known failure pattern fits a failure, if any. Reply with JSON: pattern (its id, or null when none fits), confidence from 0 to 1, reason (one sentence).',
    prompt: [
      `Task:\n${work.description}`,
      `How it failed:\n${symptoms.map((line) => `- ${clip(line, 800)}`).join('\n') || '- it did not do the task'}`,
      `Patterns:\n${entries.map(({ id, pattern_description, symptoms: signs }) => `- ${id}: ${pattern_description} (${signs.join(', ')})`).join('\n')}`,
    ].join('\n\n'),
  });
  if (answer === null) return null;
  const match = patternOf(entries, answer);
  context.decide(
    decided({
      rule: 'model check: failure match',
      outcome: match ? `${match.failure_class} (${match.matched_pattern})` : 'no pattern fits',
      because: [fact('pattern named', answer.pattern), compared('match confidence', answer.confidence, '>=', context.config.affinityFrom)],
      ...(answer.reason === '' ? {} : { note: answer.reason }),
    }),
  );
  return match;
}

/** Asked at the stall edge only (INV-22); what it says is read within its caps, and it never writes control state (INV-21). */
export async function askSupervisor(
  context: Context,
  state: ControlChannels,
  stalled: { work: Work; reason: StallReason | ''; symptoms: readonly string[] },
): Promise<Directive | undefined> {
  const { config } = context;
  const { strategyState, taskGraph, progress, goal } = state;
  const answer = await modelCheck(context, {
    what: 'supervisor',
    role: config.role,
    schema: directiveSchema,
    system: [
      'You supervise an agent whose run has stalled. Choose one action:',
      'CONTINUE (let the rules go on), REDIRECT_STRATEGY (name another strategy for the failed task), REFRAME_PLAN (rebuild the plan),',
      'GATHER_EVIDENCE (look before acting again), ASK_USER (one question with up to four options), ABORT (give the task up to a person).',
      'Reply with JSON: action, rationale (one sentence), and strategy, calls or question where the action needs it.',
    ].join(' '),
    prompt: [
      `Objective:\n${goal.objective || '(none)'}`,
      `Stall: ${stalled.reason}. Failed task: ${stalled.work.description}`,
      `How it failed:\n${stalled.symptoms.map((line) => `- ${clip(line, 500)}`).join('\n') || '- it did not do the task'}`,
      `Strategy: ${strategyState.current_strategy}, ${strategyState.switch_count} switches, tried ${strategyState.tried.join(', ') || 'none'}. Ladder: ${config.order.join(', ')}.`,
      `Tasks:\n${taskGraph.tasks
        .slice(0, 30)
        .map(({ id, status, description }) => `- ${id} ${status}: ${clip(description, 120)}`)
        .join('\n')}`,
    ].join('\n\n'),
    otherwise: 'the run goes on by the rules',
  });
  if (answer === null) return undefined;
  const { directive, decision } = readDirective(answer, { gather: progress.supervisor.gathers, ask: progress.supervisor.asks }, config);
  context.decide(decision);
  return directive;
}
