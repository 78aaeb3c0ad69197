import {
  APICallError,
  EmptyResponseBodyError,
  InvalidPromptError,
  InvalidResponseDataError,
  InvalidStreamPartError,
  JSONParseError,
  LoadAPIKeyError,
  MissingToolResultsError,
  NoContentGeneratedError,
  NoOutputGeneratedError,
  TypeValidationError,
} from 'ai';
import { z } from 'zod';
import { type BridleError, isBridleError, operationalError, userError } from '@/harness/contract/errors';
import type { JsonObject } from '@/harness/contract/json';
import { keyVariables, type ProviderConfig, providerTitles } from './provider';

const titleOf = (provider: ProviderConfig): string => provider.title ?? providerTitles[provider.kind];

/** Removes the provider's key and header values from a text that came from outside, and bounds it. */
function publicText(text: string, provider: ProviderConfig): string {
  let safe = text;
  for (const value of [provider.apiKey, ...Object.values(provider.headers ?? {})]) {
    if (value !== undefined && value.length >= 4) safe = safe.replaceAll(value, '[key]');
  }
  // Providers echo a shortened key ("sk-ab***cd"), which is still part of a secret.
  safe = safe.replace(/\b(?:sk|key|AIza)[-_A-Za-z0-9]*\*{2,}[-_A-Za-z0-9]*/g, '[key]');
  return safe.length > 400 ? `${safe.slice(0, 400)}…` : safe;
}

/** `retry-after` in seconds or as a date, `retry-after-ms` in milliseconds; absent or unreadable gives `undefined`. */
export function retryAfterMs(headers: Record<string, string> | undefined, now: number): number | undefined {
  const milliseconds = Number(headers?.['retry-after-ms']);
  if (headers?.['retry-after-ms'] !== undefined && Number.isFinite(milliseconds)) return Math.max(0, milliseconds);
  const header = headers?.['retry-after'];
  if (header === undefined) return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, Math.round(seconds * 1000));
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

export const cancelled = (): BridleError => operationalError('CANCELLED', 'The model call was cancelled.', { retryable: false });

export const timedOut = (name: string, milliseconds: number): BridleError =>
  operationalError(
    'MODEL_TIMEOUT',
    `${name} sent nothing for ${Math.round(milliseconds / 1000)} seconds. Try again, or choose a faster model.`,
    {
      retryable: true,
    },
  );

export const badReply = (message: string, retryable: boolean): BridleError => operationalError('MODEL_BAD_REPLY', message, { retryable });

export const cutStream = (name: string): BridleError =>
  operationalError('MODEL_UNAVAILABLE', `${name} ended the reply in the middle. The part that came was not used; try again.`, {
    retryable: true,
  });

export interface StatusFault {
  status: number;
  message: string;
  retryAfterMs?: number;
}

/** The error a provider's HTTP status stands for. */
export function errorOfStatus(provider: ProviderConfig, fault: StatusFault): BridleError {
  const name = titleOf(provider);
  const { status } = fault;
  const said = publicText(fault.message, provider);
  const after: JsonObject = fault.retryAfterMs === undefined ? {} : { retryAfterMs: fault.retryAfterMs };
  if (status === 401 || status === 403) {
    const variable = keyVariables[provider.kind];
    const where = variable === null ? 'Set it in Settings' : `Set it in Settings or as ${variable}`;
    const missing = provider.apiKey === undefined;
    return userError(
      'MODEL_AUTH',
      `${name} (provider "${provider.id}") ${missing ? 'wants a key and none is set' : 'refused the key'} (${status}). ${where}.`,
      { retryable: false, status },
    );
  }
  if (status === 429) {
    const exhausted = /insufficient_quota|exceeded your current quota/i.test(fault.message);
    const advice = exhausted ? 'The quota of this key is used up.' : 'Too many calls in a short time; wait and try again.';
    return operationalError('MODEL_RATE_LIMIT', `${name} refused the call (429). ${advice}`, { retryable: !exhausted, status, ...after });
  }
  if (status === 408)
    return operationalError('MODEL_TIMEOUT', `${name} took too long (408). Try again.`, { retryable: true, status, ...after });
  if (status >= 500) {
    return operationalError('MODEL_UNAVAILABLE', `${name} failed (${status}): ${said}`, { retryable: true, status, ...after });
  }
  if (status >= 300 && status < 400) {
    return userError('MODEL_REFUSED', `${name} answers with a redirect (${status}). Correct the provider's base URL in Settings.`, {
      retryable: false,
      status,
    });
  }
  const hint = status === 404 ? ' Check the model name and the base URL.' : '';
  return userError('MODEL_REFUSED', `${name} refused the request (${status}): ${said}${hint}`, { retryable: false, status });
}

const streamErrorSchema = z.object({
  message: z.string(),
  type: z.string().nullish(),
  code: z.union([z.string(), z.number()]).nullish(),
});

/** Walks to the innermost cause that carries a system error code. */
function systemCode(error: unknown): string | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth += 1) {
    if ('code' in at && typeof at.code === 'string' && /^(?:E[A-Z]+|UND_ERR_[A-Z_]+)$/.test(at.code)) return at.code;
  }
  return null;
}

/** Whether a connection that had begun to answer was lost: undici says "terminated" and keeps the socket's code as the cause. */
const brokeOff = (error: unknown): boolean =>
  systemCode(error) !== null ||
  (error instanceof Error && error.cause instanceof TypeError) ||
  (error instanceof TypeError && error.message === 'terminated');

const isMalformed = (error: unknown): boolean =>
  JSONParseError.isInstance(error) ||
  TypeValidationError.isInstance(error) ||
  EmptyResponseBodyError.isInstance(error) ||
  NoContentGeneratedError.isInstance(error) ||
  NoOutputGeneratedError.isInstance(error) ||
  InvalidStreamPartError.isInstance(error);

/** Anything a provider adapter threw, as the error a node sees. The key never appears in it. */
export function modelError(error: unknown, provider: ProviderConfig, now: number): BridleError {
  if (isBridleError(error)) return error;
  const name = titleOf(provider);
  if (APICallError.isInstance(error)) {
    const status = error.statusCode;
    if (status !== undefined && (status < 200 || status >= 300)) {
      const after = retryAfterMs(error.responseHeaders, now);
      return errorOfStatus(provider, { status, message: error.message, ...(after === undefined ? {} : { retryAfterMs: after }) });
    }
    if (status !== undefined && brokeOff(error)) return cutStream(name);
    if (status !== undefined) return badReply(`${name} answered with something that is not a model's reply. Check the base URL.`, true);
  }
  if (LoadAPIKeyError.isInstance(error)) return errorOfStatus(provider, { status: 401, message: '' });
  if (InvalidPromptError.isInstance(error) || MissingToolResultsError.isInstance(error)) {
    return userError('MODEL_REFUSED', `The messages cannot be sent to ${name}: ${publicText(error.message, provider)}`, {
      retryable: false,
    });
  }
  if (InvalidResponseDataError.isInstance(error)) {
    return /finish reason/i.test(error.message) ? cutStream(name) : badReply(`${name} sent a reply that cannot be read.`, true);
  }
  if (isMalformed(error)) return badReply(`${name} sent a reply that cannot be read.`, true);
  const inStream = streamErrorSchema.safeParse(error);
  if (inStream.success && !(error instanceof Error)) {
    const words = `${inStream.data.type ?? ''} ${inStream.data.code ?? ''}`;
    const status = /rate_limit|429/.test(words) ? 429 : /auth|401|403/.test(words) ? 401 : 500;
    return errorOfStatus(provider, { status, message: inStream.data.message });
  }
  const code = systemCode(error);
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return operationalError(
      'MODEL_UNAVAILABLE',
      `${name} cannot be reached (${code}). Check that it runs and that its base URL is right.`,
      {
        retryable: true,
      },
    );
  }
  if (error instanceof TypeError || code !== null || APICallError.isInstance(error)) return cutStream(name);
  const message = error instanceof Error ? error.message : 'unknown fault';
  return operationalError('MODEL_UNAVAILABLE', `${name} failed: ${publicText(message, provider)}`, { retryable: true });
}
