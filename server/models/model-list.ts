import { z } from 'zod';
import { type ProviderConfig, providerTitles } from './provider';

export const defaultOllamaHost = 'http://127.0.0.1:11434';

const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) });
const googleListSchema = z.object({ models: z.array(z.object({ name: z.string() })) });

const baseUrls = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
} as const;

/** Root of a provider's API without a final slash. */
export function baseUrlOf(config: ProviderConfig): string {
  const fallback = config.kind === 'ollama' ? `${defaultOllamaHost}/v1` : config.kind === 'openai-compatible' ? '' : baseUrls[config.kind];
  return (config.baseUrl ?? fallback).replace(/\/+$/, '');
}

/** `OLLAMA_HOST` may be `host`, `host:port`, or a URL; 0.0.0.0 is where it listens, not where it is reached. */
export function ollamaUrl(host: string | undefined): string {
  const text = (host ?? '').trim();
  if (text === '') return defaultOllamaHost;
  const full = /^https?:\/\//.test(text) ? text : `http://${text}`;
  if (!URL.canParse(full)) return defaultOllamaHost;
  const url = new URL(full);
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = '127.0.0.1';
  if (url.port === '' && url.protocol === 'http:') url.port = '11434';
  return url.origin;
}

/** Asks a provider which models it has. Throws what `fetch` or the answer throws; nothing in the message carries the key. */
export async function listModels(config: ProviderConfig, signal: AbortSignal): Promise<string[]> {
  const headers: Record<string, string> = { ...config.headers };
  if (config.apiKey !== undefined) {
    if (config.kind === 'anthropic') headers['x-api-key'] = config.apiKey;
    else if (config.kind === 'google') headers['x-goog-api-key'] = config.apiKey;
    else headers.authorization = `Bearer ${config.apiKey}`;
  }
  if (config.kind === 'anthropic') headers['anthropic-version'] = '2023-06-01';
  const response = await fetch(`${baseUrlOf(config)}/models`, { headers, signal, redirect: 'manual' });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${config.title ?? providerTitles[config.kind]} answered ${response.status} when asked for its models.`);
  }
  const body: unknown = await response.json();
  if (config.kind === 'google') return googleListSchema.parse(body).models.map((model) => model.name.replace(/^models\//, ''));
  return listSchema.parse(body).data.map((model) => model.id);
}

/** Looks for Ollama where it usually listens; `null` when nothing answers in time. Never throws. */
export async function discoverOllama(host: string | undefined, timeoutMs = 400): Promise<ProviderConfig | null> {
  const config: ProviderConfig = {
    id: 'ollama',
    kind: 'ollama',
    title: providerTitles.ollama,
    baseUrl: `${ollamaUrl(host)}/v1`,
    source: 'environment',
  };
  try {
    return { ...config, models: await listModels(config, AbortSignal.timeout(timeoutMs)) };
  } catch {
    return null;
  }
}
