import { join } from 'node:path';
import { SqliteEventLog } from '@/db/event-log';
import type { OpenDatabase } from '@/db/open';
import { packEvent } from '@/db/payloads';
import { FlowRepository } from '@/db/repositories/flows';
import { SqliteRunStore } from '@/db/repositories/runs';
import { SessionRepository } from '@/db/repositories/sessions';
import { SettingsRepository } from '@/db/repositories/settings';
import { toErrorRecord, userError } from '@/harness/contract/errors';
import type { ToolHost } from '@/harness/contract/tool';
import type { Clock } from '@/harness/engine/host';
import { previewOf } from '@/harness/flow/preview';
import type { FlowDocument } from '@/harness/flow/schema';
import type { TraceEvent } from '@/harness/trace/events';
import { runtime } from '@/nodes/executors';
import type { TemplateView } from '../api-types';
import { examine } from '../doctor/doctor';
import type { Environment } from '../env';
import { planOf } from '../flows/compile-flow';
import { Flows } from '../flows/flow-service';
import { logLine } from '../log';
import { recordCassette, replayFrom } from '../models/cassette';
import { createOutboundClient } from '../outbound/client';
import { Hub } from '../runs/hub';
import { buildRunHost, type RunWorld } from '../runs/run-host';
import { RunManager } from '../runs/run-manager';
import { Runs } from '../runs/run-service';
import { createSandbox, type Sandbox } from '../sandbox/sandbox';
import { openVault, type Vault } from '../secrets/vault';
import { Sessions } from '../sessions/session-service';
import { keyName, Providers } from '../settings/providers';
import { Settings } from '../settings/settings-service';
import type { Template } from '../templates/template';
import { builtInTools } from '../tools/built-in';
import { createToolHost } from '../tools/tool-host';
import { killOrphans } from '../workspace/kill-process';
import { RunFolders } from '../workspace/run-folders';
import { RunHolds } from './run-holds';
import type { HostServices } from './services';
import { createWorkspaces } from './workspaces';

export interface PartsOptions {
  environment: Environment;
  templates: readonly Template[];
  /** The folder of the app: migrations and samples stand below it. */
  root: string;
  clock: Clock;
  database: OpenDatabase;
  /** Instead of the built-in tools. */
  tools?: ToolHost;
  /** A command beside the server: its runs are marked as its own. */
  shared?: boolean;
}

export interface Parts {
  services: HostServices;
  hub: Hub;
  manager: RunManager;
  sandbox: Sandbox;
  /** Takes up what a dead process left behind. */
  begin(): Promise<void>;
}

/** Puts the host together. Every part is handed what it needs; none of them reaches for another. */
export function buildParts(options: PartsOptions): Parts {
  const { environment, templates, root, clock, database } = options;
  const now = () => clock.now();
  const { client } = database;
  const log = new SqliteEventLog(client);
  const store = new SqliteRunStore(database);
  const flowRows = new FlowRepository(database);
  const sessionRows = new SessionRepository(database);
  const settingRows = new SettingsRepository(database);
  const vault = openVault(environment.dataFolder);
  for (const notice of vault.notices) logLine('warning', notice);

  const providers = new Providers(environment, settingRows, vault);
  const outbound = createOutboundClient({ allowPrivate: environment.allowOutbound });
  const tools = options.tools ?? createToolHost(builtInTools(outbound, environment.commands));
  // Beside the data folder and not in it: programs that a run starts have no business near the keys.
  const runFolders = new RunFolders(`${environment.dataFolder}-work`);
  const sandbox = createSandbox();
  const settings = new Settings({ environment, repository: settingRows, providers, vault, tools: () => tools.list(), now });
  const workspaces = createWorkspaces({
    samplesFolder: join(/* turbopackIgnore: true */ root, 'public', 'samples'),
    dataFolder: environment.dataFolder,
    roots: environment.workspaces,
  });
  const hub = new Hub((runId, after, limit) => log.readPacked(runId, after, limit), packForStream);

  const templateOf = (id: string | null) => templates.find((template) => template.id === id);
  const flows = new Flows({
    repository: flowRows,
    catalogue: runtime.catalogue,
    templates: { document: (id) => templateOf(id)?.document ?? null },
    latestRuns: () => store.latestByFlow(),
    now,
    changed: (id, revision) => hub.announce({ kind: 'flow', id, revision }),
    removed: (id) => hub.announce({ kind: 'flow-removed', id }),
  });

  const world: RunWorld = {
    runtime,
    log,
    clock,
    tools,
    runFolders,
    outbound,
    sandbox,
    providers,
    settings,
    secrets: settingRows,
    vault,
    inbox: (sessionId) => sessions.inbox(sessionId),
    scriptOf: (flowId) => templateOf(flowRows.head(flowId)?.templateId ?? flowId)?.script ?? null,
    replay: (runId, models, own) => replayFrom(recordCassette(log.read(runId)), models, own),
  };
  const holds = new RunHolds(environment.dataFolder);
  const manager = new RunManager({
    log,
    store,
    hub,
    now,
    buildHost: (setting, events) => buildRunHost(world, setting, events),
    transaction: (work) => client.transaction(work).immediate(),
    isHeld: (runId) => holds.isHeld(runId),
    // the folder of a session outlives its runs
    removed: ({ id, sessionId }) => void (sessionId === null && runFolders.remove({ runId: id, sessionId }).catch(notRemoved)),
    ...(options.shared === true ? { hold: (runId: string) => holds.hold(runId) } : {}),
  });

  const compileWorld = {
    catalogue: runtime.catalogue,
    resolveFlow: (id: string, version?: number) => flows.resolve(id, version),
    providers: () => providers.registry.list().map((config) => config.id),
  };
  const runs = new Runs({
    manager,
    store,
    log,
    flows,
    planOf: (document) => planOf(document, compileWorld),
    resolveWorkspace: (choice) => workspaces.resolve(choice),
    isSample: (folder) => workspaces.isSample(folder),
    folders: runFolders,
    flowChannels: (flowId) => sessionRows.channels('flow', flowId),
    assertSession(sessionId, flowId) {
      if (sessionRows.get(sessionId)?.flowId !== flowId)
        throw userError('SESSION_NOT_FOUND', `There is no chat session ${sessionId} of this flow.`);
    },
  });

  const sessions = new Sessions({
    repository: sessionRows,
    channels: runtime.catalogue.channels,
    now,
    changed: (session) => hub.announce({ kind: 'session', id: session.id, flowId: session.flowId }),
    checkWorkspace: (choice) => void workspaces.resolve(choice),
    removed: (sessionId) => void runFolders.remove({ runId: sessionId, sessionId }).catch(notRemoved),
    runs: {
      startTurn: ({ documentHash, ...turn }) =>
        runs.begin({ ...turn, ...(documentHash === null ? {} : { document: manager.document(documentHash) }) }),
      record: (id) => (manager.isLive(id) ? manager.record(id) : store.get(id)),
      busy: (sessionId) => store.list({ sessionId, statuses: ['running', 'waiting'], limit: 1 }).length > 0,
      asks: (runId) => runs.asks(runId),
      channelsAtStart: (runId) => runs.channelsAtStart(runId),
      cancel: (id, by) => manager.cancel(id, by),
      freeze: (flowId, document) => freezeDraft(flows, flowId, document),
      assertFlow: (flowId) => void flows.row(flowId),
    },
  });
  manager.onEnd((record, end) => sessions.ended(record, end));

  const doctor = {
    report: async () =>
      examine({
        environment,
        database,
        providers,
        ripgrep: (await import('@vscode/ripgrep')).rgPath,
        sandbox: async (source) =>
          (await sandbox.run(source, {}, { timeoutMs: 2000, memoryBytes: 32_000_000 }, new AbortController().signal)).value,
        unreadable: () => unreadable(settingRows, vault),
        liveRuns: () => manager.liveCount,
        now,
      }),
  };

  return {
    services: { flows, templates: { list: () => templates.map(viewOf) }, runs, sessions, stream: hub, settings, doctor, workspaces },
    hub,
    manager,
    sandbox,
    async begin() {
      const orphans = await killOrphans();
      if (orphans > 0) logLine('info', 'Programs of a server before this one were ended', { orphans });
      await providers.discover(now());
      const { resumed, interrupted } = await manager.restoreAll();
      if (resumed + interrupted > 0) logLine('info', 'Runs of the server before this one were taken up', { resumed, interrupted });
      await sessions.continueQueues();
    },
  };
}

const notRemoved = (error: unknown): void =>
  logLine('warning', 'The folder of a removed run is still there', { reason: toErrorRecord(error).message });

/** Streams carry references where lists do; small events pass as they are. */
const packForStream = (event: TraceEvent): TraceEvent => packEvent(event, JSON.stringify(event))?.event ?? event;

function freezeDraft(flows: Flows, flowId: string, document: FlowDocument): { hash: string; text: string } {
  if (document.id !== flowId) throw userError('FLOW_ID_MISMATCH', `The draft says it is flow ${document.id}, not ${flowId}.`);
  return flows.freeze(document);
}

/** Names of what this data folder's key does not open. */
function unreadable(rows: SettingsRepository, vault: Vault): string[] {
  const opens = (name: string, sealed: string): boolean => {
    try {
      vault.decrypt(name, sealed);
      return true;
    } catch {
      return false;
    }
  };
  const secrets = rows.secretNames().filter(({ name }) => !opens(name, rows.sealedSecret(name) ?? ''));
  const keys = rows.providers().filter((row) => row.sealedKey !== null && !opens(keyName(row.id), row.sealedKey));
  return [...secrets.map(({ name }) => name), ...keys.map((row) => `key of ${row.title}`)];
}

function viewOf({ id, title, summary, sample, document }: Template): TemplateView {
  const layers = document.nodes.map((node) => runtime.catalogue.nodes.get(node.type)?.layer ?? 'flow');
  const preview = previewOf(document, (type) => runtime.catalogue.nodes.get(type));
  return { id, title, summary, sample, nodeCount: document.nodes.length, layers: [...new Set(layers)], preview };
}
