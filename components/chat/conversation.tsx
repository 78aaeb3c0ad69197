'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, MessageSquare } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { FlowDocument } from '@/harness/flow/schema';
import type { ChatEntry } from '@/server/api-types';
import { ErrorBoundary } from '../shell/error-boundary';
import { codeOf, messageOf } from '../state/api-error';
import { useTRPC } from '../state/trpc';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { ErrorState } from '../ui/error-state';
import { Skeleton } from '../ui/skeleton';
import { Spinner } from '../ui/spinner';
import { toast } from '../ui/toast';
import { AssistantMessage } from './assistant-message';
import { AttachmentChips } from './attachment-chips';
import { Composer } from './composer';
import { draftKey, useRemembered, useWorkspaceMode, workspaceKey } from './local-memory';
import { SampleQuestions } from './sample-questions';
import { type Outgoing, useOutbox } from './use-outbox';
import { useStickToEnd } from './use-stick-to-end';
import { Bubble, UserMessage } from './user-message';

export interface ConversationProps {
  flowId: string;
  /** null: a chat that begins with its first message. */
  sessionId: string | null;
  onSession: (id: string) => void;
  /** The session does not exist any more. */
  onGone?: () => void;
  getDraft?: () => FlowDocument | undefined;
  onOpenTrace?: (runId: string) => void;
  wide?: boolean;
}

function OutgoingMessage({ message, onRetry, onDiscard }: { message: Outgoing; onRetry: () => void; onDiscard: () => void }) {
  return (
    <div className="flex flex-col items-end gap-1">
      <AttachmentChips attachments={message.attachments} />
      <div className={cn('flex w-full flex-col', message.problem === null && 'opacity-60')}>
        <Bubble text={message.text} />
      </div>
      {message.problem === null ? (
        <p className="flex h-7 items-center gap-1.5 text-faint text-xs">
          <Spinner size={12} /> Sending
        </p>
      ) : (
        <div role="alert" className="flex max-w-[85%] flex-wrap items-center justify-end gap-2">
          <p className="min-w-0 break-words text-fail">Not sent: {message.problem}</p>
          <Button size="sm" onClick={onRetry}>
            Send again
          </Button>
          <Button size="sm" variant="ghost" onClick={onDiscard}>
            Discard
          </Button>
        </div>
      )}
    </div>
  );
}

const isLive = (entry: ChatEntry): boolean => entry.role === 'assistant' && (entry.status === 'running' || entry.status === 'waiting');

/** One chat session: its messages, live turn, and the field to write in. */
export function Conversation({ flowId, sessionId, onSession, onGone, getDraft, onOpenTrace, wide = false }: ConversationProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [text, setText] = useRemembered(draftKey(flowId, sessionId));
  const [workspace, setWorkspace] = useRemembered(workspaceKey(flowId));
  const [mode, setMode] = useWorkspaceMode(flowId);
  const field = useRef<HTMLTextAreaElement>(null);
  const session = useQuery(trpc.sessions.get.queryOptions({ id: sessionId ?? '' }, { enabled: sessionId !== null }));
  const outbox = useOutbox({ flowId, sessionId, workspace, mode, getDraft, onSession });
  const missing = codeOf(session.error) === 'SESSION_NOT_FOUND';
  const reportGone = useEffectEvent(() => onGone?.());
  useEffect(() => {
    if (missing) reportGone();
  }, [missing]);

  const refresh = () => {
    if (sessionId !== null) void queries.invalidateQueries({ queryKey: trpc.sessions.get.queryKey({ id: sessionId }) });
  };
  const failed = (what: string) => (error: unknown) => toast.error(what, { description: messageOf(error) });
  const cancel = useMutation(trpc.runs.cancel.mutationOptions({ onSettled: refresh, onError: failed('The turn could not be stopped') }));
  const resume = useMutation(trpc.runs.resume.mutationOptions({ onSettled: refresh, onError: failed('The turn could not be resumed') }));
  const remove = useMutation(
    trpc.chat.removeMessage.mutationOptions({ onSettled: refresh, onError: failed('The message could not be deleted') }),
  );

  const entries = session.data?.messages ?? [];
  const live = entries.find(isLive);
  const liveRun = live?.runId ?? null;
  // While a turn runs it may still write; the line comes with its end.
  const lastWriter =
    live === undefined ? entries.findLast((entry) => entry.role === 'assistant' && (entry.usage?.toolCalls ?? 0) > 0) : undefined;
  const empty = entries.length === 0 && outbox.outgoing.length === 0 && (sessionId === null || session.isSuccess);
  const { viewport, content, away, toEnd } = useStickToEnd(!empty);

  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="relative min-h-0 flex-1">
        <div ref={viewport} className="h-full overflow-auto overscroll-contain">
          <div
            ref={content}
            role="log"
            aria-label="Messages"
            className={cn('mx-auto flex min-h-full w-full max-w-3xl flex-col gap-3 px-3 py-4', wide && 'px-6')}
          >
            {sessionId !== null && session.isPending ? (
              <div role="status" className="flex flex-col gap-3">
                <span className="sr-only">Loading the chat</span>
                <Skeleton className="h-10 w-2/3 self-end" />
                <Skeleton className="h-24" />
              </div>
            ) : null}
            {session.error && session.data === undefined ? (
              <ErrorState title="The chat could not be loaded" message={messageOf(session.error)} onRetry={() => void session.refetch()} />
            ) : null}
            {empty ? (
              <div className="m-auto flex flex-col items-center gap-2 py-2 text-center">
                <div className="mb-1 flex size-10 items-center justify-center rounded-lg border border-line bg-sunken text-faint">
                  <MessageSquare aria-hidden size={18} />
                </div>
                <p className="font-medium text-base">Talk to this flow</p>
                <p className="max-w-xs text-muted">Each message is one run of it. Every reply leads to the trace that explains it.</p>
                <SampleQuestions
                  flowId={flowId}
                  getDraft={getDraft}
                  onPick={(question) => {
                    setText(question);
                    field.current?.focus();
                  }}
                />
              </div>
            ) : null}
            {entries.map((entry) => (
              <div
                key={entry.id}
                data-message-id={entry.id}
                data-role={entry.role}
                className="[contain-intrinsic-size:auto_120px] [content-visibility:auto]"
              >
                <ErrorBoundary what="This message" resetKey={`${entry.id} ${entry.status}`}>
                  {entry.role === 'user' ? (
                    <UserMessage
                      entry={entry}
                      onResend={(edited) => outbox.send(edited, entry.attachments ?? [], entry.id)}
                      onRemove={() => {
                        if (sessionId !== null) remove.mutate({ sessionId, messageId: entry.id });
                      }}
                    />
                  ) : (
                    <AssistantMessage
                      entry={entry}
                      onOpenTrace={onOpenTrace}
                      onAnswered={refresh}
                      showChanges={entry === lastWriter}
                      onResume={(id) => resume.mutate({ id })}
                      onRemove={() => {
                        if (sessionId !== null) remove.mutate({ sessionId, messageId: entry.id });
                      }}
                    />
                  )}
                </ErrorBoundary>
              </div>
            ))}
            {outbox.outgoing.map((message) => (
              <OutgoingMessage
                key={message.key}
                message={message}
                onRetry={() => outbox.retry(message)}
                onDiscard={() => outbox.discard(message.key)}
              />
            ))}
          </div>
        </div>
        {away ? (
          <Button
            size="sm"
            icon={<ArrowDown size={14} />}
            className="-translate-x-1/2 absolute bottom-2 left-1/2 shadow-pop"
            onClick={toEnd}
          >
            Newest message
          </Button>
        ) : null}
      </div>
      <div className={cn('mx-auto w-full max-w-3xl px-3 pb-3', wide && 'px-6 pb-6')}>
        <Composer
          text={text}
          onText={setText}
          field={field}
          busy={session.data?.busy ?? false}
          stopping={cancel.isPending}
          onStop={liveRun === null ? undefined : () => cancel.mutate({ id: liveRun })}
          workspace={workspace}
          onWorkspace={setWorkspace}
          mode={mode}
          onMode={setMode}
          onSend={(message, attachments) => {
            outbox.send(message, attachments);
            toEnd();
          }}
        />
      </div>
    </div>
  );
}
