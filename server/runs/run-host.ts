import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SettingsRepository } from '@/db/repositories/settings';
import type { Plan } from '@/harness/compiler/plan';
import type { Runtime } from '@/harness/contract/catalogue';
import type { InboxMessage } from '@/harness/contract/execute';
import type { ToolHost } from '@/harness/contract/tool';
import type { EventLog } from '@/harness/engine/event-log';
import type { Clock, RunHost } from '@/harness/engine/host';
import type { ModelScript } from '@/harness/testing/model-script';
import { sha256 } from '../host/hash';
import { createModelGateway, type RunModels } from '../models/gateway';
import type { OutboundClient } from '../outbound/client';
import type { Sandbox } from '../sandbox/sandbox';
import { createRedactor } from '../secrets/redactor';
import type { Vault } from '../secrets/vault';
import type { Providers } from '../settings/providers';
import type { Settings } from '../settings/settings-service';
import { inRunFolder, type RunFolders } from '../workspace/run-folders';
import type { RunEvents, RunSetting } from './run-manager';

/** What all runs share of the outside world. */
export interface RunWorld {
  runtime: Runtime;
  log: EventLog;
  clock: Clock;
  tools: ToolHost;
  runFolders: RunFolders;
  outbound: OutboundClient;
  sandbox: Sandbox;
  providers: Providers;
  settings: Settings;
  secrets: SettingsRepository;
  vault: Vault;
  /** Messages that wait in a chat session, oldest first. */
  inbox: (sessionId: string) => InboxMessage[];
  /** The script of the template that a flow was made from. */
  scriptOf: (flowId: string) => ModelScript | null;
  /** Puts recorded answers in front of models and tools; absent parts of the record are refused, so a replay spends nothing. */
  replay: (runId: string, models: RunModels, tools: ToolHost) => { models: RunModels; tools: ToolHost };
}

const secretNames = (plan: Plan): string[] => [...plan.settings.secrets, ...Object.values(plan.subplans).flatMap(secretNames)];

/** Values of the secrets that a plan names; one that is not stored is left out, and a reference to it fails in the run. Throws `SECRET_UNREADABLE`. */
function secretValues(plan: Plan, world: RunWorld): Record<string, string> {
  const values = new Map<string, string>();
  for (const name of secretNames(plan)) {
    const sealed = world.secrets.sealedSecret(name);
    if (sealed !== null) values.set(name, world.vault.decrypt(name, sealed));
  }
  return Object.fromEntries(values);
}

/** The outside world of one run. */
export function buildRunHost(world: RunWorld, setting: RunSetting, events: RunEvents): RunHost {
  const { plan } = setting;
  const script = world.scriptOf(setting.flowId);
  const own = createModelGateway({
    registry: world.providers.registry,
    models: plan.settings.models,
    defaults: world.settings.roles(),
    // a run that is taken up again has spent part of its script already
    ...(script === null ? {} : { script, history: () => world.log.read(setting.runId) }),
  });
  const { runId, sessionId, options } = setting;
  const ownTools = inRunFolder(world.tools, world.runFolders, { runId, sessionId, mode: options.workspaceMode ?? 'copy' });
  const { models, tools } = setting.cassette === null ? { models: own, tools: ownTools } : world.replay(setting.cassette, own, ownTools);
  const secrets = secretValues(plan, world);
  const redactor = createRedactor(Object.entries(secrets).map(([name, value]) => ({ name, value })));
  return {
    runtime: world.runtime,
    log: world.log,
    clock: world.clock,
    models,
    tools,
    fetch: (request, signal) => world.outbound.fetch(request, signal),
    sandbox: async (source, globals, limits, signal) => (await world.sandbox.run(source, globals, limits, signal)).value,
    describeModel(role) {
      const { provider, model } = models.describe(role);
      return { provider, model };
    },
    secrets,
    redact: (value) => redactor.json(value),
    published: events.published,
    delta: (delta) => events.delta({ ...delta, text: redactor.text(delta.text) }),
    broken: events.broken,
    inbox: async () => (setting.sessionId === null ? [] : world.inbox(setting.sessionId)),
    breathe: () => nextTurn(),
    hash: sha256,
  };
}
