'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Copy, Download, Ellipsis, ExternalLink, Trash2, Workflow } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import type { FlowSummary } from '@/server/api-types';
import { messageOf } from '../state/api-error';
import { useTRPC, useTRPCClient } from '../state/trpc';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { downloadText } from '../ui/download';
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuSeparator, DropdownMenuTrigger } from '../ui/dropdown-menu';
import { FlowDrawing } from '../ui/flow-drawing';
import { formatCount, formatDateTime, formatRelative } from '../ui/format';
import { IconButton } from '../ui/icon-button';
import { StatusBadge } from '../ui/status';
import { toast } from '../ui/toast';

const hrefOf = (id: string): string => `/flows/${encodeURIComponent(id)}`;

function FlowActions({ flow, onDelete }: { flow: FlowSummary; onDelete: () => void }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const router = useRouter();
  const duplicate = useMutation(
    trpc.flows.duplicate.mutationOptions({
      onSuccess: ({ id }) => {
        void queries.invalidateQueries({ queryKey: trpc.flows.list.pathKey() });
        toast.success(`${flow.name} duplicated`, { action: { label: 'Open copy', onClick: () => router.push(hrefOf(id)) } });
      },
      onError: (error) => toast.error(`${flow.name} could not be duplicated`, { description: messageOf(error) }),
    }),
  );
  const exportFlow = async () => {
    try {
      const file = await client.flows.export.query({ id: flow.id });
      downloadText(file.filename, file.text);
    } catch (error) {
      toast.error(`${flow.name} could not be exported`, { description: messageOf(error) });
    }
  };
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <IconButton label={`Actions for ${flow.name}`} icon={<Ellipsis size={16} />} size="sm" className="relative z-10" />
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem icon={<ExternalLink size={14} />} onSelect={() => router.push(hrefOf(flow.id))}>
          Open
        </DropdownMenuItem>
        <DropdownMenuItem icon={<Copy size={14} />} onSelect={() => duplicate.mutate({ id: flow.id })}>
          Duplicate
        </DropdownMenuItem>
        <DropdownMenuItem icon={<Download size={14} />} onSelect={() => void exportFlow()}>
          Export JSON
        </DropdownMenuItem>
        <DropdownMenuSeparator />
        <DropdownMenuItem icon={<Trash2 size={14} />} tone="danger" onSelect={onDelete}>
          Delete
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

export function FlowList({ flows, now }: { flows: readonly FlowSummary[]; now: number }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [doomed, setDoomed] = useState<FlowSummary | null>(null);
  const remove = useMutation(
    trpc.flows.remove.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: trpc.flows.list.pathKey() }),
      onError: (error) => toast.error('The flow could not be deleted', { description: messageOf(error) }),
      onSettled: () => setDoomed(null),
    }),
  );
  return (
    <>
      <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
        {flows.map((flow) => (
          <li key={flow.id} className="relative flex items-center gap-3 px-3 py-2.5 transition-colors hover:bg-sunken">
            <div className="flex h-11 w-18 shrink-0 items-center justify-center overflow-hidden rounded-md border border-line bg-canvas p-1 text-faint">
              {flow.preview && flow.preview.boxes.length > 0 ? (
                <FlowDrawing preview={flow.preview} compact className="size-full" />
              ) : (
                <Workflow aria-hidden size={16} />
              )}
            </div>
            <div className="min-w-0 flex-1">
              <Link
                href={hrefOf(flow.id)}
                className="block truncate font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-ring focus-visible:after:outline-offset-[-2px]"
              >
                {flow.name}
              </Link>
              <p className="truncate text-faint text-xs" title={formatDateTime(flow.updatedAt)}>
                {formatCount(flow.nodeCount, 'node')} · edited {formatRelative(flow.updatedAt, now)}
              </p>
            </div>
            {flow.lastRun ? <StatusBadge status={flow.lastRun.status} className="hidden sm:inline-flex" /> : null}
            <FlowActions flow={flow} onDelete={() => setDoomed(flow)} />
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={doomed !== null}
        onOpenChange={(open) => {
          if (!open) setDoomed(null);
        }}
        title={`Delete ${doomed?.name ?? 'the flow'}?`}
        description="The flow and its named versions are removed for good. Export it first if you may need it again."
        confirm="Delete flow"
        busy={remove.isPending}
        onConfirm={() => {
          if (doomed) remove.mutate({ id: doomed.id });
        }}
      />
    </>
  );
}
