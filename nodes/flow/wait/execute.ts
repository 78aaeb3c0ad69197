import { isBridleError, userError } from '@/harness/contract/errors';
import { type ExecuteContext, implementNode } from '@/harness/contract/execute';
import { wait } from './node';

export const executeWait = implementNode(wait, async (context) => {
  const { mode, milliseconds } = context.config;
  const now = await context.now();
  const until = mode === 'duration' ? now + milliseconds : momentOf(context);
  const left = Math.max(0, until - now);
  if (mode === 'until') {
    context.decide({
      rule: 'until a moment',
      outcome: left > 0 ? 'wait' : 'go on',
      because: [{ name: 'moment', value: until, operator: '>', threshold: now, distance: Math.abs(until - now), holds: left > 0 }],
    });
  }
  if (left > 0) await context.sleep('wait', left);
  return { output: { waitedMs: left, until } };
});

const millisecondsOf = '(timestamp(moment) - timestamp("1970-01-01T00:00:00Z")).getSeconds() * 1000 + timestamp(moment).getMilliseconds()';

/** Milliseconds since the epoch, from a number or a time as text. Throws `WAIT_NO_MOMENT`. */
function momentOf(context: Pick<ExecuteContext<{ until: string }>, 'config' | 'evaluate'>): number {
  const { until } = context.config;
  const value = until.trim() === '' ? null : context.evaluate(until);
  if (typeof value === 'number') return Math.round(value);
  if (typeof value === 'string') {
    try {
      // CEL reads the text as a time, so that no clock of the process is touched here
      const read = context.evaluate(millisecondsOf, { moment: value });
      if (typeof read === 'number') return read;
    } catch (thrown) {
      if (!isBridleError(thrown)) throw thrown;
    }
  }
  throw userError(
    'WAIT_NO_MOMENT',
    `"${until}" gives no moment: write milliseconds since the epoch, or timestamp("2030-01-01T00:00:00Z").`,
  );
}
