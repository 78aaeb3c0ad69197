import { afterEach, describe, expect, it } from 'vitest';
import { toErrorRecord } from '../contract/errors';
import type { RunRecord, RunStore } from '../engine/run-store';
import { noUsage } from '../trace/events';

export interface RunStoreUnderTest {
  store: RunStore;
  close: () => void;
}

export const sampleRun = (id: string, patch: Partial<RunRecord> = {}): RunRecord => ({
  id,
  flowId: 'flow',
  flowName: 'A flow',
  status: 'running',
  startedAt: 1000,
  endedAt: null,
  input: { message: 'hello' },
  output: null,
  error: null,
  usage: noUsage,
  sessionId: null,
  workspace: null,
  options: { pins: {}, seedOutputs: {}, breakpoints: [] },
  lastSeq: 0,
  rehearsal: false,
  waiting: 0,
  documentHash: 'd',
  planHash: 'p',
  origin: null,
  ...patch,
});

const codeOf = async (work: () => unknown): Promise<string> => {
  try {
    await work();
  } catch (thrown) {
    return toErrorRecord(thrown).code;
  }
  return 'nothing thrown';
};

/** What every `RunStore` must do (design §9). */
export function describeRunStore(name: string, make: () => RunStoreUnderTest): void {
  describe(`run store: ${name}`, () => {
    const open: RunStoreUnderTest[] = [];
    const fresh = (): RunStore => {
      const made = make();
      open.push(made);
      return made.store;
    };
    afterEach(() => {
      for (const made of open.splice(0)) made.close();
    });

    it('keeps every field of a record (a column forgotten)', async () => {
      const store = fresh();
      const record = sampleRun('r1', {
        status: 'failed',
        endedAt: 2000,
        output: ['x', null],
        error: { code: 'X', kind: 'user', message: 'm', details: { a: 1 } },
        usage: { ...noUsage, cost: 0.25, inputTokens: 7 },
        sessionId: 's',
        workspace: '/some/where',
        options: { pins: { n: { output: 1, runId: null, at: 5 } }, seedOutputs: { m: 2 }, breakpoints: ['b'], from: 'n', until: 'm' },
        lastSeq: 42,
        rehearsal: true,
        waiting: 2,
        origin: { runId: 'r0', kind: 'fork', seq: 17 },
      });
      await store.create(record);
      expect(await store.get('r1')).toEqual(record);
      expect(await store.get('r2')).toBeNull();
      await store.create(sampleRun('r3', { input: null }));
      expect((await store.get('r3'))?.input).toBeNull();
    });

    it('refuses a taken id and an update of nothing (silent overwrite)', async () => {
      const store = fresh();
      await store.create(sampleRun('r1'));
      expect(await codeOf(() => store.create(sampleRun('r1', { flowName: 'other' })))).toBe('RUN_EXISTS');
      expect((await store.get('r1'))?.flowName).toBe('A flow');
      expect(await codeOf(() => store.update('nope', { waiting: 1 }))).toBe('RUN_NOT_FOUND');
    });

    it('changes only what a patch names, also back to nothing (a null that does not clear)', async () => {
      const store = fresh();
      await store.create(sampleRun('r1', { output: 'old' }));
      await store.update('r1', { status: 'succeeded', endedAt: 9, output: null, lastSeq: 3 });
      await store.update('r1', {});
      expect(await store.get('r1')).toEqual(sampleRun('r1', { status: 'succeeded', endedAt: 9, output: null, lastSeq: 3 }));
    });

    it('lists the newest first and pages without repeating or skipping, also at equal times (a cursor on time alone)', async () => {
      const store = fresh();
      for (const id of ['a', 'b', 'c', 'd', 'e']) await store.create(sampleRun(id, { startedAt: id === 'e' ? 2000 : 1000 }));
      const first = await store.list({ limit: 2 });
      expect(first.map((run) => run.id)).toEqual(['e', 'd']);
      const last = first.at(-1);
      if (last === undefined) throw new Error('the first page is empty');
      const second = await store.list({ limit: 10, after: { startedAt: last.startedAt, id: last.id } });
      expect(second.map((run) => run.id)).toEqual(['c', 'b', 'a']);
    });

    it('filters by flow, session and status (runs of another flow in a list)', async () => {
      const store = fresh();
      await store.create(sampleRun('a', { flowId: 'f1', sessionId: 's1', status: 'waiting' }));
      await store.create(sampleRun('b', { flowId: 'f2', status: 'running' }));
      await store.create(sampleRun('c', { flowId: 'f1', status: 'succeeded' }));
      const ids = async (filter: Parameters<RunStore['list']>[0]) => (await store.list(filter)).map((run) => run.id);
      expect(await ids({ limit: 9, flowId: 'f1' })).toEqual(['c', 'a']);
      expect(await ids({ limit: 9, sessionId: 's1' })).toEqual(['a']);
      expect(await ids({ limit: 9, statuses: ['running', 'waiting'] })).toEqual(['b', 'a']);
      expect(await ids({ limit: 9, statuses: [] })).toEqual([]);
    });

    it('removes once (a ghost in the list)', async () => {
      const store = fresh();
      await store.create(sampleRun('a'));
      expect(await store.remove('a')).toBe(true);
      expect(await store.remove('a')).toBe(false);
      expect(await store.list({ limit: 9 })).toEqual([]);
    });
  });
}
