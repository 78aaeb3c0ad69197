import type { ModelRole } from '@/harness/contract/model';
import type { ModelChoice } from '@/harness/flow/schema';
import type { ProviderConfig, ProviderKind } from './provider';

export type RoleModels = Partial<Record<ModelRole, ModelChoice>>;

/** Provider id under which the built-in model is known and can be chosen. */
export const rehearsalProvider = 'rehearsal';
export const rehearsalModelName = 'rehearsal';

/** A role's model: the flow's own, the flow's primary, the app's own, the app's primary; `null` means the rehearsal model. */
export function resolveRole(role: ModelRole, flow: RoleModels, defaults: RoleModels): ModelChoice | null {
  const choice = flow[role] ?? flow.primary ?? defaults[role] ?? defaults.primary ?? null;
  return choice === null || choice.provider === rehearsalProvider ? null : choice;
}

const usualModels: Readonly<Partial<Record<ProviderKind, string>>> = {
  openai: 'gpt-5-mini',
  anthropic: 'claude-sonnet-4-5',
  google: 'gemini-2.5-flash',
};

/** The app's primary model while nobody has chosen one: the first configured provider with a model we can name. */
export function suggestedDefaults(providers: readonly ProviderConfig[]): RoleModels {
  for (const provider of providers) {
    const model = usualModels[provider.kind] ?? provider.models?.[0];
    if (model !== undefined) return { primary: { provider: provider.id, model } };
  }
  return {};
}
