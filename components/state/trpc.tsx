'use client';

import { QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink } from '@trpc/client';
import { createTRPCContext } from '@trpc/tanstack-react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { StreamItem } from '@/server/api-types';
import type { AppRouter } from '@/server/trpc/router';
import { LiveContext, useStreamItems } from './live';
import { LiveConnection } from './live-connection';
import { readAgain } from './read-again';

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

const url = '/api/trpc';

const createClient = () =>
  createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === 'subscription',
        true: httpSubscriptionLink({ url }),
        false: httpBatchLink({ url, maxURLLength: 4000 }),
      }),
    ],
  });

const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      // The server is usually this very machine: it answers whether or not the browser thinks it is online.
      queries: { networkMode: 'always', staleTime: 5_000, retry: 1, refetchOnWindowFocus: true },
      mutations: { networkMode: 'always' },
    },
  });

/** Which lists the stream makes stale. Each is read again at most every 300 ms, however fast runs go. */
function useFreshLists(): void {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [pending] = useState(() => ({
    keys: new Map<string, readonly unknown[]>(),
    timer: undefined as ReturnType<typeof setTimeout> | undefined, // as: the field starts empty
    greeted: false,
  }));
  const later = (...keys: (readonly unknown[])[]): void => {
    for (const key of keys) pending.keys.set(JSON.stringify(key), key);
    pending.timer ??= setTimeout(() => {
      pending.timer = undefined;
      const due = [...pending.keys.values()];
      pending.keys.clear();
      for (const queryKey of due) void readAgain(queries, queryKey);
    }, 300);
  };
  useStreamItems((item: StreamItem) => {
    if (item.kind === 'hello') {
      // What was read before the stream was there may have changed unheard; after a break, anything. The flow being edited is looked after by its editor.
      if (pending.greeted) void queries.invalidateQueries();
      else for (const queryKey of [trpc.runs.pathKey(), trpc.sessions.pathKey()]) void readAgain(queries, queryKey);
      pending.greeted = true;
    }
    if (item.kind === 'run') {
      later(trpc.runs.list.pathKey(), trpc.flows.list.pathKey(), trpc.runs.get.queryKey({ id: item.summary.id }));
      if (item.summary.sessionId !== null) later(trpc.sessions.get.queryKey({ id: item.summary.sessionId }));
    }
    if (item.kind === 'run-removed') later(trpc.runs.list.pathKey(), trpc.flows.list.pathKey());
    if (item.kind === 'flow' || item.kind === 'flow-removed') later(trpc.flows.list.pathKey());
    if (item.kind === 'session') later(trpc.sessions.get.queryKey({ id: item.id }), trpc.sessions.list.pathKey());
  });
}

function FreshLists(): null {
  useFreshLists();
  return null;
}

/** Queries, mutations and the tab's one live stream, for everything below. */
export function ApiProvider({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  const [client] = useState(createClient);
  const [connection] = useState(() => new LiveConnection(client));
  useEffect(() => {
    connection.start();
    return () => connection.stop();
  }, [connection]);
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={client} queryClient={queryClient}>
        <LiveContext value={connection}>
          <FreshLists />
          {children}
        </LiveContext>
      </TRPCProvider>
    </QueryClientProvider>
  );
}
