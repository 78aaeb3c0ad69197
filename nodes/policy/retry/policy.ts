import type { Reason } from '@/harness/contract/decision';
import type { ErrorRecord } from '@/harness/contract/errors';
import { isJsonObject } from '@/harness/contract/json';
import type { ConfigOf } from '@/harness/contract/node';
import { implementPolicy } from '@/harness/contract/policy';
import { retry } from './node';

type Config = ConfigOf<typeof retry>;

export const retryPolicy = implementPolicy(retry, {
  onError: ({ config, attempt }, error) => {
    const match = matching(config, error);
    const left = attempt < config.attempts;
    const because: Reason[] = [
      { name: 'error', value: error.code },
      { name: 'kind', value: error.kind },
      { name: match.name, value: match.value, holds: match.retries },
      {
        name: 'attempt',
        value: attempt,
        operator: '<',
        threshold: config.attempts,
        distance: Math.abs(config.attempts - attempt),
        holds: left,
      },
    ];
    if (!match.retries || !left) {
      const rule = match.retries ? 'attempts used up' : 'not a failure to retry';
      return { verdict: 'give-up', decision: { rule, outcome: 'give up', because } };
    }
    const delay = delayOf(config, attempt, error);
    return {
      verdict: 'retry',
      delayMs: delay.milliseconds,
      decision: {
        rule: 'try again',
        outcome: `attempt ${attempt + 1} of ${config.attempts}`,
        because: [...because, { name: delay.name, value: delay.milliseconds, operator: '<=', threshold: config.maxDelayMs, holds: true }],
        alternatives: [{ outcome: 'give up', needs: `${config.attempts} attempts` }],
      },
    };
  },
});

interface Match {
  name: string;
  value: string | boolean;
  retries: boolean;
}

/** Trying again would only meet the same rule or the same person. */
const final: ReadonlySet<string> = new Set(['BUDGET_REACHED', 'POLICY_DENIED', 'TOOL_DENIED', 'CANCELLED']);

/** Listed codes decide first; then what the error says of itself; then its kind. */
function matching(config: Config, error: ErrorRecord): Match {
  if (config.never.includes(error.code)) return { name: 'code is never retried', value: error.code, retries: false };
  if (config.codes.includes(error.code)) return { name: 'code is listed', value: error.code, retries: true };
  if (final.has(error.code)) return { name: 'decided by a rule or a person', value: error.code, retries: false };
  if (config.on === 'codes') return { name: 'code is listed', value: error.code, retries: false };
  if (config.on === 'any') return { name: 'every failure', value: true, retries: true };
  const details = isJsonObject(error.details) ? error.details : {};
  if (details.retryable === false) return { name: 'may pass by itself', value: false, retries: false };
  return { name: 'may pass by itself', value: error.kind === 'operational', retries: error.kind === 'operational' };
}

function delayOf(config: Config, attempt: number, error: ErrorRecord): { name: string; milliseconds: number } {
  const grown = Math.min(config.maxDelayMs, Math.round(config.delayMs * config.factor ** (attempt - 1)));
  const details = isJsonObject(error.details) ? error.details : {};
  const asked =
    config.honourRetryAfter && typeof details.retryAfterMs === 'number' ? Math.min(config.maxDelayMs, Math.round(details.retryAfterMs)) : 0;
  return asked > grown ? { name: 'delay the server asks for (ms)', milliseconds: asked } : { name: 'delay (ms)', milliseconds: grown };
}
