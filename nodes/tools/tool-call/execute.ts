import { operationalError, userError } from '@/harness/contract/errors';
import { implementNode } from '@/harness/contract/execute';
import { fillJson } from '../../support/templates';
import { toolCall } from './node';

export const executeToolCall = implementNode(toolCall, async (context) => {
  const { tool, input, onRefusal } = context.config;
  const outcome = await context.tool(tool, fillJson(context, input));
  if (onRefusal === 'continue') {
    const message = outcome.status === 'ok' ? '' : outcome.message;
    if (outcome.status !== 'ok') {
      context.decide({
        rule: 'go on when a tool fails or is refused',
        outcome: outcome.status,
        because: [
          { name: 'tool', value: tool },
          { name: 'message', value: message },
        ],
        alternatives: [{ outcome: 'fail', needs: '“When the tool fails or is refused” set to fail' }],
      });
    }
    return { output: { status: outcome.status, output: outcome.status === 'ok' ? outcome.output : null, message } };
  }
  if (outcome.status === 'denied') throw userError('TOOL_DENIED', `The call of ${tool} was refused: ${outcome.message}`, { tool });
  if (outcome.status === 'failed') {
    const fault = outcome.code === 'TOOL_UNKNOWN' || outcome.code === 'TOOL_INPUT' ? userError : operationalError;
    throw fault(outcome.code, `${tool} failed: ${outcome.message}`, { tool });
  }
  return { output: outcome.output };
});
