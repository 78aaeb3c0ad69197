import { z } from 'zod';
import type { ExecuteContext } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import { type PlanSituation, readTurnPolicy } from '@/harness/layers/adaptive-control/decide';
import { judgeTurnByRules } from '@/harness/layers/adaptive-control/rules';
import { type TurnPolicy, turnPolicySchema } from '@/harness/layers/adaptive-control/state';
import { transcriptMessageSchema } from '../../channels';
import { clip } from '../support/helpers';
import { modelCheck } from '../support/model-check';
import type { adaptiveControl } from './node';

type Context = ExecuteContext<ConfigOf<typeof adaptiveControl>>;

/** The judgement of a turn: by one model call, whose failure leaves the risk UNKNOWN (layers.md R14), or by rules. */
export async function judgeTurn(context: Context, message: string, plan: PlanSituation): Promise<TurnPolicy> {
  const { config } = context;
  if (config.judge === 'rules') return readTurnPolicy(judgeTurnByRules(message, config.rules));
  const answer = await modelCheck(context, {
    what: 'judgement of the turn',
    role: config.role,
    schema: turnPolicySchema,
    otherwise: 'the risk is unknown, so a person is asked first',
    system: instructions(context, plan),
    // the message stands alone, so that nothing around it can be taken for a part of it
    prompt: message,
  });
  return readTurnPolicy(answer);
}

function instructions(context: Context, plan: PlanSituation): string {
  const earlier = z.array(transcriptMessageSchema).safeParse(context.state.transcript);
  const lines = (earlier.success ? earlier.data : [])
    .slice(-context.config.earlierMessages || Number.POSITIVE_INFINITY)
    .map(({ role, content }) => `${role}: ${clip(content, 300)}`);
  return [
    'Judge the user’s message for a harness around an agent. Do not answer it. Reply with JSON.',
    'riskLevel: LOW when nothing is changed, MEDIUM when files or other things are changed that can be changed back, HIGH when something is deleted, published, paid or sent, UNKNOWN when it cannot be told. riskReason: one sentence.',
    'isTrivial: true only for small talk or a plain question that needs no tools. decomposedTasks: the ordered pieces of work it names, or null when it is one.',
    'statesDurableFacts: facts about the person or their surroundings that stay true, each with confidence high, medium or low. statedConstraints: what must or must not be done now; lastingConstraints: those that hold from now on; liftedConstraints: those that no longer hold.',
    'isUnderdetermined: several readings or causes are equally plausible. needsGrounding: it must be looked up. ambiguity: none, some or high. pushbackOnPriorTurn: it disagrees with the last reply. statesConstraint: it states any constraint. userPosture: one word.',
    'isReminderRequest, and isBulkReminderRequest when there are several.',
    plan.active
      ? `A plan is under way${plan.stepFailed ? ' and one of its steps has failed' : ''}. isAbandonRequest: it is to be given up. isPlanQuestion: it asks how the plan stands. continuesPlan: false only when the message is about something else.`
      : 'No plan is under way: isAbandonRequest and isPlanQuestion are false, continuesPlan is null. needsMultiStepPlan: it needs a plan that outlasts this turn.',
    context.config.earlierMessages > 0 && lines.length > 0 ? `Earlier in the conversation:\n${lines.join('\n')}` : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
