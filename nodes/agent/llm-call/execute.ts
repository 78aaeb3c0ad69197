import { operationalError } from '@/harness/contract/errors';
import { implementNode, type VisitResult } from '@/harness/contract/execute';
import type { ModelReply } from '@/harness/contract/model';
import { conversation } from '../../support/conversation';
import { modelLimits } from '../../support/model-limits';
import { askForObject } from '../../support/structured';
import { llmCall } from './node';

export const executeLlmCall = implementNode(llmCall, async (context) => {
  const { config } = context;
  const request = { role: config.role, messages: conversation(context, config), ...modelLimits(config) };
  if (config.schema === null) {
    const reply = await context.model(request);
    if (reply.finish === 'length')
      context.log('warning', 'The reply was cut at the longest length allowed. Raise “Longest reply” or ask for less.');
    return textResult(reply);
  }
  const answer = await askForObject(context, request, { schema: config.schema, name: 'reply', corrections: config.corrections });
  if (!answer.ok) {
    throw operationalError(
      'MODEL_BAD_REPLY',
      `"${context.node.label}" got no reply that fits its schema in ${answer.calls} calls: ${answer.problem}. Simplify the schema or say in the prompt what each field holds.`,
      { retryable: true },
    );
  }
  return { output: { text: answer.text, object: answer.object, finish: answer.reply.finish, model: answer.reply.model } };
});

const textResult = (reply: ModelReply): VisitResult => ({ output: { text: reply.text, finish: reply.finish, model: reply.model } });
