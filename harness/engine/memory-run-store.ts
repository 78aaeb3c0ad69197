import { unexpectedError, userError } from '../contract/errors';
import type { RunFilter, RunPatch, RunRecord, RunStore } from './run-store';

export const runExists = (id: string) => unexpectedError('RUN_EXISTS', `There is a run ${id} already.`);
export const runNotFound = (id: string) => userError('RUN_NOT_FOUND', `There is no run ${id}. It may have been removed.`);

const newestFirst = (a: RunRecord, b: RunRecord): number => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1);

const matches = (record: RunRecord, filter: RunFilter): boolean => {
  if (filter.flowId !== undefined && record.flowId !== filter.flowId) return false;
  if (filter.sessionId !== undefined && record.sessionId !== filter.sessionId) return false;
  if (filter.statuses !== undefined && !filter.statuses.includes(record.status)) return false;
  const after = filter.after;
  if (after === undefined) return true;
  return record.startedAt < after.startedAt || (record.startedAt === after.startedAt && record.id < after.id);
};

/** A `RunStore` that lives as long as its process. */
export class MemoryRunStore implements RunStore {
  readonly #records = new Map<string, RunRecord>();

  create(record: RunRecord): void {
    if (this.#records.has(record.id)) throw runExists(record.id);
    this.#records.set(record.id, structuredClone(record));
  }

  get(id: string): RunRecord | null {
    const record = this.#records.get(id);
    return record === undefined ? null : structuredClone(record);
  }

  update(id: string, patch: RunPatch): void {
    const record = this.#records.get(id);
    if (record === undefined) throw runNotFound(id);
    this.#records.set(id, { ...record, ...structuredClone(patch) });
  }

  list(filter: RunFilter): RunRecord[] {
    const found = [...this.#records.values()].filter((record) => matches(record, filter)).sort(newestFirst);
    return structuredClone(found.slice(0, filter.limit));
  }

  remove(id: string): boolean {
    return this.#records.delete(id);
  }
}
