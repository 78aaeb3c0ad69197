'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download, Ellipsis, GitFork, Play, Repeat2, RotateCcw, Square, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { messageOf } from '../state/api-error';
import { useTRPC, useTRPCClient } from '../state/trpc';
import { Button } from '../ui/button';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuSeparator, DropdownMenuTrigger } from '../ui/dropdown-menu';
import { IconButton } from '../ui/icon-button';
import { toast } from '../ui/toast';
import { downloadText } from './download';
import { useTraceView } from './trace-context';

/** Shows what a call answered when it fails, and keeps the page as it is. */
const complain = (what: string) => (error: unknown) => toast.error(what, { description: messageOf(error) });

/** Everything that can be done with a run: stop, resume, run again, fork, replay, export, delete. */
export function RunActions({ status, compact }: { status: string; compact: boolean }) {
  const { runId, index, at, following } = useTraceView();
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const navigation = useRouter();
  const [deleting, setDeleting] = useState(false);
  const open = (id: string): void => navigation.push(`/runs/${encodeURIComponent(id)}`);
  const changed = (): void => void queries.invalidateQueries({ queryKey: trpc.runs.pathKey() });

  const cancel = useMutation(trpc.runs.cancel.mutationOptions({ onSuccess: changed, onError: complain('The run was not stopped.') }));
  const resume = useMutation(trpc.runs.resume.mutationOptions({ onSuccess: changed, onError: complain('The run was not resumed.') }));
  const fork = useMutation(
    trpc.runs.fork.mutationOptions({ onSuccess: ({ runId: id }) => open(id), onError: complain('The run was not forked.') }),
  );
  const replay = useMutation(
    trpc.runs.replay.mutationOptions({ onSuccess: ({ runId: id }) => open(id), onError: complain('The run was not replayed.') }),
  );
  const again = useMutation({
    mutationFn: async () => {
      const run = await client.runs.get.query({ id: runId });
      return client.runs.start.mutate({
        flowId: run.flowId,
        document: run.document,
        input: run.input,
        options: run.options,
        ...(run.workspace === null ? {} : { workspace: run.workspace }),
      });
    },
    onSuccess: ({ runId: id }) => open(id),
    onError: complain('The run was not started again.'),
  });
  const exportRun = useMutation({
    mutationFn: (format: 'json' | 'otel') => client.runs.export.query({ id: runId, format }),
    onSuccess: downloadText,
    onError: complain('The run was not exported.'),
  });
  const remove = useMutation(
    trpc.runs.remove.mutationOptions({
      onSuccess: () => {
        changed();
        navigation.push('/runs');
      },
      onError: complain('The run was not deleted.'),
    }),
  );

  const active = status === 'running' || status === 'waiting';
  return (
    <div className="flex items-center gap-1">
      {active ? (
        <Button size="sm" icon={<Square size={12} />} busy={cancel.isPending} onClick={() => cancel.mutate({ id: runId })}>
          Cancel
        </Button>
      ) : null}
      {status === 'interrupted' ? (
        <Button size="sm" variant="primary" icon={<Play size={12} />} busy={resume.isPending} onClick={() => resume.mutate({ id: runId })}>
          Resume
        </Button>
      ) : null}
      {!active && !compact ? (
        <Button size="sm" icon={<RotateCcw size={12} />} busy={again.isPending} onClick={() => again.mutate()}>
          Run again
        </Button>
      ) : null}
      {following || compact ? null : (
        <Button
          size="sm"
          icon={<GitFork size={12} />}
          busy={fork.isPending}
          title={`A new run that shares the first ${at} events and goes on from there`}
          onClick={() => fork.mutate({ id: runId, seq: at })}
        >
          Fork from here
        </Button>
      )}
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <IconButton size="sm" label="More for this run" icon={<Ellipsis size={14} />} />
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end">
          <DropdownMenuItem icon={<RotateCcw size={14} />} onSelect={() => again.mutate()}>
            Run again
          </DropdownMenuItem>
          <DropdownMenuItem icon={<GitFork size={14} />} disabled={index.last === 0} onSelect={() => fork.mutate({ id: runId, seq: at })}>
            Fork from event {at}
          </DropdownMenuItem>
          <DropdownMenuItem icon={<Repeat2 size={14} />} onSelect={() => replay.mutate({ id: runId })}>
            Replay with recorded answers
          </DropdownMenuItem>
          <DropdownMenuSeparator />
          <DropdownMenuItem icon={<Download size={14} />} onSelect={() => exportRun.mutate('json')}>
            Export as JSON
          </DropdownMenuItem>
          <DropdownMenuItem icon={<Download size={14} />} onSelect={() => exportRun.mutate('otel')}>
            Export as OpenTelemetry
          </DropdownMenuItem>
          <DropdownMenuSeparator />
          <DropdownMenuItem tone="danger" icon={<Trash2 size={14} />} onSelect={() => setDeleting(true)}>
            Delete run
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      <ConfirmDialog
        open={deleting}
        onOpenChange={setDeleting}
        title="Delete this run?"
        description="Its events, results and recorded answers are deleted. This cannot be undone."
        confirm="Delete run"
        busy={remove.isPending}
        onConfirm={() => remove.mutate({ id: runId })}
      />
    </div>
  );
}
