import { join } from 'node:path';
import Database from 'better-sqlite3';
import { operationalError } from '@/harness/contract/errors';

/**
 * Two servers on one data folder would both take up the same runs. The lock is held by the operating system for as long as this process lives, so
 * none is left behind by a killed one. Throws `DATA_FOLDER_IN_USE`.
 */
export function lockDataFolder(folder: string, waitMs = 4000): { release: () => void } {
  const lock = new Database(join(folder, 'server.lock'), { timeout: waitMs });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (thrown) {
    lock.close();
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : '';
    if (code !== 'SQLITE_BUSY') throw thrown;
    throw operationalError(
      'DATA_FOLDER_IN_USE',
      `Another Bridle server uses the data folder ${folder}. Stop it first, or give this one a folder of its own with BRIDLE_DATA_DIR.`,
    );
  }
  return { release: () => lock.close() };
}
