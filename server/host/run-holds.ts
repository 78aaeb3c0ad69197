import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/**
 * Which process drives a run, where a server and commands share a data folder. A hold is a lock of the operating system: it ends with its
 * process, however that ends, and then the run can be taken up by another one.
 */
export class RunHolds {
  readonly #folder: string;

  constructor(dataFolder: string) {
    this.#folder = join(dataFolder, 'held');
  }

  /** Returns what lets go. Throws when somebody else has it. */
  hold(runId: string): () => void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const file = this.#file(runId);
    const lock = new Database(file, { timeout: 0 });
    try {
      lock.exec('BEGIN EXCLUSIVE');
    } catch (thrown) {
      lock.close();
      throw thrown;
    }
    return () => {
      lock.close();
      rmSync(file, { force: true });
    };
  }

  isHeld(runId: string): boolean {
    if (!existsSync(this.#file(runId))) return false;
    try {
      this.hold(runId)();
      return false;
    } catch {
      return true;
    }
  }

  #file(runId: string): string {
    return join(this.#folder, `${runId}.lock`);
  }
}
