'use client';

import { ChevronDown, CirclePause } from 'lucide-react';
import { useState } from 'react';
import type { OpenAsk } from '@/server/api-types';
import { AskCard } from '../chat/ask-card';
import { cn } from '../ui/cn';
import { Resolved } from './payload';
import { useTraceView } from './trace-context';

/** Questions the run waits for, answered here as well as in the chat. */
export function OpenAsks() {
  const { index, runId, titleOf } = useTraceView();
  const [open, setOpen] = useState(true);
  const asks = [...index.asks.values()].filter((ask) => ask.end === null);
  if (asks.length === 0) return null;
  return (
    <div className="flex max-h-1/2 shrink-0 flex-col border-line border-b bg-waiting-soft/40">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex h-8 shrink-0 items-center gap-2 px-3 text-left text-waiting text-xs"
      >
        <CirclePause aria-hidden size={14} />
        <span className="font-medium">
          {asks.length === 1 ? 'The run waits for your answer' : `The run waits for ${asks.length} answers`}
        </span>
        <ChevronDown aria-hidden size={14} className={cn('ml-auto transition-transform', !open && '-rotate-90')} />
      </button>
      {open ? (
        <div className="min-h-0 space-y-2 overflow-y-auto px-3 pb-3 [&_[data-plan]]:max-h-none">
          {asks.map((ask) => {
            const waiting: OpenAsk = {
              askId: ask.askId,
              runId,
              nodeId: ask.nodeId ?? null,
              hash: ask.hash,
              ask: ask.ask,
              openedAt: ask.start.at,
            };
            return (
              <Resolved key={ask.askId} value={ask.ask.shown ?? null}>
                {(shown) => (
                  <AskCard
                    ask={shown === null ? waiting : { ...waiting, ask: { ...waiting.ask, shown } }}
                    {...(ask.nodeId === undefined ? {} : { from: titleOf(ask.nodeId) })}
                  />
                )}
              </Resolved>
            );
          })}
        </div>
      ) : null}
    </div>
  );
}
