import { userError } from '@/harness/contract/errors';
import type { ModelGateway, ModelReply, ModelRequest, ModelRole } from '@/harness/contract/model';
import { modelRoles } from '@/harness/contract/model';
import type { ModelScript } from '@/harness/testing/model-script';
import type { TraceEvent } from '@/harness/trace/events';
import type { ModelBackend } from './backend';
import type { PriceOverrides } from './prices';
import type { ProviderRegistry } from './provider';
import { createProviderBackend, type ProviderLimits } from './provider-backend';
import { createRehearsalBackend } from './rehearsal/rehearsal-backend';
import { spendRecorded } from './rehearsal/restore';
import { createScriptCursor } from './rehearsal/script';
import { type RoleModels, rehearsalModelName, rehearsalProvider, resolveRole } from './roles';
import { callStructured } from './structured';

export interface GatewayOptions {
  registry: ProviderRegistry;
  /** The flow's `settings.models`. */
  models: RoleModels;
  /** The app's own models for roles, from settings. */
  defaults?: RoleModels;
  /** What the rehearsal model says first: the template's or the scenario's script. */
  script?: ModelScript;
  /** Every role is rehearsed, whatever is configured: scenarios, and runs of a template's sample. */
  rehearsalOnly?: boolean;
  /** What happens to a call the script does not answer; scenarios use `fail`. */
  unscripted?: 'rehearse' | 'fail';
  /** The run's events so far. A run that a new process takes up has spent part of its script already; read once, before the first call. */
  history?: () => readonly TraceEvent[] | Promise<readonly TraceEvent[]>;
  /** Milliseconds between the rehearsal model's pieces of text. */
  deltaMs?: number;
  prices?: PriceOverrides;
  limits?: Partial<ProviderLimits>;
}

export interface RunModels extends ModelGateway {
  /** Which model a role uses, for the trace; never throws. */
  describe(role: string): { provider: string; model: string; rehearsal: boolean };
  /** Replies of the script that nothing has asked for. */
  unusedReplies(): number;
}

const isRole = (role: string): role is ModelRole => modelRoles.some((known) => known === role);

/**
 * The models of one run: a role resolved to a model, one call with at most one corrective retry for structured replies. Build one per run,
 * because a script is spent as the run goes (after a restart `history` brings it up to date).
 */
export function createModelGateway(options: GatewayOptions): RunModels {
  const cursor = options.script === undefined ? undefined : createScriptCursor(options.script);
  const rehearsal = createRehearsalBackend({
    ...(cursor === undefined ? {} : { script: cursor }),
    ...(options.unscripted === undefined ? {} : { unscripted: options.unscripted }),
    ...(options.deltaMs === undefined ? {} : { deltaMs: options.deltaMs }),
  });

  let caughtUp: Promise<void> | null = null;
  /** Every call waits for it, so no reply is taken before those of the past are. */
  const catchUp = (): Promise<void> => {
    const { history } = options;
    if (cursor === undefined || history === undefined) return Promise.resolve();
    caughtUp ??= (async () => spendRecorded(cursor, await history()))();
    return caughtUp;
  };

  const choiceOf = (role: ModelRole) => (options.rehearsalOnly === true ? null : resolveRole(role, options.models, options.defaults ?? {}));

  function backendOf(role: ModelRole): ModelBackend {
    const choice = choiceOf(role);
    if (choice === null) return rehearsal;
    const provider = options.registry.get(choice.provider);
    if (provider === undefined) {
      const known = options.registry.list().map((config) => config.id);
      throw userError(
        'MODEL_PROVIDER_UNKNOWN',
        `The role ${role} wants ${choice.model} from provider "${choice.provider}", which is not configured here` +
          `${known.length > 0 ? ` (configured: ${known.join(', ')})` : ''}. Add it in Settings, or choose another model for the role.`,
        { retryable: false },
      );
    }
    return createProviderBackend({
      provider,
      model: choice.model,
      ...(options.prices === undefined ? {} : { prices: options.prices }),
      ...(options.limits === undefined ? {} : { limits: options.limits }),
    });
  }

  return {
    describe(role) {
      const choice = choiceOf(isRole(role) ? role : 'primary');
      return choice === null
        ? { provider: rehearsalProvider, model: rehearsalModelName, rehearsal: true }
        : { provider: choice.provider, model: choice.model, rehearsal: false };
    },
    unusedReplies: () => cursor?.unused().length ?? 0,
    async generate(request, call): Promise<ModelReply> {
      const backend = backendOf(request.role);
      await catchUp();
      const choice = choiceOf(request.role);
      const full: ModelRequest = {
        ...(choice?.temperature === undefined ? {} : { temperature: choice.temperature }),
        ...(choice?.maxOutputTokens === undefined ? {} : { maxOutputTokens: choice.maxOutputTokens }),
        ...request,
      };
      const { schema } = full;
      const reply = schema === undefined ? await backend.call(full, call) : await callStructured(backend, { ...full, schema }, call);
      return { ...reply, provider: backend.provider, model: backend.model, ...(backend.rehearsal ? { rehearsal: true } : {}) };
    },
  };
}
