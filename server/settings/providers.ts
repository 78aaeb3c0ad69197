import type { ProviderRow, SettingsRepository } from '@/db/repositories/settings';
import type { Environment } from '../env';
import type { Vault } from '../secrets/vault';

/** The name under which the vault keeps the key of a provider. */
export const keyName = (providerId: string): string => `provider ${providerId}`;

import { discoverOllama } from '../models/model-list';
import {
  createProviderRegistry,
  type ProviderConfig,
  type ProviderKind,
  type ProviderRegistry,
  providersFromEnvironment,
} from '../models/provider';

const kinds: readonly ProviderKind[] = ['openai', 'anthropic', 'google', 'openai-compatible', 'ollama'];
const isKind = (text: string): text is ProviderKind => kinds.some((kind) => kind === text);

/** How long an answer of Ollama (or its silence) is believed, in milliseconds. */
const discoveryAge = 30_000;

/** Every provider a run can use: environment first, what was found, what was saved; a saved one replaces its namesake. */
export class Providers {
  readonly registry: ProviderRegistry;
  readonly #environment: Environment;
  readonly #repository: SettingsRepository;
  readonly #vault: Vault;
  #found: ProviderConfig | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | null = null;

  constructor(environment: Environment, repository: SettingsRepository, vault: Vault) {
    this.#environment = environment;
    this.#repository = repository;
    this.#vault = vault;
    this.registry = createProviderRegistry(
      () => providersFromEnvironment(environment.models),
      () => (this.#found === null ? [] : [this.#found]),
      () => repository.providers().flatMap((row) => this.#configOf(row)),
    );
  }

  sourceOf(id: string): 'environment' | 'settings' | 'discovered' {
    if (this.#repository.provider(id) !== null) return 'settings';
    return this.#found?.id === id ? 'discovered' : 'environment';
  }

  /** Looks for Ollama, at most once in a while. Never throws. */
  async discover(now: number): Promise<void> {
    if (now - this.#lookedAt < discoveryAge) return;
    this.#looking ??= discoverOllama(this.#environment.models.ollamaHost).then((found) => {
      this.#found = found;
      this.#lookedAt = now;
      this.#looking = null;
    });
    await this.#looking;
  }

  get ollama(): ProviderConfig | null {
    return this.#found;
  }

  #configOf(row: ProviderRow): ProviderConfig[] {
    if (!isKind(row.kind)) return [];
    const config: ProviderConfig = { id: row.id, kind: row.kind, title: row.title, models: row.models, source: 'settings' };
    if (row.baseUrl !== null) config.baseUrl = row.baseUrl;
    const key = row.sealedKey === null ? null : this.#open(row.id, row.sealedKey);
    if (key !== null) config.apiKey = key;
    return [config];
  }

  /** A key that cannot be opened counts as not set; the doctor tells of it. */
  #open(id: string, sealed: string): string | null {
    try {
      return this.#vault.decrypt(keyName(id), sealed);
    } catch {
      return null;
    }
  }
}
