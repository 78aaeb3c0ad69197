'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { SessionSummary } from '@/server/api-types';
import { messageOf } from '../state/api-error';
import { useTRPC } from '../state/trpc';
import { Button } from '../ui/button';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { Dialog } from '../ui/dialog';
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from '../ui/dropdown-menu';
import { Field } from '../ui/field';
import { IconButton } from '../ui/icon-button';
import { Input } from '../ui/input';
import { toast } from '../ui/toast';

/** Rename and delete one chat. */
export function SessionMenu({ session, onRemoved }: { session: SessionSummary; onRemoved: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [title, setTitle] = useState<string | null>(null);
  const [doomed, setDoomed] = useState(false);
  const refresh = () => {
    void queries.invalidateQueries({ queryKey: trpc.sessions.list.pathKey() });
    void queries.invalidateQueries({ queryKey: trpc.sessions.get.queryKey({ id: session.id }) });
  };
  const rename = useMutation(
    trpc.sessions.rename.mutationOptions({
      onSuccess: () => setTitle(null),
      onError: (error) => toast.error('The chat could not be renamed', { description: messageOf(error) }),
      onSettled: refresh,
    }),
  );
  const remove = useMutation(
    trpc.sessions.remove.mutationOptions({
      onSuccess: () => {
        setDoomed(false);
        onRemoved();
        void queries.invalidateQueries({ queryKey: trpc.sessions.list.pathKey() });
      },
      onError: (error) => toast.error('The chat could not be deleted', { description: messageOf(error) }),
    }),
  );
  const save = () => {
    if (title !== null && title.trim() !== '') rename.mutate({ id: session.id, title: title.trim() });
  };
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <IconButton label={`Actions for ${session.title}`} icon={<Ellipsis size={14} />} size="sm" className="relative z-10" />
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end">
          <DropdownMenuItem icon={<Pencil size={14} />} onSelect={() => setTitle(session.title)}>
            Rename
          </DropdownMenuItem>
          <DropdownMenuItem icon={<Trash2 size={14} />} tone="danger" onSelect={() => setDoomed(true)}>
            Delete
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      <Dialog
        open={title !== null}
        onOpenChange={(open) => {
          if (!open) setTitle(null);
        }}
        title="Rename chat"
        size="sm"
        footer={
          <>
            <Button onClick={() => setTitle(null)}>Cancel</Button>
            <Button variant="primary" busy={rename.isPending} disabled={(title ?? '').trim() === ''} onClick={save}>
              Rename
            </Button>
          </>
        }
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <Field id="session-title" label="Name">
            <Input id="session-title" value={title ?? ''} maxLength={300} onChange={(event) => setTitle(event.target.value)} />
          </Field>
        </form>
      </Dialog>
      <ConfirmDialog
        open={doomed}
        onOpenChange={setDoomed}
        title={`Delete ${session.title}?`}
        description="Its messages are removed for good and a running turn is stopped. The runs stay under Runs."
        confirm="Delete chat"
        busy={remove.isPending}
        onConfirm={() => remove.mutate({ id: session.id })}
      />
    </>
  );
}
