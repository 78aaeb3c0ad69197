import { isJsonObject, type Json } from '../../contract/json';
import type { TraceKind } from '../events';
import { closeRetries, momentOf, openCall, type Reducer, settleStatus, touch } from './index-touch';
import type { CallSpan } from './spans';

/** How a tool's outcome counts: denied and failed are outcomes of their own. */
function toolStatus(outcome: Json): CallSpan['status'] {
  if (!isJsonObject(outcome)) return 'done';
  if (outcome.status === 'denied') return 'denied';
  return outcome.status === 'failed' ? 'failed' : 'done';
}

const endModel: Reducer<'model-end'> = (index, event) => {
  const run = index.run;
  run.modelCalls += 1;
  run.inputTokens += event.inputTokens ?? 0;
  run.outputTokens += event.outputTokens ?? 0;
  if (event.inputTokens === null || event.outputTokens === null) run.unreportedCalls += 1;
  if (event.cost === null) run.unpricedCalls += 1;
  else run.cost += event.cost;
  run.rehearsal ||= event.rehearsal === true;
  run.replayed ||= event.replayed === true;
  const visit = touch(index, event);
  const call = openCall(visit, 'model', event.key);
  if (visit === undefined || call === undefined) return;
  call.end = momentOf(event);
  call.status = event.error === undefined ? 'done' : 'failed';
  call.durationMs = Math.max(0, event.durationMs);
  call.inputTokens = event.inputTokens;
  call.outputTokens = event.outputTokens;
  call.cost = event.cost;
  if (event.error !== undefined) call.error = event.error;
  if (event.replayed === true) call.replayed = true;
  if (event.rehearsal === true) call.rehearsal = true;
  settleStatus(visit);
};

type CallKind = Extract<TraceKind, `model-${string}` | `tool-${string}` | 'effect-end'>;

/** What model calls, tool calls and stored effects do to their visit and to the run's usage. */
export const callReducers: { [K in CallKind]: Reducer<K> } = {
  'model-start': (index, event) => {
    closeRetries(index, event);
    touch(index, event)?.calls.push({
      kind: 'model',
      key: event.key,
      name: event.model,
      provider: event.provider,
      role: event.role,
      status: 'running',
      start: momentOf(event),
      end: null,
      durationMs: null,
      retries: 0,
    });
  },
  'model-retry': (index, event) => {
    const call = openCall(touch(index, event), 'model', event.key);
    if (call !== undefined) call.retries += 1;
  },
  'model-end': endModel,
  'tool-start': (index, event) => {
    index.run.toolCalls += 1;
    closeRetries(index, event);
    touch(index, event)?.calls.push({
      kind: 'tool',
      key: event.key,
      name: event.tool,
      effect: event.effect,
      status: 'running',
      start: momentOf(event),
      end: null,
      durationMs: null,
      retries: 0,
    });
  },
  'tool-end': (index, event) => {
    index.run.replayed ||= event.replayed === true;
    const visit = touch(index, event);
    if (visit === undefined) return;
    const end = momentOf(event);
    const status = toolStatus(event.outcome);
    const ended = { end, status, durationMs: Math.max(0, event.durationMs), ...(event.replayed === true ? { replayed: true } : {}) };
    const call = openCall(visit, 'tool', event.key);
    // A refused call never started: it stands in the trace as a call of no length.
    if (call === undefined) visit.calls.push({ kind: 'tool', key: event.key, name: event.tool, start: end, retries: 0, ...ended });
    else Object.assign(call, ended);
    settleStatus(visit);
  },
  'effect-end': (index, event) => {
    const at = momentOf(event);
    touch(index, event)?.calls.push({
      kind: 'effect',
      key: event.key,
      name: event.key,
      status: 'done',
      start: at,
      end: at,
      durationMs: 0,
      retries: 0,
    });
  },
};
