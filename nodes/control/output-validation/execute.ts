import { implementNode } from '@/harness/contract/execute';
import { isJsonObject, type Json } from '@/harness/contract/json';
import { allConstraints } from '@/harness/layers/output-validation/judged';
import { validateOutput } from '@/harness/layers/output-validation/validate';
import { describeBlocked } from '@/harness/layers/planning/dependents';
import type { Blocker } from '@/harness/layers/recovery/blocker';
import { compared, decided, fact } from '@/harness/layers/shared/explain';
import { standingOf } from '@/harness/layers/verification/backing';
import { asText } from '../support/helpers';
import { type ControlChannels, stateOf } from '../support/state';
import { writesOf } from '../support/writes';
import { judgeConstraints } from './judge';
import { outputValidation } from './node';

export const executeOutputValidation = implementNode(outputValidation, async (context) => {
  const { config } = context;
  const state = stateOf(context);
  const { outputContract, callerState, progress } = state;
  const result = resultOf(context.received, state);
  const constraints = allConstraints(outputContract.caller_specific_constraints, callerState.current_constraints);
  const judged = await judgeConstraints(context, result, constraints);
  const checked = validateOutput(result, outputContract, constraints, {
    ...config,
    lexicalConstraints: judged === null && config.lexicalConstraints,
  });
  context.decide(checked.decision);
  const violations = [...checked.violations, ...(judged ?? [])];
  const port = violations.length === 0 ? 'ok' : progress.output_revisions < config.maxRevisions ? 'revise' : 'violation';
  if (port !== 'ok') {
    context.decide(
      decided({
        rule: port === 'revise' ? 'sent back' : 'revisions used up',
        outcome: port,
        because: [
          compared('revisions', progress.output_revisions, '<', config.maxRevisions),
          fact(
            'violations',
            violations.map(({ text }) => text),
          ),
        ],
      }),
    );
  }
  const verified = standingOf(state.verification, state.taskGraph);
  return {
    port,
    output: {
      text: replyOf(result, config.nameUnfinished ? describeBlocked(state.taskGraph) : [], progress.blocker),
      result,
      violations: violations.map(({ dimension, text }) => ({ dimension, text })),
      verified,
      revise: violations.map(({ text }) => `- ${text}`).join('\n'),
    },
    writes: writesOf(context, {
      progress: port === 'revise' ? { output_revisions: progress.output_revisions + 1 } : { final_result: result },
    }),
  };
});

/** The reply that came along, as an object where it is one, or else what the tasks produced. */
function resultOf(received: Json, { progress }: ControlChannels): Json {
  if (typeof received === 'string') return received;
  if (isJsonObject(received)) {
    if (isJsonObject(received.object)) return received.object;
    if (typeof received.text === 'string') return received.text;
  }
  return progress.final_result ?? null;
}

/** The reply in words, never empty for a run that stopped. What failed tasks kept from running is named in it, once (D6). */
function replyOf(result: Json, blocked: readonly string[], blocker: Blocker | null): string {
  const said = isJsonObject(result) && typeof result.text === 'string' ? result.text : result === null ? '' : asText(result);
  const text = said.trim() === '' && blocker ? [blocker.current_task_summary, ...blocker.missing_info].join('\n') : said;
  const missing = blocked.filter((sentence) => !text.includes(sentence));
  return [text, ...missing].filter((part) => part !== '').join('\n\n');
}
