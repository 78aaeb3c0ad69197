import 'server-only';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@/db/open';
import { toErrorRecord } from '@/harness/contract/errors';
import type { Clock } from '@/harness/engine/host';
import { type Environment, readEnvironment } from '../env';
import { logLine } from '../log';
import { assertSafeBinding } from '../security/addresses';
import { templates } from '../templates/index';
import type { Template } from '../templates/template';
import { systemClock } from './clock';
import { lockDataFolder } from './data-lock';
import { buildParts, type PartsOptions } from './parts';
import type { HostServices } from './services';

export interface Host {
  services: HostServices;
  environment: Environment;
  /** Takes up what a dead process left. Call once, before the first request. */
  begin(): Promise<void>;
  /** Ends streams, lets go of runs and closes the database. A second call does nothing. */
  close(): Promise<void>;
}

export interface HostOptions extends Partial<Pick<PartsOptions, 'tools' | 'root' | 'shared'>> {
  environment: Environment;
  templates?: readonly Template[];
  clock?: Clock;
}

/**
 * Everything that lives as long as the server. Opens the data folder; throws when another server has it, unless `shared` (a command beside the
 * server, which must not call `begin`).
 */
export function createHost(options: HostOptions): Host {
  const { environment, clock = systemClock, root = process.cwd(), tools } = options;
  assertSafeBinding(environment);
  mkdirSync(environment.dataFolder, { recursive: true, mode: 0o700 });
  if (process.platform !== 'win32') chmodSync(environment.dataFolder, 0o700);
  const { shared = false } = options;
  const lock = shared ? { release: () => {} } : lockDataFolder(environment.dataFolder);
  try {
    const database = openDatabase(join(environment.dataFolder, 'bridle.db'), join(/* turbopackIgnore: true */ root, 'db', 'migrations'));
    const parts = buildParts({
      environment,
      templates: options.templates ?? templates,
      root,
      clock,
      database,
      shared,
      ...(tools === undefined ? {} : { tools }),
    });
    let closed = false;
    return {
      services: parts.services,
      environment,
      begin: () => parts.begin(),
      async close() {
        if (closed) return;
        closed = true;
        parts.hub.close();
        parts.manager.stop();
        await parts.sandbox.close();
        database.close();
        lock.release();
      },
    };
  } catch (thrown) {
    lock.release();
    throw thrown;
  }
}

interface Shared {
  host: Host;
  begun: Promise<void>;
}

declare global {
  /** The framework evaluates modules more than once in a process; what lives long stands here, once. */
  var __bridle: Shared | undefined;
}

function shared(): Shared {
  if (globalThis.__bridle === undefined) {
    const host = createHost({ environment: readEnvironment() });
    globalThis.__bridle = { host, begun: host.begin() };
  }
  return globalThis.__bridle;
}

/** The host of this process; made on first use. */
export const getHost = (): Host => shared().host;

/** How long open requests may take to end after a signal, in milliseconds. */
const longestGoodbye = 1500;

/** Called when the server begins: takes up runs, and ends in good order with a signal or when the script that began it is gone. */
export async function beginHost(): Promise<void> {
  const { host, begun } = shared();
  const end = (): void => {
    void host.close().catch((thrown) => logLine('error', 'The host did not close well', { reason: toErrorRecord(thrown).message }));
    setTimeout(() => process.exit(0), longestGoodbye).unref();
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  watchSupervisor(host.environment.supervisor, end);
  await begun;
}

/** A server whose starter was killed would hold the port and the data folder for ever. */
function watchSupervisor(pid: number | null, end: () => void): void {
  if (pid === null) return;
  const timer = setInterval(() => {
    try {
      process.kill(pid, 0);
    } catch {
      clearInterval(timer);
      end();
    }
  }, 1000);
  timer.unref();
}
