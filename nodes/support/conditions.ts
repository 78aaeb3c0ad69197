import type { Reason } from '@/harness/contract/decision';
import { isBridleError, userError } from '@/harness/contract/errors';
import type { ExecuteContext } from '@/harness/contract/execute';
import { type Comparison, comparisonsOf } from '@/harness/expression/comparisons';

type ConditionContext = Pick<ExecuteContext, 'evaluate'>;

export interface Condition {
  holds: boolean;
  /** Each comparison in the condition with the values it was made on. */
  because: Reason[];
}

/** Evaluates a condition and says on which values. Throws `CONDITION_NOT_BOOLEAN` when it is neither true nor false. */
export function weigh(context: ConditionContext, source: string): Condition {
  const value = context.evaluate(source);
  if (typeof value !== 'boolean') {
    throw userError(
      'CONDITION_NOT_BOOLEAN',
      `The condition "${source}" gives ${JSON.stringify(value).slice(0, 80)}, not true or false. Compare it with something.`,
    );
  }
  return { holds: value, because: comparisonsOf(source).map((comparison) => explain(context, comparison)) };
}

function explain(context: ConditionContext, comparison: Comparison): Reason {
  const name = comparison.negated ? `not ${comparison.left}` : comparison.left;
  const value = attempt(context, comparison.left);
  if (comparison.operator === undefined || comparison.right === undefined) {
    return { name, value, ...(typeof value === 'boolean' ? { holds: value !== comparison.negated } : {}) };
  }
  const threshold = attempt(context, comparison.right);
  const plain = attempt(context, `(${comparison.left}) ${comparison.operator} (${comparison.right})`);
  const distance = typeof value === 'number' && typeof threshold === 'number' ? { distance: Math.abs(value - threshold) } : {};
  return {
    name,
    value,
    operator: comparison.operator,
    threshold,
    ...distance,
    ...(typeof plain === 'boolean' ? { holds: plain !== comparison.negated } : {}),
  };
}

/** A side that the condition itself never reached may be missing; the decision then shows nothing for it. */
function attempt(context: ConditionContext, source: string) {
  try {
    return context.evaluate(source);
  } catch (thrown) {
    if (isBridleError(thrown)) return null;
    throw thrown;
  }
}
