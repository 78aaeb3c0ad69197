'use client';

import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Plus } from 'lucide-react';
import { useState } from 'react';
import type { FlowDocument } from '@/harness/flow/schema';
import { useTRPC } from '../state/trpc';
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuLabel, DropdownMenuTrigger } from '../ui/dropdown-menu';
import { IconButton } from '../ui/icon-button';
import { StatusDot } from '../ui/status';
import { Conversation } from './conversation';
import { sessionKey, useRemembered } from './local-memory';
import { SessionMenu } from './session-menu';

export interface ChatPanelProps {
  flowId: string;
  /** The unsaved document; each message then runs what is drawn at that moment. */
  getDraft?: () => FlowDocument | undefined;
  /** Opens a run's trace beside the chat; without it "Why this answer" leads to the run's page. */
  onOpenTrace?: (runId: string) => void;
}

/** The chat tester beside a canvas. Remembers the session it showed and the text that was typed, so closing it loses nothing. */
export function ChatPanel({ flowId, getDraft, onOpenTrace }: ChatPanelProps) {
  const trpc = useTRPC();
  const sessions = useQuery(trpc.sessions.list.queryOptions({ flowId }));
  const [remembered, setRemembered] = useRemembered(sessionKey(flowId));
  const list = sessions.data ?? [];
  // "new" is remembered too, so that a chat just begun does not jump back to the one before it.
  const sessionId = remembered === 'new' ? null : remembered === '' ? (list[0]?.id ?? null) : remembered;
  const current = list.find((session) => session.id === sessionId);
  // A choice made here begins a fresh conversation view; a session that its first message made does not.
  const [chosen, setChosen] = useState(0);
  const choose = (id: string) => {
    setRemembered(id);
    setChosen(chosen + 1);
  };

  return (
    <section aria-label="Chat" className="flex h-full min-h-0 flex-col">
      <div className="flex h-9 shrink-0 items-center gap-1 border-line border-b px-2">
        <DropdownMenu>
          <DropdownMenuTrigger className="flex h-7 min-w-0 items-center gap-1 rounded-md px-1.5 hover:bg-hover">
            {current?.busy ? <StatusDot status="running" size={12} /> : null}
            <span className="truncate font-medium">{current?.title ?? 'New chat'}</span>
            <ChevronDown aria-hidden size={12} className="shrink-0 text-faint" />
          </DropdownMenuTrigger>
          <DropdownMenuContent align="start" className="max-h-80 max-w-80 overflow-auto">
            <DropdownMenuItem icon={<Plus size={14} />} onSelect={() => choose('new')}>
              New chat
            </DropdownMenuItem>
            {list.length > 0 ? <DropdownMenuLabel>Chats of this flow</DropdownMenuLabel> : null}
            {list.map((session) => (
              <DropdownMenuItem key={session.id} onSelect={() => choose(session.id)}>
                {session.busy ? <StatusDot status="running" size={12} /> : null}
                <span className="truncate">{session.title}</span>
              </DropdownMenuItem>
            ))}
          </DropdownMenuContent>
        </DropdownMenu>
        {current ? <SessionMenu session={current} onRemoved={() => choose('')} /> : null}
        <span className="flex-1" />
        <IconButton label="New chat" icon={<Plus size={16} />} size="sm" onClick={() => choose('new')} />
      </div>
      <div className="min-h-0 flex-1">
        <Conversation
          key={chosen}
          onGone={() => choose('')}
          flowId={flowId}
          sessionId={sessionId}
          onSession={setRemembered}
          {...(getDraft === undefined ? {} : { getDraft })}
          {...(onOpenTrace === undefined ? {} : { onOpenTrace })}
        />
      </div>
    </section>
  );
}
