'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FileDiff, FolderInput, Undo2 } from 'lucide-react';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { RunChanges } from '@/server/api-types';
import { messageOf } from '../state/api-error';
import { useTRPC } from '../state/trpc';
import { Button } from '../ui/button';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { EmptyState } from '../ui/empty-state';
import { ErrorState } from '../ui/error-state';
import { formatCount, formatNumber } from '../ui/format';
import { Skeleton } from '../ui/skeleton';
import { changesLine, outcomeWords, readChanges } from './change-words';
import { DiffView } from './diff-view';
import { FileList } from './file-list';

/** A run that goes on is looked at again this often, in milliseconds. */
const againAfter = 5000;

type Doing = 'take-over' | 'undo';
interface Outcome {
  kind: Doing;
  done: string[];
  refused: { path: string; reason: string }[];
}

const undoWords: Readonly<Record<NonNullable<RunChanges['mode']>, (folder: string) => string>> = {
  copy: (folder) => `In the run's copy the files become what they were at the beginning. ${folder} is not touched.`,
  worktree: (folder) => `In the run's worktree the files become what they were at the beginning. The files of ${folder} are not touched.`,
  folder: (folder) => `The files in ${folder} become what they were when the run began.`,
};

function OutcomeNote({ outcome }: { outcome: Outcome }) {
  return (
    <div role="status" className="max-h-32 shrink-0 overflow-y-auto border-line border-b bg-sunken px-3 py-2 text-xs">
      <p className={outcome.refused.length > 0 ? 'text-warn' : 'text-ok'}>{outcomeWords(outcome.kind, outcome)}</p>
      <ul>
        {outcome.refused.map(({ path, reason }) => (
          <li key={path} className="break-words">
            <code>{path}</code> <span className="text-muted">{reason}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What a run wrote, file by file, and what becomes of it: into the folder that was chosen, or undone. */
export function ChangesPanel({ runId }: { runId: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const run = useQuery(trpc.runs.get.queryOptions({ id: runId }));
  const status = run.data?.status;
  const live = status === 'running' || status === 'waiting';
  const found = useQuery(trpc.runs.changes.queryOptions({ id: runId }, { refetchInterval: live ? againAfter : false }));
  const [chosen, setChosen] = useState<string | null>(null);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState<Doing | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const files = useMemo(() => readChanges(found.data?.changes ?? []), [found.data]);

  const lookAgain = useEffectEvent(() => void found.refetch());
  useEffect(() => {
    // What the run wrote last is there when it has ended.
    if (status !== undefined && !live) lookAgain();
  }, [status, live]);

  const common = (kind: Doing) => ({
    onSuccess: (result: Omit<Outcome, 'kind'>) => {
      setOutcome({ kind, ...result });
      setRefusal(null);
    },
    onError: (error: unknown) => {
      setOutcome(null);
      setRefusal(messageOf(error));
    },
    onSettled: () => {
      setAsking(null);
      void queries.invalidateQueries({ queryKey: trpc.runs.changes.queryKey({ id: runId }) });
    },
  });
  const takeOver = useMutation(trpc.runs.takeOver.mutationOptions(common('take-over')));
  const undo = useMutation(trpc.runs.undo.mutationOptions(common('undo')));

  if (found.isPending) {
    return (
      <div className="space-y-2 p-3" role="status" aria-label="Comparing the folder with its beginning">
        <Skeleton className="h-7 w-full" />
        <Skeleton className="h-24 w-full" />
      </div>
    );
  }
  if (found.data === undefined) {
    return (
      <ErrorState
        title="The changes could not be read"
        message={messageOf(found.error)}
        onRetry={() => void found.refetch()}
        className="h-full"
      />
    );
  }
  const { mode, complete } = found.data;
  const folder = run.data?.workspace ?? null;
  const first = files[0];
  if (mode === null || first === undefined) {
    return (
      <EmptyState icon={<FileDiff size={18} />} title="No files changed" className="h-full">
        {folder === null
          ? 'The run had no folder to work in. Choose one beside the message field or in the run dialog.'
          : mode === null
            ? `${live ? 'The run has written nothing yet' : 'The run wrote nothing'}. What it writes in ${folder} appears here as a diff.`
            : 'Every file is what it was when the run began.'}
      </EmptyState>
    );
  }
  const open = files.find(({ change }) => change.path === chosen) ?? first;
  const picked = files.filter(({ change }) => !left.has(change.path)).map(({ change: { path, hash } }) => ({ path, hash }));
  const [added, removed] = [
    files.reduce((sum, { diff }) => sum + (diff?.added ?? 0), 0),
    files.reduce((sum, { diff }) => sum + (diff?.removed ?? 0), 0),
  ];
  const blocked = live || picked.length === 0;
  const where = folder ?? 'the folder';
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-3 py-1.5 text-xs">
        <p className="min-w-0 flex-1 basis-60">
          <span className="font-medium text-ink text-sm">{changesLine(found.data)}</span>{' '}
          <span className="tabular whitespace-nowrap text-muted">
            +{formatNumber(added)} −{formatNumber(removed)} lines
          </span>
          {folder === null ? null : (
            <code className="block truncate text-faint" title={folder}>
              {mode === 'folder' ? folder : `of ${folder}`}
            </code>
          )}
        </p>
        {live ? <span className="text-muted">The run is still writing; decide when it has ended.</span> : null}
        <span className="flex gap-2">
          <Button size="sm" icon={<Undo2 size={14} />} disabled={blocked} onClick={() => setAsking('undo')}>
            Undo
          </Button>
          {mode === 'folder' ? null : (
            <Button size="sm" variant="primary" icon={<FolderInput size={14} />} disabled={blocked} onClick={() => setAsking('take-over')}>
              Take over
            </Button>
          )}
        </span>
      </div>
      {refusal === null ? null : (
        <p role="alert" className="shrink-0 border-line border-b bg-fail-soft px-3 py-2 text-fail text-xs">
          {refusal}
        </p>
      )}
      {outcome === null ? null : <OutcomeNote outcome={outcome} />}
      <div className="flex min-h-0 flex-1 flex-col @min-[640px]:flex-row">
        <div className="flex h-40 min-h-0 shrink-0 flex-col border-line border-b @min-[640px]:h-auto @min-[640px]:w-72 @min-[640px]:border-r @min-[640px]:border-b-0">
          <FileList
            files={files}
            current={open.change.path}
            onCurrent={setChosen}
            left={left}
            onLeft={(path, leave) =>
              setLeft((before) => new Set(leave ? [...before, path] : [...before].filter((other) => other !== path)))
            }
          />
          {complete ? null : (
            <p className="shrink-0 border-line border-t px-2 py-1.5 text-warn text-xs">
              There are more changes than are listed. Take over or undo these, and the next are shown.
            </p>
          )}
        </div>
        <DiffView read={open} />
      </div>
      <ConfirmDialog
        open={asking === 'take-over'}
        onOpenChange={(next) => (next ? undefined : setAsking(null))}
        title={`Take over ${formatCount(picked.length, 'file')}`}
        description={
          <>
            They are written into <code className="break-all">{where}</code>. A file there that was changed since the run began is left as
            it is.
          </>
        }
        confirm={`Write into ${where.split(/[\\/]/).at(-1) ?? where}`}
        tone="default"
        busy={takeOver.isPending}
        onConfirm={() => takeOver.mutate({ id: runId, seen: picked })}
      />
      <ConfirmDialog
        open={asking === 'undo'}
        onOpenChange={(next) => (next ? undefined : setAsking(null))}
        title={`Undo ${formatCount(picked.length, 'file')}`}
        description={`${undoWords[mode](where)} What the run wrote there is lost.`}
        confirm="Undo"
        busy={undo.isPending}
        onConfirm={() => undo.mutate({ id: runId, seen: picked })}
      />
    </div>
  );
}
