import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { describeRunStore, sampleRun } from '@/harness/testing/run-store-suite';
import type { TraceEvent } from '@/harness/trace/events';
import { SqliteEventLog } from '../event-log';
import { type OpenDatabase, openDatabase, walLimitBytes } from '../open';
import { type FlowContent, FlowRepository } from './flows';
import { SqliteRunStore } from './runs';
import { SessionRepository } from './sessions';

const opened: { database: OpenDatabase; folder: string }[] = [];
const fresh = (): OpenDatabase => {
  const folder = mkdtempSync(join(tmpdir(), 'bridle-db-'));
  const database = openDatabase(join(folder, 'bridle.db'));
  opened.push({ database, folder });
  return database;
};
afterEach(() => {
  for (const { database, folder } of opened.splice(0)) {
    database.close();
    rmSync(folder, { recursive: true });
  }
});

describeRunStore('sqlite', () => ({ store: new SqliteRunStore(fresh()), close: () => undefined }));

const content = (name: string): FlowContent => ({
  name,
  description: '',
  document: `{"name":"${name}"}`,
  hash: `hash of ${name}`,
  nodeCount: 1,
});

describe('flows', () => {
  it('refuses a stale save and keeps both versions (BR-19: the older tab wins)', () => {
    const flows = new FlowRepository(fresh());
    flows.create('f', content('first'), { at: 1, templateId: null });
    expect(flows.save('f', content('tab one'), { revision: 1, at: 2 })).toEqual({ saved: true, revision: 2 });
    const stale = flows.save('f', content('tab two'), { revision: 1, at: 3 });
    expect(stale).toMatchObject({ saved: false, current: { name: 'tab one', revision: 2 } });
    expect(flows.get('f')?.name).toBe('tab one');
  });

  it('refuses a save onto a revision that is not there yet, and a flow that is gone (a save that creates)', () => {
    const flows = new FlowRepository(fresh());
    flows.create('f', content('first'), { at: 1, templateId: null });
    expect(flows.save('f', content('x'), { revision: 9, at: 2 })).toMatchObject({ saved: false, current: { revision: 1 } });
    expect(flows.save('gone', content('x'), { revision: 1, at: 2 })).toEqual({ saved: false, current: null });
  });

  it('keeps a named version apart from later edits and counts on (a version that follows the draft)', () => {
    const flows = new FlowRepository(fresh());
    flows.create('f', content('first'), { at: 1, templateId: null });
    const row = flows.get('f');
    if (row === null) throw new Error('just created');
    expect(flows.addVersion(row, 'v one', 2).version).toBe(1);
    expect(flows.addVersion(row, 'same again', 3).version).toBe(2);
    flows.save('f', content('edited'), { revision: 1, at: 4 });
    expect(flows.version('f', 1)?.document).toBe('{"name":"first"}');
    expect(flows.overwrite('f', content('first'), 5)).toBe(3);
    expect(flows.versions('f').map((version) => version.name)).toEqual(['same again', 'v one']);
    flows.remove('f');
    expect(flows.versions('f')).toEqual([]);
  });
});

const event = (runId: string, seq: number, value: string): TraceEvent => ({ runId, seq, at: 1, kind: 'effect-end', key: 'k', value });

describe('removing runs', () => {
  it('gives the space back and keeps the write-ahead log bounded (BR-69: a file that only grows)', () => {
    const database = fresh();
    const runs = new SqliteRunStore(database);
    const log = new SqliteEventLog(database.client);
    runs.create(sampleRun('big'));
    runs.freeze({ hash: 'd', text: '{}' }, { hash: 'p', text: '{}' });
    const shared = 'shared by both '.repeat(2000);
    for (let seq = 1; seq <= 14_000; seq += 100) {
      log.append(
        'big',
        Array.from({ length: 100 }, (_, index) => event('big', seq + index, index === 0 ? shared : `item ${seq + index} `.repeat(40))),
      );
    }
    runs.create(sampleRun('small', { documentHash: 'd2' }));
    log.append('small', [event('small', 1, shared)]);
    expect(statSync(`${database.file}-wal`).size).toBeLessThanOrEqual(walLimitBytes);
    database.client.pragma('wal_checkpoint(TRUNCATE)');
    const before = statSync(database.file).size;
    runs.remove('big');
    expect(statSync(database.file).size).toBeLessThan(before / 10);
    expect(statSync(`${database.file}-wal`).size).toBe(0);
    expect(log.read('small')).toEqual([event('small', 1, shared)]);
    expect(runs.frozenDocument('d')).toBeNull();
    runs.remove('small');
    expect(database.client.prepare('SELECT (SELECT count(*) FROM payloads) AS p, (SELECT count(*) FROM events) AS e').get()).toEqual({
      p: 0,
      e: 0,
    });
  });
});

describe('sessions', () => {
  it('keeps messages in the order they were sent, also at the same millisecond, and forgets deleted ones (BR-62)', () => {
    const sessions = new SessionRepository(fresh());
    sessions.create({ id: 's', flowId: 'f', title: 't', forkedFrom: null, createdAt: 1, updatedAt: 1 });
    const add = (id: string) =>
      sessions.addMessage(
        {
          id,
          sessionId: 's',
          text: id,
          attachments: [],
          status: 'queued',
          error: null,
          runId: null,
          workspace: null,
          workspaceMode: null,
          documentHash: null,
          replyRemoved: false,
          at: 5,
        },
        null,
      );
    for (const id of ['z', 'a', 'm', 'b', 'y']) add(id);
    sessions.removeMessage('a');
    sessions.removeMessage('y');
    add('last');
    expect(sessions.messages('s').map((message) => message.id)).toEqual(['z', 'm', 'b', 'last']);
    expect(sessions.nextQueued('s')?.id).toBe('z');
    expect(sessions.sessionsWithQueue()).toEqual(['s']);
    expect(sessions.list('f')).toMatchObject([{ id: 's', messageCount: 4 }]);
    sessions.remove('s');
    expect(sessions.message('z')).toBeNull();
  });
});
