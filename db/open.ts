import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { operationalError } from '@/harness/contract/errors';
import * as schema from './schema';

export type Client = Database.Database;
export type Db = BetterSQLite3Database<typeof schema>;

export interface OpenDatabase {
  client: Client;
  db: Db;
  file: string;
  close: () => void;
}

/** The write-ahead log is cut back to this many bytes after a checkpoint. */
export const walLimitBytes = 16 * 1024 * 1024;
/** Pages in the write-ahead log after which SQLite checkpoints. */
const checkpointPages = 1000;

/**
 * Opens the database, brings it to the newest schema and leaves it in WAL mode with foreign keys on. A new file is readable by its
 * owner only. Throws `DATABASE_FAILED` with what to do.
 */
export function openDatabase(
  file: string,
  migrationsFolder = join(/* turbopackIgnore: true */ process.cwd(), 'db', 'migrations'),
): OpenDatabase {
  try {
    mkdirSync(dirname(file), { recursive: true });
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    const client = new Database(file, { timeout: 10_000 });
    // has an effect only before the first table is made: lets deleted runs give their space back (BR-69)
    client.pragma('auto_vacuum = INCREMENTAL');
    client.pragma('journal_mode = WAL');
    client.pragma('synchronous = NORMAL');
    client.pragma('foreign_keys = ON');
    client.pragma(`wal_autocheckpoint = ${checkpointPages}`);
    client.pragma(`journal_size_limit = ${walLimitBytes}`);
    client.pragma('temp_store = MEMORY');
    client.pragma('cache_size = -16000');
    for (const suffix of ['-wal', '-shm']) if (existsSync(file + suffix)) chmodSync(file + suffix, 0o600);
    const db = drizzle(client, { schema });
    migrate(db, { migrationsFolder });
    return { client, db, file, close: () => close(client) };
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw operationalError(
      'DATABASE_FAILED',
      `The database could not be opened: ${reason}. Check that the data folder is writable and that the file is not damaged, or choose another with BRIDLE_DATA_DIR.`,
    );
  }
}

function close(client: Client): void {
  if (!client.open) return;
  client.pragma('wal_checkpoint(TRUNCATE)');
  client.close();
}

/** Gives free pages back to the disk and cuts the write-ahead log. Returns how many bytes the file lost. */
export function reclaimSpace(client: Client): number {
  const pageSize = Number(client.pragma('page_size', { simple: true }));
  const before = Number(client.pragma('freelist_count', { simple: true }));
  client.pragma('incremental_vacuum');
  const after = Number(client.pragma('freelist_count', { simple: true }));
  client.pragma('wal_checkpoint(TRUNCATE)');
  return (before - after) * pageSize;
}
