import { z } from 'zod';
import type { SettingsRepository } from '@/db/repositories/settings';
import { toErrorRecord, userError } from '@/harness/contract/errors';
import { modelRoles } from '@/harness/contract/model';
import type { ToolSpec } from '@/harness/contract/tool';
import { modelChoiceSchema } from '@/harness/flow/schema';
import type { ProviderView, SettingsView } from '../api-types';
import type { Environment } from '../env';
import type { ProviderInput, SettingsService } from '../host/services';
import { createModelGateway } from '../models/gateway';
import { providerTitles } from '../models/provider';
import { type RoleModels, rehearsalModelName, rehearsalProvider, suggestedDefaults } from '../models/roles';
import type { Vault } from '../secrets/vault';
import { keyName, type Providers } from './providers';

const rolesKey = 'roles';
const rolesSchema = z.partialRecord(z.enum(modelRoles), modelChoiceSchema);
/** How long a test call may take, in milliseconds. */
const testTimeout = 30_000;

export interface SettingsOptions {
  environment: Environment;
  repository: SettingsRepository;
  providers: Providers;
  vault: Vault;
  tools: () => ToolSpec[];
  now: () => number;
}

const rehearsal: ProviderView = {
  id: rehearsalProvider,
  kind: 'rehearsal',
  title: 'Rehearsal model',
  source: 'built-in',
  hasKey: true,
  models: [rehearsalModelName],
};

/** Providers, roles and secrets. Keys and secret values go in and never come out. */
export class Settings implements SettingsService {
  readonly #options: SettingsOptions;

  constructor(options: SettingsOptions) {
    this.#options = options;
  }

  async get(): Promise<SettingsView> {
    const { environment, repository, providers, tools, now } = this.#options;
    await providers.discover(now());
    const configured = providers.registry.list();
    return {
      providers: [
        ...configured.map((config): ProviderView => {
          const view: ProviderView = {
            id: config.id,
            kind: config.kind,
            title: config.title ?? providerTitles[config.kind],
            source: providers.sourceOf(config.id),
            hasKey: config.apiKey !== undefined,
            models: config.models ?? [],
          };
          return config.baseUrl === undefined ? view : { ...view, baseUrl: config.baseUrl };
        }),
        rehearsal,
      ],
      secrets: repository.secretNames(),
      roles: this.roles(),
      rehearsalOnly: configured.length === 0,
      workspaceRoots: environment.workspaces,
      dataFolder: environment.dataFolder,
      tools: tools(),
      tokenRequired: environment.token !== null,
    };
  }

  /** What a role uses where the flow does not say: what was saved, else a usual model of the first provider. */
  roles(): RoleModels {
    const saved = rolesSchema.safeParse(this.#options.repository.value(rolesKey));
    return { ...suggestedDefaults(this.#options.providers.registry.list()), ...(saved.success ? saved.data : {}) };
  }

  async saveProvider(input: ProviderInput): Promise<void> {
    const { repository, vault, now } = this.#options;
    if (input.id === rehearsalProvider)
      throw userError('PROVIDER_RESERVED', `"${rehearsalProvider}" is the name of the built-in model; choose another id.`);
    if (input.kind === 'openai-compatible' && input.baseUrl === undefined) {
      throw userError('PROVIDER_URL_MISSING', 'An OpenAI-compatible provider needs its base URL, /v1 included.');
    }
    const before = repository.provider(input.id);
    // a stored key belongs to the address it was typed for: it must not be sent to another one
    const moved = before !== null && (before.baseUrl !== (input.baseUrl ?? null) || before.kind !== input.kind);
    const kept = moved ? null : (before?.sealedKey ?? null);
    const sealedKey = input.key === undefined ? kept : input.key.trim() === '' ? null : vault.encrypt(keyName(input.id), input.key.trim());
    repository.saveProvider({
      id: input.id,
      kind: input.kind,
      title: input.title?.trim() || providerTitles[input.kind],
      baseUrl: input.baseUrl ?? null,
      models: input.models ?? before?.models ?? [],
      sealedKey,
      updatedAt: now(),
    });
  }

  async removeProvider(id: string): Promise<void> {
    if (!this.#options.repository.removeProvider(id)) {
      throw userError('PROVIDER_NOT_FOUND', `There is no saved provider "${id}". One that the environment names goes with its variable.`);
    }
  }

  async testProvider(id: string, model: string): Promise<{ ok: boolean; message: string; latencyMs: number }> {
    const { providers, now } = this.#options;
    if (id !== rehearsalProvider && providers.registry.get(id) === undefined)
      throw userError('PROVIDER_NOT_FOUND', `There is no provider "${id}".`);
    const began = now();
    const gateway = createModelGateway({ registry: providers.registry, models: { primary: { provider: id, model } } });
    try {
      const reply = await gateway.generate(
        { role: 'primary', messages: [{ role: 'user', content: 'Answer with the one word: ready' }], maxOutputTokens: 64 },
        {
          caller: { runId: 'test', flowId: 'test', nodeId: 'test', nodeType: 'test', visit: 1, call: 1 },
          signal: AbortSignal.timeout(testTimeout),
          onDelta: () => undefined,
        },
      );
      return { ok: true, message: `${reply.model} answered: ${reply.text.trim().slice(0, 120)}`, latencyMs: now() - began };
    } catch (thrown) {
      return { ok: false, message: toErrorRecord(thrown).message, latencyMs: now() - began };
    }
  }

  async saveRoles(roles: RoleModels): Promise<void> {
    this.#options.repository.setValue(rolesKey, rolesSchema.parse(roles), this.#options.now());
  }

  async setSecret(name: string, value: string): Promise<void> {
    const { repository, vault, now } = this.#options;
    repository.setSealedSecret(name, vault.encrypt(name, value), now());
  }

  async removeSecret(name: string): Promise<void> {
    if (!this.#options.repository.removeSecret(name)) throw userError('SECRET_NOT_FOUND', `There is no secret ${name}.`);
  }
}
