'use client';

import { useQuery } from '@tanstack/react-query';
import { MessageSquare, Plus, SquarePen } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { messageOf } from '../state/api-error';
import { useTRPC } from '../state/trpc';
import { buttonClass } from '../ui/button';
import { cn } from '../ui/cn';
import { EmptyState } from '../ui/empty-state';
import { ErrorState } from '../ui/error-state';
import { formatRelative } from '../ui/format';
import { IconButton } from '../ui/icon-button';
import { ScrollArea } from '../ui/scroll-area';
import { Select } from '../ui/select';
import { Skeleton } from '../ui/skeleton';
import { StatusDot } from '../ui/status';
import { useNow } from '../ui/use-now';
import { Conversation } from './conversation';
import { useRemembered } from './local-memory';
import { SessionMenu } from './session-menu';

const hrefOf = (sessionId: string): string => `/chat/${encodeURIComponent(sessionId)}`;

function SessionList({ flowId, sessionId, onNew }: { flowId: string; sessionId: string | null; onNew: () => void }) {
  const trpc = useTRPC();
  const now = useNow();
  const sessions = useQuery(trpc.sessions.list.queryOptions({ flowId }));
  if (sessions.data === undefined) {
    if (sessions.error) {
      return (
        <ErrorState title="The chats could not be loaded" message={messageOf(sessions.error)} onRetry={() => void sessions.refetch()} />
      );
    }
    return (
      <div role="status" className="flex flex-col gap-2 p-3">
        <span className="sr-only">Loading chats</span>
        <Skeleton className="h-10" />
        <Skeleton className="h-10" />
      </div>
    );
  }
  if (sessions.data.length === 0) return <p className="px-4 py-3 text-muted">No chats with this flow yet. Write the first message.</p>;
  return (
    <ul className="px-2 pb-2">
      {sessions.data.map((session) => (
        <li
          key={session.id}
          className={cn(
            'relative flex items-center gap-1 rounded-md py-1.5 pr-1 pl-2 hover:bg-hover',
            session.id === sessionId && 'bg-hover',
          )}
        >
          <div className="min-w-0 flex-1">
            <Link
              href={hrefOf(session.id)}
              aria-current={session.id === sessionId ? 'page' : undefined}
              className="flex items-center gap-1.5 outline-none after:absolute after:inset-0 after:rounded-md focus-visible:after:outline-2 focus-visible:after:outline-ring"
            >
              {session.busy ? <StatusDot status="running" size={12} /> : null}
              <span className="truncate">{session.title}</span>
            </Link>
            <p className="text-faint text-xs">{formatRelative(session.updatedAt, now)}</p>
          </div>
          <SessionMenu
            session={session}
            onRemoved={() => {
              if (session.id !== sessionId) return;
              onNew();
            }}
          />
        </li>
      ))}
    </ul>
  );
}

/** The chat tester on a page of its own: flows and chats at the left, the conversation at the right. */
export function ChatPage({ sessionId: opened, initialFlowId }: { sessionId: string | null; initialFlowId: string | null }) {
  // A chat gets its address with its first message, without the page (and the field being typed in) being built anew.
  const [sessionId, setSessionId] = useState(opened);
  const trpc = useTRPC();
  const router = useRouter();
  const flows = useQuery(trpc.flows.list.queryOptions());
  const session = useQuery(trpc.sessions.get.queryOptions({ id: sessionId ?? '' }, { enabled: sessionId !== null }));
  const [remembered, setRemembered] = useRemembered('bridle.chat.flow');
  const [fresh, setFresh] = useState(0);
  const known = new Set((flows.data ?? []).map((flow) => flow.id));
  const wanted = session.data?.flowId ?? initialFlowId ?? remembered;
  const flowId = known.has(wanted) ? wanted : sessionId === null ? (flows.data?.[0]?.id ?? null) : null;

  if (flows.data?.length === 0) {
    return (
      <EmptyState
        icon={<MessageSquare size={18} />}
        title="No flow to talk to yet"
        className="min-h-full"
        action={
          <Link href="/" className={buttonClass('primary')}>
            Open a template
          </Link>
        }
      >
        A chat runs a flow once for each message. Start with a template; it comes with a question to try.
      </EmptyState>
    );
  }
  const problem = session.error ?? (flows.data === undefined ? flows.error : null);
  const startNew = () => {
    setFresh(fresh + 1);
    setSessionId(null);
    if (sessionId !== null) router.push(flowId === null ? '/chat' : `/chat?flow=${encodeURIComponent(flowId)}`);
  };
  return (
    <div className="flex h-full min-h-0">
      <aside aria-label="Chats" className="hidden w-72 shrink-0 flex-col border-line border-r bg-surface md:flex">
        <div className="flex items-center gap-1 p-3">
          <Select
            aria-label="Flow"
            value={flowId ?? ''}
            placeholder="Choose a flow"
            options={(flows.data ?? []).map((flow) => ({ value: flow.id, label: flow.name }))}
            onValueChange={(id) => {
              setRemembered(id);
              setSessionId(null);
              setFresh(fresh + 1);
              router.push(`/chat?flow=${encodeURIComponent(id)}`);
            }}
          />
          {flowId === null ? null : (
            <Link
              href={`/flows/${encodeURIComponent(flowId)}`}
              aria-label="Open this flow in the editor"
              title="Open this flow in the editor"
              className="inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink"
            >
              <SquarePen aria-hidden size={16} />
            </Link>
          )}
        </div>
        <div className="flex items-center justify-between pr-2 pb-1 pl-4">
          <h2 className="font-medium text-muted text-xs">Chats</h2>
          <IconButton label="New chat" icon={<Plus size={16} />} size="sm" onClick={startNew} />
        </div>
        <ScrollArea label="Chats of this flow" className="flex-1">
          {flowId === null ? null : <SessionList flowId={flowId} sessionId={sessionId} onNew={startNew} />}
        </ScrollArea>
      </aside>
      <div className="min-w-0 flex-1">
        {problem ? (
          <ErrorState
            title="This chat could not be loaded"
            message={messageOf(problem)}
            className="h-full"
            action={
              <Link href="/chat" className={buttonClass('secondary')}>
                Start another chat
              </Link>
            }
          />
        ) : flowId === null ? (
          <div role="status" className="mx-auto flex h-full max-w-3xl flex-col gap-3 p-6">
            <span className="sr-only">Loading the chat</span>
            <Skeleton className="h-10 w-1/2 self-end" />
            <Skeleton className="h-24 w-4/5" />
            <Skeleton className="mt-auto h-20" />
          </div>
        ) : (
          <Conversation
            key={`${flowId} ${fresh}`}
            flowId={flowId}
            sessionId={sessionId}
            wide
            onSession={(id) => {
              setSessionId(id);
              history.replaceState(null, '', hrefOf(id));
            }}
          />
        )}
      </div>
    </div>
  );
}
