import { isDeepStrictEqual } from 'node:util';
import { BridleError, userError } from '@/harness/contract/errors';
import type { ToolOutcome } from '@/harness/contract/execute';
import type { Json } from '@/harness/contract/json';
import type { ModelReply } from '@/harness/contract/model';
import type { ToolHost } from '@/harness/contract/tool';
import type { TraceEvent } from '@/harness/trace/events';
import type { RunModels } from '../models/gateway';

interface Recorded<Answer> {
  nodeId: string;
  visit: number;
  call: number;
  request: Json;
  answer: Answer;
  spent: boolean;
}

type ModelAnswer = { reply: ModelReply } | { error: ConstructorParameters<typeof BridleError>[0] };

/** Every model and tool answer of a run, to be given again (design §8). */
export interface Cassette {
  models: Recorded<ModelAnswer>[];
  tools: (Recorded<ToolOutcome> & { tool: string })[];
}

const callNumber = (key: string): number => Number(/:(\d+)/.exec(key)?.[1] ?? 1);

/** Reads the answers out of the events of a run. */
export function recordCassette(events: readonly TraceEvent[]): Cassette {
  const numbers = new Map<string, number>();
  const requests = new Map<string, Json>();
  const cassette: Cassette = { models: [], tools: [] };
  for (const event of events) {
    const visit = event.visit ?? '';
    const place = (key: string) => ({
      nodeId: event.nodeId ?? '',
      visit: numbers.get(visit) ?? 1,
      call: callNumber(key),
      request: requests.get(`${visit}\n${key}`) ?? null,
      spent: false,
    });
    if (event.kind === 'visit-start') numbers.set(visit, event.number);
    if (event.kind === 'model-start') requests.set(`${visit}\n${event.key}`, event.request);
    if (event.kind === 'tool-start') requests.set(`${visit}\n${event.key}`, event.input);
    if (event.kind === 'model-end') {
      // `reply` is a ModelReply that the engine wrote
      if (event.reply !== undefined) cassette.models.push({ ...place(event.key), answer: { reply: event.reply as unknown as ModelReply } });
      else if (event.error !== undefined) cassette.models.push({ ...place(event.key), answer: { error: event.error } });
    }
    // `outcome` is a ToolOutcome that the engine wrote
    if (event.kind === 'tool-end')
      cassette.tools.push({ ...place(event.key), tool: event.tool, answer: event.outcome as unknown as ToolOutcome });
  }
  return cassette;
}

/** The same call if it was made, else the call that stood in the same place: bodies of a container share places, so each is given once. */
function take<T extends Recorded<unknown>>(recorded: T[], place: { nodeId: string; visit: number; call: number }, request: Json): T | null {
  const open = recorded.filter((entry) => !entry.spent && entry.nodeId === place.nodeId);
  const found =
    open.find((entry) => isDeepStrictEqual(entry.request, request)) ??
    open.find((entry) => entry.visit === place.visit && entry.call === place.call) ??
    null;
  if (found !== null) found.spent = true;
  return found;
}

const missing = (what: string, nodeId: string) =>
  userError(
    'CASSETTE_MISSING',
    `The recorded run holds no answer for this ${what} of node "${nodeId}". A replay asks nobody; run the flow anew to get one.`,
    { retryable: false },
  );

/** Models and tools that only give recorded answers: a replay spends nothing and writes nothing. */
export function replayFrom(cassette: Cassette, models: RunModels, tools: ToolHost): { models: RunModels; tools: ToolHost } {
  return {
    models: {
      describe: (role) => models.describe(role),
      unusedReplies: () => cassette.models.filter((entry) => !entry.spent).length,
      async generate(request, { caller, onDelta }) {
        const found = take(cassette.models, caller, JSON.parse(JSON.stringify(request)));
        if (found === null) throw missing('model call', caller.nodeId);
        if ('error' in found.answer) throw new BridleError(found.answer.error);
        const { reply } = found.answer;
        if (reply.text !== '') onDelta(reply.text);
        return { ...reply, replayed: true };
      },
    },
    tools: {
      list: () => tools.list(),
      async call(name, input, context) {
        const caller = context.caller ?? { nodeId: '', visit: 1, call: 1 };
        const found = take(
          cassette.tools.filter((entry) => entry.tool === name),
          caller,
          input,
        );
        if (found === null) throw missing(`call of ${name}`, caller.nodeId);
        context.onReplayed?.();
        if (found.answer.status === 'ok') return found.answer.output;
        const code = found.answer.status === 'failed' ? found.answer.code : 'TOOL_DENIED';
        throw new BridleError({ code, kind: 'operational', message: found.answer.message });
      },
    },
  };
}
