import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import { userError } from '@/harness/contract/errors';
import { baseUrlOf } from './model-list';
import type { ProviderConfig } from './provider';

/** A redirect would carry the key to an address nobody chose, so it is handed back as the answer it is (3xx, an error). */
const directFetch: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' });

/** The AI SDK's model for a provider and a name. The key is given explicitly, so that nothing is read from the environment behind our back. */
export function languageModel(config: ProviderConfig, model: string): LanguageModel {
  const shared = { headers: config.headers ?? {}, fetch: directFetch, baseURL: baseUrlOf(config) };
  switch (config.kind) {
    case 'openai':
      return createOpenAI({ ...shared, apiKey: config.apiKey ?? '' }).chat(model);
    case 'anthropic':
      return createAnthropic({ ...shared, apiKey: config.apiKey ?? '' })(model);
    case 'google':
      return createGoogleGenerativeAI({ ...shared, apiKey: config.apiKey ?? '' })(model);
    case 'openai-compatible':
    case 'ollama': {
      if (shared.baseURL === '') {
        throw userError('MODEL_REFUSED', `Provider "${config.id}" has no base URL. Set it in Settings.`, { retryable: false });
      }
      const provider = createOpenAICompatible({
        ...shared,
        name: config.id,
        ...(config.apiKey === undefined ? {} : { apiKey: config.apiKey }),
        includeUsage: true,
        supportsStructuredOutputs: true,
      });
      return provider.chatModel(model);
    }
  }
}
