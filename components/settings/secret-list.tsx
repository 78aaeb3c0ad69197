'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { SecretView } from '@/server/api-types';
import { messageOf } from '../state/api-error';
import { useTRPC } from '../state/trpc';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { Field } from '../ui/field';
import { formatDateTime } from '../ui/format';
import { IconButton } from '../ui/icon-button';
import { Input } from '../ui/input';
import { toast } from '../ui/toast';

const namePattern = /^[A-Z][A-Z0-9_]{0,63}$/;

/** Secrets by name. Values are written, never read back. */
export function SecretList({ secrets }: { secrets: readonly SecretView[] }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const [doomed, setDoomed] = useState<string | null>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: trpc.settings.pathKey() });
  const save = useMutation(
    trpc.settings.setSecret.mutationOptions({
      onSuccess: () => {
        setName('');
        setValue('');
        void refresh();
      },
      onError: (error) => toast.error('The secret could not be saved', { description: messageOf(error) }),
    }),
  );
  const remove = useMutation(
    trpc.settings.removeSecret.mutationOptions({
      onSuccess: refresh,
      onError: (error) => toast.error('The secret could not be removed', { description: messageOf(error) }),
      onSettled: () => setDoomed(null),
    }),
  );
  const nameProblem = name === '' || namePattern.test(name) ? undefined : 'Capital letters, digits and _, beginning with a letter.';
  const replaces = secrets.some((secret) => secret.name === name);
  return (
    <Card>
      <ul className="divide-y divide-line">
        {secrets.map((secret) => (
          <li key={secret.name} className="flex items-center gap-3 px-4 py-2">
            <KeyRound aria-hidden size={14} className="text-faint" />
            <span className="font-mono text-xs">{secret.name}</span>
            <span className="flex-1 text-faint text-xs">Set {formatDateTime(secret.updatedAt)}</span>
            <IconButton
              label={`Remove ${secret.name}`}
              icon={<Trash2 size={14} />}
              size="sm"
              tone="danger"
              onClick={() => setDoomed(secret.name)}
            />
          </li>
        ))}
        {secrets.length === 0 ? <li className="px-4 py-3 text-muted">No secrets are set.</li> : null}
      </ul>
      <form
        autoComplete="off"
        className="grid items-start gap-3 border-line border-t px-4 py-3 sm:grid-cols-[220px_1fr_auto]"
        onSubmit={(event) => {
          event.preventDefault();
          if (namePattern.test(name) && value !== '') save.mutate({ name, value });
        }}
      >
        <Field id="secret-name" label="Name" {...(nameProblem === undefined ? {} : { error: nameProblem })}>
          <Input
            id="secret-name"
            value={name}
            placeholder="SERVICE_TOKEN"
            spellCheck={false}
            className="font-mono text-xs"
            onChange={(event) => setName(event.target.value.toUpperCase())}
          />
        </Field>
        <Field id="secret-value" label="Value">
          <Input
            id="secret-value"
            type="password"
            autoComplete="new-password"
            value={value}
            onChange={(event) => setValue(event.target.value)}
          />
        </Field>
        <Button
          type="submit"
          className="mt-6"
          icon={<Plus size={14} />}
          busy={save.isPending}
          disabled={!namePattern.test(name) || value === ''}
        >
          {replaces ? 'Replace secret' : 'Add secret'}
        </Button>
      </form>
      <ConfirmDialog
        open={doomed !== null}
        onOpenChange={(open) => {
          if (!open) setDoomed(null);
        }}
        title={`Remove ${doomed ?? 'the secret'}?`}
        description="Its value is deleted. Flows that refer to it fail until it is set again."
        confirm="Remove secret"
        busy={remove.isPending}
        onConfirm={() => {
          if (doomed !== null) remove.mutate({ name: doomed });
        }}
      />
    </Card>
  );
}
