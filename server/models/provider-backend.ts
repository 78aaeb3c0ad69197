import { APICallError, jsonSchema, type OutputInterface, streamText, type ToolSet, tool } from 'ai';
import type { Json } from '@/harness/contract/json';
import type { ModelCallOptions, ModelRequest, ToolCall } from '@/harness/contract/model';
import type { BackendReply, ModelBackend } from './backend';
import { badReply, cancelled, cutStream, modelError, timedOut } from './errors';
import { languageModel } from './language-model';
import { toPrompt } from './messages';
import { costOf, type PriceOverrides, priceOf } from './prices';
import { type ProviderConfig, providerTitles } from './provider';

/** Milliseconds a provider may stay silent, and how much text one reply may have. */
export interface ProviderLimits {
  firstPartMs: number;
  idleMs: number;
  maxCharacters: number;
}

export const providerLimits: ProviderLimits = { firstPartMs: 300_000, idleMs: 120_000, maxCharacters: 8_000_000 };

export interface ProviderBackendOptions {
  provider: ProviderConfig;
  model: string;
  prices?: PriceOverrides;
  limits?: Partial<ProviderLimits>;
}

const offers = (request: ModelRequest): ToolSet | undefined =>
  request.tools?.length
    ? Object.fromEntries(
        request.tools.map((offer) => [
          offer.name,
          tool({ description: offer.description, inputSchema: jsonSchema<Json>(offer.inputSchema) }),
        ]),
      )
    : undefined;

/** Asks the provider for JSON of the schema. Reading it is ours: the SDK would parse the growing text again at every piece. */
const jsonOutput = (request: ModelRequest): OutputInterface<string, never, never> | undefined =>
  request.schema === undefined
    ? undefined
    : {
        name: 'json',
        responseFormat: Promise.resolve({ type: 'json', schema: request.schema, name: schemaName(request) }),
        parseCompleteOutput: async ({ text }) => text,
        parsePartialOutput: async () => undefined,
        createElementStreamTransform: () => undefined,
      };

/** Providers accept letters, digits, `_` and `-` in the name, 64 at most. */
const schemaName = (request: ModelRequest): string =>
  (request.schemaName ?? 'reply').replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'reply';

const refusesSchema = (error: unknown): boolean =>
  APICallError.isInstance(error) &&
  (error.statusCode === 400 || error.statusCode === 422) &&
  /response_format|json_schema|json_object|schema|structured|output_format|responseSchema/i.test(
    `${error.message} ${error.responseBody ?? ''}`,
  );

/** Models (by provider, address and name) that refused a schema of the API once: they are asked in words from then on. */
const schemaRefused = new Set<string>();

/** One model of a configured provider, called through the AI SDK, never retried by it. */
export function createProviderBackend({ provider, model, prices = {}, limits }: ProviderBackendOptions): ModelBackend {
  const bounds = { ...providerLimits, ...limits };
  const name = provider.title ?? providerTitles[provider.kind];
  const price = priceOf(provider, model, prices);
  const memory = `${provider.id} ${provider.baseUrl ?? ''} ${model}`;

  async function stream(request: ModelRequest, options: ModelCallOptions, native: boolean): Promise<BackendReply> {
    const idle = new AbortController();
    let silentMs = bounds.firstPartMs;
    let silent = false;
    const giveUp = (): void => {
      silent = true;
      idle.abort();
    };
    let timer = setTimeout(giveUp, silentMs);
    const heard = (): void => {
      clearTimeout(timer);
      silentMs = bounds.idleMs;
      timer = setTimeout(giveUp, silentMs);
    };
    const { system, messages } = toPrompt(request);
    const tools = offers(request);
    const output = native ? jsonOutput(request) : undefined;
    let text = '';
    let characters = 0;
    const calls: ToolCall[] = [];
    let end: Omit<BackendReply, 'text' | 'toolCalls'> | null = null;
    const count = (length: number): void => {
      characters += length;
      if (characters > bounds.maxCharacters) {
        throw badReply(`${name} went on beyond ${bounds.maxCharacters} characters and was stopped. Set a limit on output tokens.`, false);
      }
    };
    try {
      const result = streamText({
        model: languageModel(provider, model),
        ...(system === undefined ? {} : { system }),
        messages,
        ...(tools === undefined ? {} : { tools }),
        ...(output === undefined ? {} : { output }),
        ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
        ...(request.maxOutputTokens === undefined ? {} : { maxOutputTokens: request.maxOutputTokens }),
        // Strict mode forbids optional fields, which people's schemas have.
        providerOptions: { openai: { strictJsonSchema: false }, [provider.id]: { strictJsonSchema: false } },
        maxRetries: 0,
        abortSignal: AbortSignal.any([options.signal, idle.signal]),
        // Errors are read from the stream below; without this the SDK would print them.
        onError: () => undefined,
      });
      for await (const part of result.fullStream) {
        // These two come from the SDK before the provider has said anything.
        if (part.type !== 'start' && part.type !== 'start-step') heard();
        switch (part.type) {
          case 'text-delta':
            count(part.text.length);
            text += part.text;
            if (part.text !== '') options.onDelta(part.text);
            break;
          case 'reasoning-delta':
            count(part.text.length);
            break;
          case 'tool-input-delta':
            count(part.delta.length);
            break;
          case 'tool-call':
            calls.push({ id: uniqueId(part.toolCallId, calls, options), name: part.toolName, arguments: toArguments(part.input) });
            break;
          case 'error':
            throw part.error;
          case 'finish-step': {
            if (part.rawFinishReason === undefined) throw cutStream(name);
            const counts = {
              inputTokens: part.usage.inputTokens ?? null,
              outputTokens: part.usage.outputTokens ?? null,
              cachedInputTokens: part.usage.inputTokenDetails.cacheReadTokens ?? null,
            };
            end = {
              finish: calls.length > 0 ? 'tool-calls' : part.finishReason,
              usage: { inputTokens: counts.inputTokens, outputTokens: counts.outputTokens, cost: costOf(price, counts) },
            };
            break;
          }
          default:
            break;
        }
      }
    } catch (error) {
      if (options.signal.aborted) throw cancelled();
      if (silent) throw timedOut(name, silentMs);
      throw error;
    } finally {
      clearTimeout(timer);
      // Whatever ended the reading, the connection must not go on costing.
      idle.abort();
    }
    if (options.signal.aborted) throw cancelled();
    if (silent) throw timedOut(name, silentMs);
    if (end === null) throw cutStream(name);
    if (end.finish === 'error') throw badReply(`${name} ended the reply with an error.`, true);
    return { text, toolCalls: calls, ...end };
  }

  return {
    provider: provider.id,
    model,
    rehearsal: false,
    async call(request, options) {
      if (options.signal.aborted) throw cancelled();
      const native = request.schema !== undefined && !schemaRefused.has(memory);
      try {
        return await stream(request, options, native).catch((error: unknown) => {
          if (!native || !refusesSchema(error)) throw error;
          schemaRefused.add(memory);
          return stream(request, options, false);
        });
      } catch (error) {
        throw modelError(error, provider, Date.now());
      }
    },
  };
}

/** Some servers send no id, or the same for every call. */
function uniqueId(id: string, calls: readonly ToolCall[], options: ModelCallOptions): string {
  const taken = calls.some((call) => call.id === id);
  return id === '' || taken ? `call_${options.caller.visit}_${options.caller.call}_${calls.length + 1}` : id;
}

/** Arguments that are no JSON stay text: the tool host answers that they do not fit, and the model can correct itself. */
function toArguments(input: unknown): Json {
  if (input === undefined || input === '') return {};
  // What the SDK hands over was parsed from JSON text, or is that text.
  return input as Json;
}
