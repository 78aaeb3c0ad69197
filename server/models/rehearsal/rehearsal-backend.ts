import { operationalError, userError } from '@/harness/contract/errors';
import type { ModelCallOptions, ModelRequest, ToolCall } from '@/harness/contract/model';
import type { ScriptedReply } from '@/harness/testing/model-script';
import type { BackendReply, ModelBackend } from '../backend';
import { errorOfStatus } from '../errors';
import { rehearsalModelName, rehearsalProvider } from '../roles';
import { schemaCheck } from '../structured';
import { gather } from './evidence';
import { extractiveReply } from './extractive';
import { pause, piecesOf } from './pace';
import { nextCall } from './researcher';
import { valueOfSchema } from './schema-value';
import type { ScriptCursor } from './script';
import { judgedTurn } from './turn-judge';

export interface RehearsalOptions {
  /** Played first; what it does not answer is rehearsed, or with `unscripted: 'fail'` refused. */
  script?: ScriptCursor;
  unscripted?: 'rehearse' | 'fail';
  /** Milliseconds between pieces of text. 0 sends them at once. */
  deltaMs?: number;
}

interface Draft {
  text: string;
  calls: { name: string; arguments: ToolCall['arguments'] }[];
}

/** The built-in model (design §8): offline, deterministic, labelled as what it is. Nothing is spent, so its cost is known to be 0. */
export function createRehearsalBackend({ script, unscripted = 'rehearse', deltaMs = 4 }: RehearsalOptions = {}): ModelBackend {
  return {
    provider: rehearsalProvider,
    model: rehearsalModelName,
    rehearsal: true,
    async call(request, options) {
      await pause(0, options.signal);
      const scripted = script?.take(request, options.caller) ?? null;
      if (scripted === null && script !== undefined && unscripted === 'fail') throw unscriptedError(request, options);
      if (scripted?.delayMs !== undefined) await pause(scripted.delayMs, options.signal);
      if (scripted?.error !== undefined) throw scriptedFault(scripted.error);
      const draft = scripted === null ? rehearse(request, options) : draftOf(scripted);
      for (const [index, piece] of piecesOf(draft.text).entries()) {
        if (index > 0) await pause(deltaMs, options.signal);
        options.onDelta(piece);
      }
      return finish(request, options, draft, scripted);
    },
  };
}

function finish(request: ModelRequest, options: ModelCallOptions, draft: Draft, scripted: ScriptedReply | null): BackendReply {
  const { visit, call } = options.caller;
  const toolCalls = draft.calls.map((planned, index) => ({ id: `call_${visit}_${call}_${index + 1}`, ...planned }));
  const usage = scripted?.usage;
  return {
    text: draft.text,
    toolCalls,
    finish: scripted?.finish ?? (toolCalls.length > 0 ? 'tool-calls' : 'stop'),
    usage: {
      inputTokens: usage?.inputTokens ?? tokensOf(request.messages.map((message) => message.content).join('\n')),
      outputTokens: usage?.outputTokens ?? tokensOf(draft.text + JSON.stringify(draft.calls)),
      cost: usage?.cost ?? 0,
    },
  };
}

/** Four characters a token is the usual rule of thumb; caps on tokens can be rehearsed with it. */
const tokensOf = (text: string): number => Math.ceil(text.length / 4);

function draftOf(reply: ScriptedReply): Draft {
  const text = reply.text ?? (reply.object === undefined ? '' : JSON.stringify(reply.object));
  return { text, calls: (reply.toolCalls ?? []).map((call) => ({ name: call.name, arguments: call.arguments })) };
}

function rehearse(request: ModelRequest, { caller }: ModelCallOptions): Draft {
  if (caller.nodeType === 'adaptive-control' && request.schema !== undefined) return { text: judgedTurn(request), calls: [] };
  const gathered = gather(request);
  const planned = request.tools?.length ? nextCall(request, gathered) : null;
  if (planned !== null) return { text: '', calls: [planned] };
  if (request.schema === undefined) return { text: extractiveReply(gathered), calls: [] };
  const prompt = request.messages.map((message) => message.content).join('\n');
  const value = valueOfSchema(request.schema, gathered, prompt);
  // Checked here as well, so that a schema beyond its skill is reported as such and not as a bad prompt.
  const fault = schemaCheck(request.schema)(value);
  if (fault !== null) {
    throw userError(
      'MODEL_BAD_REPLY',
      `The rehearsal model cannot make up a value of this schema (${fault}). Script the reply, or configure a model in Settings.`,
      { retryable: false },
    );
  }
  return { text: JSON.stringify(value), calls: [] };
}

/** A scripted failure is the same error that the provider's status would have become. */
function scriptedFault(error: NonNullable<ScriptedReply['error']>): Error {
  if (error.status === undefined) return operationalError('MODEL_UNAVAILABLE', error.message, { retryable: true });
  const provider = { id: rehearsalProvider, kind: 'openai-compatible', title: 'The scripted model', source: 'settings' } as const;
  return errorOfStatus(provider, {
    status: error.status,
    message: error.message,
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
  });
}

function unscriptedError(request: ModelRequest, { caller }: ModelCallOptions): Error {
  const asked = request.messages.at(-1)?.content ?? '';
  return userError(
    'MODEL_UNSCRIPTED',
    `The model script has no unspent reply for node "${caller.nodeId}" (role ${request.role}, visit ${caller.visit}, call ${caller.call}). ` +
      `Last message: "${asked.length > 200 ? `${asked.slice(0, 200)}…` : asked}". Add a reply, or raise its times.`,
    { retryable: false },
  );
}
