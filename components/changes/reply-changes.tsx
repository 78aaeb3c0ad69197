'use client';

import { useQuery } from '@tanstack/react-query';
import { FileDiff } from 'lucide-react';
import { useState } from 'react';
import { useTRPC } from '../state/trpc';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { changesLine } from './change-words';
import { ChangesPanel } from './changes-panel';

/** One line under a reply: how many files were written and where, with the way to their diff. Nothing when nothing was written. */
export function ReplyChanges({ runId }: { runId: string }) {
  const trpc = useTRPC();
  const found = useQuery(trpc.runs.changes.queryOptions({ id: runId }));
  const [open, setOpen] = useState(false);
  const line = found.data === undefined ? null : changesLine(found.data);
  if (line === null && !open) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-2 rounded-md border border-line bg-surface px-3 py-1.5 text-sm">
      <FileDiff aria-hidden size={14} className="shrink-0 text-muted" />
      <span className="min-w-0 flex-1">{line ?? 'No files changed'}</span>
      <Button size="sm" variant="ghost" onClick={() => setOpen(true)}>
        Show changes
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="Changes" size="xl">
        <div className="flex h-[56vh] min-h-0 flex-col overflow-hidden rounded-md border border-line">
          <ChangesPanel runId={runId} />
        </div>
      </Dialog>
    </div>
  );
}
