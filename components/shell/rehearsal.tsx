'use client';

import { useQuery } from '@tanstack/react-query';
import { Drama, X } from 'lucide-react';
import Link from 'next/link';
import { useSyncExternalStore } from 'react';
import { useTRPC } from '../state/trpc';
import { IconButton } from '../ui/icon-button';
import { Tooltip } from '../ui/tooltip';

const key = 'bridle.rehearsal-banner';
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const readHidden = (): boolean => {
  try {
    return localStorage.getItem(key) === 'hidden';
  } catch {
    return false; // storage blocked: the banner stays
  }
};

function setHidden(hidden: boolean): void {
  try {
    if (hidden) localStorage.setItem(key, 'hidden');
    else localStorage.removeItem(key);
  } catch {
    // it comes back with the next page
  }
  for (const listener of listeners) listener();
}

function useRehearsal(): { only: boolean; hidden: boolean } {
  const trpc = useTRPC();
  const settings = useQuery(trpc.settings.get.queryOptions());
  const hidden = useSyncExternalStore(subscribe, readHidden, () => true);
  return { only: settings.data?.rehearsalOnly ?? false, hidden };
}

/** Says who is answering and where to change that. Can be folded into the badge in the bar. */
export function RehearsalBanner() {
  const { only, hidden } = useRehearsal();
  if (!only || hidden) return null;
  return (
    <div
      role="status"
      className="flex shrink-0 items-center gap-2 border-accent-line border-b bg-accent-soft px-4 py-1 text-accent-strong text-sm"
    >
      <Drama aria-hidden size={16} className="shrink-0" />
      <p className="min-w-0 flex-1">
        The rehearsal model is answering: built in, offline, scripted for the templates. For a real model,{' '}
        <Link href="/settings" className="font-medium underline underline-offset-2">
          add a key in Settings
        </Link>
        .
      </p>
      <IconButton label="Fold this banner away" icon={<X size={14} />} size="sm" onClick={() => setHidden(true)} />
    </div>
  );
}

/** Stays in the bar as long as only the rehearsal model is there. */
export function RehearsalBadge() {
  const { only, hidden } = useRehearsal();
  if (!only || !hidden) return null;
  return (
    <Tooltip content="The rehearsal model is answering. Add a key in Settings.">
      <Link
        href="/settings"
        className="flex h-7 items-center gap-1.5 rounded-md bg-accent-soft px-2 font-medium text-accent-strong text-xs hover:underline"
      >
        <Drama aria-hidden size={14} />
        <span className="hidden sm:inline">Rehearsal</span>
        <span className="sr-only sm:hidden">Rehearsal model is answering</span>
      </Link>
    </Tooltip>
  );
}
