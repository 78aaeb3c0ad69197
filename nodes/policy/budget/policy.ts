import type { Reason } from '@/harness/contract/decision';
import type { ConfigOf } from '@/harness/contract/node';
import { type GuardVerdict, implementPolicy, type PolicyContext } from '@/harness/contract/policy';
import { budget } from './node';

type Config = ConfigOf<typeof budget>;
type Context = PolicyContext<Config>;

/** One cap: what is used, what it is held against, and whether what comes next would go over it. */
interface Check {
  cap: string;
  title: string;
  value: number;
  limit: number | null;
  /** The engine counts a visit when it begins, calls when they end. */
  over: (value: number, limit: number) => boolean;
}

const before = (value: number, limit: number): boolean => value >= limit;
const including = (value: number, limit: number): boolean => value > limit;

export const budgetPolicy = implementPolicy(budget, {
  beforeVisit: (context) => verdict(context, [steps(context), elapsed(context)]),
  beforeModel: (context) => verdict(context, [modelCalls(context), tokens(context), cost(context), unpriced(context), elapsed(context)]),
  beforeTool: (context) => verdict(context, [toolCalls(context), elapsed(context)]),
  timeoutMs: (config) => config.timeoutMs,
});

const steps = ({ config, usage }: Context): Check => ({
  cap: 'steps',
  title: 'visits',
  value: usage.steps,
  limit: config.steps,
  over: including,
});
const modelCalls = ({ config, usage }: Context): Check => ({
  cap: 'modelCalls',
  title: 'model calls',
  value: usage.modelCalls,
  limit: config.modelCalls,
  over: before,
});
const toolCalls = ({ config, usage }: Context): Check => ({
  cap: 'toolCalls',
  title: 'tool calls',
  value: usage.toolCalls,
  limit: config.toolCalls,
  over: before,
});
const tokens = ({ config, usage }: Context): Check => ({
  cap: 'tokens',
  title: 'tokens',
  value: usage.tokens,
  limit: config.tokens,
  over: before,
});
const cost = ({ config, usage }: Context): Check => ({
  cap: 'cost',
  title: 'dollars spent',
  value: usage.cost,
  limit: config.cost,
  over: before,
});
const elapsed = ({ config, usage }: Context): Check => ({
  cap: 'elapsedMs',
  title: 'milliseconds',
  value: usage.elapsedMs,
  limit: config.elapsedMs,
  over: before,
});

/** With a cost cap and `unknownPrice: stop`, a first call of unknown price is the last. */
const unpriced = ({ config, usage }: Context): Check => ({
  cap: 'cost',
  title: 'calls of unknown price',
  value: usage.unpricedCalls,
  limit: config.cost !== null && config.unknownPrice === 'stop' ? 0 : null,
  over: including,
});

function verdict(context: Context, checks: readonly Check[]): GuardVerdict {
  const set = checks.flatMap((check) => (check.limit === null ? [] : [{ ...check, limit: check.limit }]));
  if (set.length === 0) return { verdict: 'allow' };
  const because = set.map(
    (check): Reason => ({
      name: check.title,
      value: check.value,
      operator: check.over === including ? '<=' : '<',
      threshold: check.limit,
      distance: Math.abs(check.limit - check.value),
      holds: !check.over(check.value, check.limit),
    }),
  );
  const reached = set.find((check) => check.over(check.value, check.limit));
  if (!reached) return { verdict: 'allow', decision: { rule: 'within the budget', outcome: 'allow', because } };
  const { onReached } = context.config;
  const message = `The budget "${context.policy.label}" of "${context.node.label}" is used up: ${reached.value} ${reached.title}, cap ${reached.limit}. Raise the cap in the budget, or ask for less.`;
  const decision = {
    rule: `cap on ${reached.title}`,
    outcome: onReached === 'limit' ? 'end the run' : 'refuse',
    because,
    alternatives: [{ outcome: 'allow', needs: `a cap above ${reached.value} ${reached.title}` }],
  };
  return onReached === 'limit'
    ? { verdict: 'limit', cap: `${context.policy.id}.${reached.cap}`, message, decision }
    : { verdict: 'deny', message, decision };
}
