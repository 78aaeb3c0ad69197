/** Kinds of provider the gateway can speak to. `ollama` is OpenAI-compatible under `/v1`. */
export type ProviderKind = 'openai' | 'anthropic' | 'google' | 'openai-compatible' | 'ollama';

/** A provider as data. `apiKey` and `headers` never leave the server and never appear in a message. */
export interface ProviderConfig {
  id: string;
  kind: ProviderKind;
  title?: string;
  /** Root of the API, `/v1` included where the provider has one. Required for `openai-compatible`. */
  baseUrl?: string;
  apiKey?: string;
  headers?: Record<string, string>;
  /** Model names that were found or typed; a model that is not listed may be used all the same. */
  models?: string[];
  source: 'environment' | 'settings';
}

/** The providers a run can use, at this moment. */
export interface ProviderRegistry {
  list(): ProviderConfig[];
  get(id: string): ProviderConfig | undefined;
}

/** What `server/env.ts` read from the environment. */
export interface ModelEnvironment {
  openaiKey?: string;
  anthropicKey?: string;
  googleKey?: string;
  compatibleUrl?: string;
  compatibleKey?: string;
  ollamaHost?: string;
}

/** Which variable carries the key of a provider kind; named in error messages. */
export const keyVariables: Readonly<Record<ProviderKind, string | null>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_GENERATIVE_AI_API_KEY',
  'openai-compatible': 'BRIDLE_OPENAI_COMPATIBLE_KEY',
  ollama: null,
};

export const providerTitles: Readonly<Record<ProviderKind, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  'openai-compatible': 'OpenAI-compatible server',
  ollama: 'Ollama',
};

const present = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';

/** Providers named by the environment alone; Ollama is not among them, it has to be found (`discoverOllama`). */
export function providersFromEnvironment(environment: ModelEnvironment): ProviderConfig[] {
  const found: ProviderConfig[] = [];
  const keyed = [
    ['openai', environment.openaiKey],
    ['anthropic', environment.anthropicKey],
    ['google', environment.googleKey],
  ] as const;
  for (const [kind, apiKey] of keyed) {
    if (present(apiKey)) found.push({ id: kind, kind, title: providerTitles[kind], apiKey: apiKey.trim(), source: 'environment' });
  }
  if (present(environment.compatibleUrl)) {
    found.push({
      id: 'openai-compatible',
      kind: 'openai-compatible',
      title: providerTitles['openai-compatible'],
      baseUrl: environment.compatibleUrl.trim(),
      ...(present(environment.compatibleKey) ? { apiKey: environment.compatibleKey.trim() } : {}),
      source: 'environment',
    });
  }
  return found;
}

/** Joins the sources; a later list wins over an earlier one with the same id. Read anew on every call, so saved settings count at once. */
export function createProviderRegistry(...sources: (() => readonly ProviderConfig[])[]): ProviderRegistry {
  const collect = (): Map<string, ProviderConfig> => {
    const byId = new Map<string, ProviderConfig>();
    for (const source of sources) for (const config of source()) byId.set(config.id, config);
    return byId;
  };
  return { list: () => [...collect().values()], get: (id) => collect().get(id) };
}
