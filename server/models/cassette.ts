import { BridleError, type ErrorRecord, userError } from '@/harness/contract/errors';
import { isJsonObject, type Json } from '@/harness/contract/json';
import type { ModelReply, ModelRequest } from '@/harness/contract/model';
import type { ToolHost } from '@/harness/contract/tool';
import type { TraceEvent } from '@/harness/trace/events';
import { fingerprint } from './fingerprint';
import type { RunModels } from './gateway';

/** One recorded answer, and where in the run it was given. `call` counts the answers of its kind within the visit, from 1. */
interface Take<Answer> {
  /** Name of the tool; empty for models. */
  tool: string;
  nodeId: string;
  visit: number;
  call: number;
  fingerprint: string;
  answer: Answer;
  used: boolean;
}

type Answer<Value> = { ok: true; value: Value } | { ok: false; error: ErrorRecord };

/** The answers of a finished (or stopped) run, to be given again. Build one per replay: every answer is given once. */
export interface Cassette {
  models: Take<Answer<ModelReply>>[];
  tools: Take<Answer<Json>>[];
}

/** What stands in the log under `reply` is what the gateway gave. */
const isReply = (value: Json | undefined): value is Json & ModelReply =>
  isJsonObject(value) && typeof value.text === 'string' && Array.isArray(value.toolCalls) && isJsonObject(value.usage);

const modelFingerprint = (request: ModelRequest | Json): string =>
  isJsonObject(request)
    ? fingerprint({ messages: request.messages ?? null, tools: request.tools ?? null, schema: request.schema ?? null })
    : fingerprint(request);

const toolFingerprint = (name: string, input: Json): string => fingerprint({ name, input });

/** Reads the model and tool answers out of a run's events, in the order in which they were asked for. */
export function recordCassette(events: readonly TraceEvent[]): Cassette {
  const cassette: Cassette = { models: [], tools: [] };
  const numbers = new Map<string, number>();
  const asked = new Map<string, { call: number; fingerprint: string }>();
  const slot = (kind: string, event: { visit?: string | undefined; scope?: string | undefined; key: string }): string =>
    `${kind} ${event.scope ?? ''} ${event.visit ?? ''} ${event.key}`;
  for (const event of events) {
    const at = { nodeId: event.nodeId ?? '', visit: numbers.get(event.visit ?? '') ?? 1, tool: '', used: false };
    switch (event.kind) {
      case 'visit-start':
        if (event.visit !== undefined) numbers.set(event.visit, event.number);
        break;
      case 'model-start': {
        const known = asked.get(slot('model', event));
        asked.set(slot('model', event), {
          call: known?.call ?? callNumber(event.key),
          fingerprint: modelFingerprint(event.request),
        });
        break;
      }
      case 'model-end': {
        const start = asked.get(slot('model', event));
        if (start === undefined) break;
        if (isReply(event.reply)) cassette.models.push({ ...at, ...start, answer: { ok: true, value: event.reply } });
        else if (event.error !== undefined && event.error.code !== 'CANCELLED') {
          cassette.models.push({ ...at, ...start, answer: { ok: false, error: recorded(event.error) } });
        }
        break;
      }
      case 'tool-start': {
        const known = asked.get(slot('tool', event));
        asked.set(slot('tool', event), {
          call: known?.call ?? callNumber(event.key),
          fingerprint: toolFingerprint(event.tool, event.input),
        });
        break;
      }
      case 'tool-end': {
        const start = asked.get(slot('tool', event));
        const { outcome } = event;
        if (start === undefined || !isJsonObject(outcome)) break;
        if (outcome.status === 'ok')
          cassette.tools.push({ ...at, ...start, tool: event.tool, answer: { ok: true, value: outcome.output ?? null } });
        // A call that had begun and was then refused has changed what it must not; what the model was told is what it is told again.
        else if (outcome.status === 'failed' || outcome.status === 'denied') {
          const error: ErrorRecord = { code: String(outcome.code ?? 'TOOL_DENIED'), kind: 'operational', message: String(outcome.message) };
          cassette.tools.push({ ...at, ...start, tool: event.tool, answer: { ok: false, error } });
        }
        break;
      }
      default:
        break;
    }
  }
  return cassette;
}

/** Effects are keyed `model:2`, `tool:1`: the number counts the calls of that kind within the visit, as `ModelCaller.call` does. */
const callNumber = (key: string): number => Number(/:(\d+)/.exec(key)?.[1] ?? 1);

/** Drops `details: undefined`, which the event type allows and the record does not. */
const recorded = (error: { code: string; kind: ErrorRecord['kind']; message: string; details?: Json | undefined }): ErrorRecord => ({
  code: error.code,
  kind: error.kind,
  message: error.message,
  ...(error.details === undefined ? {} : { details: error.details }),
});

interface Wanted {
  tool: string;
  nodeId: string;
  visit: number;
  call: number;
  fingerprint: string;
}

/**
 * The recorded answer to a call: the same question at the same place; else the same question of the same node (a loop that turned otherwise, bodies
 * that ran in another order); else the same place (a prompt was edited); else the same question anywhere (a node got another id).
 */
function find<A>(takes: Take<A>[], wanted: Wanted): Take<A> | undefined {
  const open = takes.filter((take) => !take.used && take.tool === wanted.tool);
  const here = (take: Take<A>): boolean => take.nodeId === wanted.nodeId && take.visit === wanted.visit && take.call === wanted.call;
  const same = (take: Take<A>): boolean => take.fingerprint === wanted.fingerprint;
  const found =
    open.find((take) => here(take) && same(take)) ??
    open.find((take) => take.nodeId === wanted.nodeId && same(take)) ??
    open.find(here) ??
    open.find(same);
  if (found !== undefined) found.used = true;
  return found;
}

/** What happens to a call that was never recorded: `fail` refuses it, `live` makes it. */
export type OnMiss = 'fail' | 'live';

const missing = (what: string, nodeId: string): Error =>
  userError(
    'CASSETTE_MISSING',
    `The recorded run holds no answer for this ${what} of node "${nodeId}". A replay asks nobody; run the flow anew to get one.`,
    { retryable: false },
  );

/**
 * Models and tools that answer from a recorded run: a replay spends nothing and writes nothing. What they give is marked (`replayed`,
 * `context.onReplayed`) and costs nothing. Throws `CASSETTE_MISSING`, and again the errors that were recorded.
 */
export function replayFrom(
  cassette: Cassette,
  models: RunModels,
  tools: ToolHost,
  onMiss: OnMiss = 'fail',
): { models: RunModels; tools: ToolHost } {
  return {
    models: {
      describe: (role) => models.describe(role),
      unusedReplies: () => cassette.models.filter((take) => !take.used).length,
      async generate(request, options) {
        const { nodeId, visit, call } = options.caller;
        const take = find(cassette.models, { tool: '', nodeId, visit, call, fingerprint: modelFingerprint(request) });
        if (take === undefined) {
          if (onMiss === 'fail') throw missing('model call', nodeId);
          return models.generate(request, options);
        }
        if (!take.answer.ok) throw new BridleError(take.answer.error);
        const reply = take.answer.value;
        if (reply.text !== '') options.onDelta(reply.text);
        return { ...reply, usage: { ...reply.usage, cost: 0 }, replayed: true };
      },
    },
    tools: {
      list: () => tools.list(),
      targets: async (name, input, context) => (await tools.targets?.(name, input, context)) ?? null,
      async call(name, input, context) {
        const caller = context.caller ?? { nodeId: '', visit: 0, call: 0 };
        const take = find(cassette.tools, { ...caller, tool: name, fingerprint: toolFingerprint(name, input) });
        if (take === undefined) {
          if (onMiss === 'fail') throw missing(`call of ${name}`, caller.nodeId);
          return tools.call(name, input, context);
        }
        context.onReplayed?.();
        if (!take.answer.ok) throw new BridleError(take.answer.error);
        return take.answer.value;
      },
    },
  };
}
