'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { FlowDocument } from '@/harness/flow/schema';
import type { Attachment } from '@/server/api-types';
import { messageOf } from '../state/api-error';
import { useTRPC, useTRPCClient } from '../state/trpc';
import { draftKey, keepUnsent, type WorkspaceMode } from './local-memory';

/** A message on its way to the server, or one that did not get there. */
export interface Outgoing {
  key: number;
  text: string;
  attachments: readonly Attachment[];
  /** The message that this one replaces. */
  replaces: string | null;
  /** Why the server did not take it; null while it is being sent. */
  problem: string | null;
}

export interface OutboxOptions {
  flowId: string;
  sessionId: string | null;
  workspace: string;
  mode: WorkspaceMode;
  /** The unsaved document, so that what is drawn is what runs. */
  getDraft: (() => FlowDocument | undefined) | undefined;
  onSession: (id: string) => void;
}

/** Sends messages one after the other in the order they were written, and keeps those the server did not take (BR-62). */
export function useOutbox({ flowId, sessionId, workspace, mode, getDraft, onSession }: OutboxOptions) {
  const client = useTRPCClient();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [outgoing, setOutgoing] = useState<readonly Outgoing[]>([]);
  const chain = useRef<Promise<void>>(Promise.resolve());
  const nextKey = useRef(1);
  const current = useRef(sessionId);
  useEffect(() => {
    current.current = sessionId;
  }, [sessionId]);
  const unsent = useRef<readonly Outgoing[]>([]);
  useEffect(() => {
    unsent.current = outgoing.filter((message) => message.problem !== null);
  }, [outgoing]);
  const gone = useRef(false);
  const keep = (messages: readonly Outgoing[]) => {
    if (messages.length > 0) keepUnsent(draftKey(flowId, current.current), messages);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only leaving counts; what is kept is read at that moment
  useEffect(() => {
    gone.current = false;
    // A reload does not unmount anything: what was not taken goes back to the field before the page is left.
    const leave = () => {
      keep(unsent.current);
      unsent.current = [];
      setOutgoing((all) => all.filter((message) => message.problem === null));
    };
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      gone.current = true;
      keep(unsent.current);
    };
  }, []);

  const deliver = async (message: Outgoing) => {
    try {
      if (current.current === null) {
        const created = await client.sessions.create.mutate({ flowId });
        current.current = created.id;
      }
      const document = getDraft?.();
      const sent = await client.chat.send.mutate({
        sessionId: current.current,
        text: message.text,
        ...(message.attachments.length === 0 ? {} : { attachments: [...message.attachments] }),
        ...(workspace === '' ? {} : { workspace, workspaceMode: mode }),
        ...(document === undefined ? {} : { document }),
        ...(message.replaces === null ? {} : { replaces: message.replaces }),
      });
      current.current = sent.sessionId;
      // The message is shown as sent only once the session that holds it has been read: it never disappears in between.
      await queries.fetchQuery({ ...trpc.sessions.get.queryOptions({ id: sent.sessionId }), staleTime: 0 });
      void queries.invalidateQueries({ queryKey: trpc.sessions.list.pathKey() });
      if (sent.sessionId !== sessionId) onSession(sent.sessionId);
      setOutgoing((all) => all.filter((other) => other.key !== message.key));
    } catch (error) {
      if (gone.current) keep([message]);
      setOutgoing((all) => all.map((other) => (other.key === message.key ? { ...other, problem: messageOf(error) } : other)));
    }
  };

  const enqueue = (message: Outgoing) => {
    chain.current = chain.current.then(() => deliver(message));
  };

  return {
    outgoing,
    send(text: string, attachments: readonly Attachment[], replaces: string | null = null) {
      const message: Outgoing = { key: nextKey.current++, text, attachments, replaces, problem: null };
      setOutgoing((all) => [...all, message]);
      enqueue(message);
    },
    retry(message: Outgoing) {
      const again = { ...message, problem: null };
      setOutgoing((all) => all.map((other) => (other.key === message.key ? again : other)));
      enqueue(again);
    },
    discard(key: number) {
      setOutgoing((all) => all.filter((other) => other.key !== key));
    },
  };
}
