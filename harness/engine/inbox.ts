import type { InboxMessage } from '../contract/execute';
import type { Json } from '../contract/json';
import type { VisitRun } from './visit-run';

/** Messages that no visit of this run has been given yet. They are in the log before the executor sees them, so a crash neither drops nor repeats one. */
export async function readInbox(visitRun: VisitRun, key: string): Promise<InboxMessage[]> {
  const known = visitRun.memo(key);
  // Only `inbox-read` events write this key, and they carry messages.
  if (known) return known.value as unknown as InboxMessage[];
  const { host, snapshot, runId } = visitRun.driver;
  const read = new Set(snapshot.inboxRead);
  const messages = ((await host.inbox?.(runId)) ?? []).filter(({ id }) => !read.has(id));
  if (messages.length > 0) await visitRun.record([{ kind: 'inbox-read', key, messages }]);
  else await visitRun.record([{ kind: 'effect-end', key, value: [] satisfies Json }]);
  return messages;
}
