'use client';

import { useQueryClient } from '@tanstack/react-query';
import { WifiOff } from 'lucide-react';
import { useConnection } from '../state/live';
import { Button } from '../ui/button';

/** Shown while the server cannot be heard. */
export function OfflineBanner() {
  const state = useConnection();
  const queries = useQueryClient();
  if (state !== 'offline') return null;
  return (
    <div role="alert" className="flex shrink-0 items-center gap-2 border-line border-b bg-warn-soft px-4 py-1 text-sm text-warn">
      <WifiOff aria-hidden size={16} className="shrink-0" />
      <p className="min-w-0 flex-1">
        The server does not answer. What you see may be out of date; the connection is tried again by itself.
      </p>
      <Button size="sm" variant="ghost" onClick={() => void queries.invalidateQueries()}>
        Try now
      </Button>
    </div>
  );
}
