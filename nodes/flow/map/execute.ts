import { userError } from '@/harness/contract/errors';
import { type BodyResult, implementNode } from '@/harness/contract/execute';
import { map } from './node';

export const executeMap = implementNode(map, async (context) => {
  const { list, concurrency, onError, maxItems } = context.config;
  const items = context.evaluate(list);
  if (!Array.isArray(items)) {
    throw userError(
      'MAP_NOT_A_LIST',
      `"${list}" gives ${JSON.stringify(items).slice(0, 80)}, not a list. Name a list in "${context.node.label}".`,
    );
  }
  const fits = items.length <= maxItems;
  context.decide({
    rule: 'at most so many items',
    outcome: fits ? `run the body ${items.length} times` : 'refuse',
    because: [
      { name: 'items', value: items.length, operator: '<=', threshold: maxItems, distance: Math.abs(maxItems - items.length), holds: fits },
    ],
  });
  if (!fits) {
    throw userError(
      'MAP_TOO_LONG',
      `The list has ${items.length} items and "${context.node.label}" takes at most ${maxItems}. Raise "Most items" or shorten the list.`,
    );
  }
  const results = items.length === 0 ? [] : await context.each('items', items, { concurrency, onError });
  const failures = results.filter((result) => result.outcome === 'failed');
  if (onError === 'stop' && failures[0]) throw itemFailed(failures[0]);
  if (failures.length > 0) {
    context.decide({
      rule: 'collect failures',
      outcome: 'go on',
      because: [
        { name: 'failed items', value: failures.length },
        { name: 'items', value: items.length },
      ],
      alternatives: [{ outcome: 'fail', needs: '“When an item fails” set to stop' }],
    });
  }
  return {
    output: {
      results: results.map((result) => (result.outcome === 'done' ? result.output : null)),
      errors: failures.map(errorOf),
      count: items.length,
    },
  };
});

const errorOf = (result: BodyResult) => ({
  index: result.index,
  code: result.error?.code ?? 'ITEM_FAILED',
  message: result.error?.message ?? 'The item failed.',
});

const itemFailed = (result: BodyResult) => {
  const error = errorOf(result);
  return userError('MAP_ITEM_FAILED', `Item ${result.index} failed: ${error.message}`, error);
};
