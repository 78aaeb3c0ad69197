import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { describeEventLog } from '@/harness/testing/event-log-suite';
import type { TraceEvent } from '@/harness/trace/events';
import { SqliteEventLog } from './event-log';
import { type OpenDatabase, openDatabase } from './open';

const temporary = () => {
  const folder = mkdtempSync(join(tmpdir(), 'bridle-log-'));
  const opened: OpenDatabase[] = [];
  const open = () => {
    const database = openDatabase(join(folder, 'bridle.db'));
    opened.push(database);
    return database;
  };
  const close = () => {
    for (const database of opened) database.close();
    rmSync(folder, { recursive: true });
  };
  return { open, close };
};

describeEventLog('sqlite', () => {
  const { open, close } = temporary();
  return { log: new SqliteEventLog(open().client), reopen: () => new SqliteEventLog(open().client), close };
});

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const toolEnd = (seq: number, outcome: string): TraceEvent => ({
  runId: 'a',
  seq,
  at: 1,
  kind: 'tool-end',
  key: 'k',
  tool: 't',
  outcome,
  durationMs: 0,
});

it('keeps a 5 MB value out of lists and stores it once (BR-67: a list that carries every payload)', () => {
  const { open, close } = temporary();
  closers.push(close);
  const { client } = open();
  const log = new SqliteEventLog(client);
  const image = 'A'.repeat(5_000_000);
  log.append('a', [toolEnd(1, image), toolEnd(2, image)]);
  const text = JSON.stringify(log.readPacked('a', 0, 10));
  expect(text.length).toBeLessThan(2000);
  expect(log.read('a')).toEqual([toolEnd(1, image), toolEnd(2, image)]);
  expect(client.prepare('SELECT count(*) AS n, max(bytes) AS bytes FROM payloads').get()).toEqual({ n: 1, bytes: 5_000_002 });
  const hash = /"\$payload":"([0-9a-f]{64})"/.exec(text)?.[1] ?? '';
  expect(log.payload(hash)).toEqual({ json: image });
  expect(log.payload('0'.repeat(64))).toBeNull();
});

it('leaves full sync off after a durable append, also after a refused one (every later append paying for it)', () => {
  const { open, close } = temporary();
  closers.push(close);
  const { client } = open();
  const log = new SqliteEventLog(client);
  log.append('a', [toolEnd(1, 'x')], { durable: true });
  expect(client.pragma('synchronous', { simple: true })).toBe(1);
  client.exec("CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'disk full'); END");
  expect(() => log.append('a', [toolEnd(2, 'x'), toolEnd(3, 'y')], { durable: true })).toThrow('disk full');
  expect(client.pragma('synchronous', { simple: true })).toBe(1);
  expect(client.inTransaction).toBe(false);
  client.exec('DROP TRIGGER full');
  log.append('a', [toolEnd(2, 'x')]);
  expect(log.lastSeq('a')).toBe(2);
});
