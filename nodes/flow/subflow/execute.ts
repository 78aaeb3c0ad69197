import { unexpectedError, userError } from '@/harness/contract/errors';
import { implementNode } from '@/harness/contract/execute';
import { fillJson } from '../../support/templates';
import { subflow } from './node';

export const executeSubflow = implementNode(subflow, async (context) => {
  const { input, flow } = context.config;
  const value = Object.keys(input).length === 0 ? context.received : fillJson(context, input);
  const [result] = await context.each('flow', [value], { concurrency: 1, onError: 'stop' });
  if (!result) throw unexpectedError('SUBFLOW_NO_RESULT', `The flow "${flow}" gave no result.`);
  if (result.outcome === 'failed') {
    const message = result.error?.message ?? 'it gave no reason';
    throw userError('SUBFLOW_FAILED', `The flow "${flow}" failed: ${message}`, { code: result.error?.code ?? 'UNKNOWN' });
  }
  return { output: result.output };
});
