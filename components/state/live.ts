'use client';

import { createContext, useCallback, useContext, useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import type { StreamItem } from '@/server/api-types';
import { type ConnectionState, emptyFeed, type LiveConnection, type RunFeed } from './live-connection';

export const LiveContext = createContext<LiveConnection | null>(null);

function useLiveConnection(): LiveConnection {
  const connection = useContext(LiveContext);
  if (connection === null) throw new Error('ApiProvider is missing above this component');
  return connection;
}

const nothing = (): void => {};

/**
 * Events of one run, live: attached first, then read from history after the last seq, folded by whoever shows them
 * (`harness/trace/fold.ts`). `null` watches nothing.
 */
export function useRunEvents(runId: string | null): RunFeed {
  const connection = useLiveConnection();
  const subscribe = useCallback(
    (listener: () => void) => (runId === null ? nothing : connection.watch(runId, listener)),
    [connection, runId],
  );
  const read = useCallback(() => (runId === null ? emptyFeed : connection.feed(runId)), [connection, runId]);
  return useSyncExternalStore(subscribe, read, () => emptyFeed);
}

/** Whether the server can be heard. `connecting` is the state before the first answer. */
export function useConnection(): ConnectionState {
  const connection = useLiveConnection();
  return useSyncExternalStore(connection.onState, connection.state, (): ConnectionState => 'connecting');
}

/** Calls back for everything the tab's stream brings: status changes of runs, saves of flows, changed sessions. */
export function useStreamItems(handle: (item: StreamItem) => void): void {
  const connection = useLiveConnection();
  const latest = useEffectEvent(handle);
  useEffect(() => connection.onItem((item) => latest(item)), [connection]);
}
