import type { ErrorRecord } from '../contract/errors';
import { toErrorRecord, userError } from '../contract/errors';
import type { Json } from '../contract/json';
import { isJsonObject } from '../contract/json';
import type { ModelReply, ModelRequest } from '../contract/model';
import { isRetryable } from '../contract/model';
import { flowOf } from './plan-lookup';
import type { VisitRun } from './visit-run';

interface Call {
  key: string;
  /** 1-based number of the call within its visit. */
  call: number;
  request: ModelRequest;
}

/** Tries of one model call when the provider says it may work later; waits double from the base (planning.md §0). */
const tries = 3;
const baseDelayMs = 2000;

/** One model call under the run's caps and the attached policies; its reply is in the log before the node sees it. */
export async function callModel(run: VisitRun, call: Call): Promise<ModelReply> {
  run.check();
  const known = run.memo(call.key);
  // Only `model-end` events write this key, from a ModelReply.
  if (known) return known.value as unknown as ModelReply;
  refuseOverspend(run);
  for (const policy of run.policies) {
    const verdict = policy.hooks.beforeModel?.(policy.context());
    if (verdict) await run.obey(policy, verdict, { subject: 'model', key: call.key });
  }
  const { host } = run.driver;
  const { provider, model } = host.describeModel(call.request.role);
  // A request is plain JSON; its interface has no index signature to show it.
  const request = call.request as unknown as Json;
  await run.record([{ kind: 'model-start', key: call.key, role: call.request.role, provider, model, request }]);
  return attempt(run, { ...call, start: run.driver.snapshot.lastSeq });
}

async function attempt(run: VisitRun, call: Call & { start: number }): Promise<ModelReply> {
  const began = run.now();
  let spent: Spent = noUsage;
  for (let tried = 1; ; tried += 1) {
    try {
      const reply = await generate(run, call);
      await run.record([
        {
          kind: 'model-end',
          key: call.key,
          reply: reply as unknown as Json, // plain JSON, as above
          ...added(spent, reply.usage),
          durationMs: Math.max(0, run.now() - began),
          ...(reply.rehearsal === true ? { rehearsal: true } : {}),
          ...(reply.replayed === true ? { replayed: true } : {}),
        },
      ]);
      return reply;
    } catch (thrown) {
      run.check();
      const error = toErrorRecord(thrown);
      spent = added(spent, spentBy(error));
      if (tried < tries && isRetryable(error)) await backOff(run, call, { error, tried });
      else {
        await run.record([{ kind: 'model-end', key: call.key, error, ...spent, durationMs: Math.max(0, run.now() - began) }]);
        throw thrown;
      }
    }
  }
}

type Spent = ModelReply['usage'];
const noUsage: Spent = { inputTokens: null, outputTokens: null, cost: null };

/** A call that failed after the model had answered has cost something all the same; the gateway says what in `details.usage`. */
function spentBy({ details }: ErrorRecord): Spent {
  const usage = isJsonObject(details) && isJsonObject(details.usage) ? details.usage : {};
  const amount = (value: Json | undefined) => (typeof value === 'number' ? value : null);
  return { inputTokens: amount(usage.inputTokens), outputTokens: amount(usage.outputTokens), cost: amount(usage.cost) };
}

const sum = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : a + b);
const added = (a: Spent, b: Spent): Spent => ({
  inputTokens: sum(a.inputTokens, b.inputTokens),
  outputTokens: sum(a.outputTokens, b.outputTokens),
  cost: sum(a.cost, b.cost),
});

function generate(run: VisitRun, call: Call & { start: number }): Promise<ModelReply> {
  const { driver, visit, node } = run;
  let offset = 0;
  return driver.host.models.generate(call.request, {
    caller: {
      runId: driver.runId,
      flowId: flowOf(driver.plan, driver.snapshot, visit).flowId,
      nodeId: node.id,
      nodeType: node.type,
      visit: visit.number,
      call: call.call,
    },
    signal: run.controller.signal,
    onDelta: (text) => {
      if (!run.current) return;
      driver.host.delta({ runId: driver.runId, kind: 'model-delta', start: call.start, nodeId: node.id, visit: visit.id, offset, text });
      offset += text.length;
    },
  });
}

async function backOff(run: VisitRun, call: Call, failure: { error: ErrorRecord; tried: number }): Promise<void> {
  const { error, tried } = failure;
  const delayMs = retryAfter(error) ?? baseDelayMs * 2 ** (tried - 1);
  await run.record([{ kind: 'model-retry', key: call.key, error, delayMs }]);
  await new Promise<void>((resolve) => {
    const cancel = run.driver.host.clock.wakeAt(run.now() + delayMs, resolve);
    run.controller.signal.addEventListener('abort', () => {
      cancel();
      resolve();
    });
  });
  run.check();
}

function retryAfter(error: ErrorRecord): number | null {
  const { details } = error;
  return isJsonObject(details) && typeof details.retryAfterMs === 'number' ? details.retryAfterMs : null;
}

/** A run that has used up its caps makes no further call; one that a call takes past them ends when the call is recorded. */
function refuseOverspend(run: VisitRun): void {
  const { usage } = run.driver.snapshot;
  const { caps } = run.driver.plan;
  const tokens = usage.inputTokens + usage.outputTokens;
  const spent = caps.tokens !== null && tokens >= caps.tokens ? 'tokens' : caps.cost !== null && usage.cost >= caps.cost ? 'cost' : null;
  if (spent === null || (spent === 'cost' && caps.cost === 0 && usage.cost === 0)) return;
  throw userError('BUDGET_REACHED', `The run has used up its cap for ${spent}. Raise it under "Limits of one run" in the flow settings.`, {
    cap: spent,
  });
}
