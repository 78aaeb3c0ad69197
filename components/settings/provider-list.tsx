'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Drama, KeyRound, Pencil, PlugZap, Server, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ProviderView } from '@/server/api-types';
import { messageOf } from '../state/api-error';
import { useTRPC } from '../state/trpc';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { formatDuration } from '../ui/format';
import { IconButton } from '../ui/icon-button';
import { Input } from '../ui/input';
import { StatusBadge } from '../ui/status';
import { toast } from '../ui/toast';

const sources = {
  environment: 'From the environment',
  settings: 'Added here',
  discovered: 'Found on this machine',
  'built-in': 'Built in',
} as const;

function ProviderTest({ provider }: { provider: ProviderView }) {
  const trpc = useTRPC();
  const [model, setModel] = useState(provider.models[0] ?? '');
  const test = useMutation(trpc.settings.testProvider.mutationOptions());
  const listId = `models-${provider.id}`;
  return (
    <form
      className="mt-3 flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (model.trim() !== '') test.mutate({ id: provider.id, model: model.trim() });
      }}
    >
      <Input
        aria-label={`Model of ${provider.title} to test`}
        list={listId}
        value={model}
        placeholder="Model name"
        spellCheck={false}
        className="max-w-64 font-mono text-xs"
        onChange={(event) => setModel(event.target.value)}
      />
      <datalist id={listId}>
        {provider.models.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Button type="submit" busy={test.isPending} disabled={model.trim() === ''} icon={<PlugZap size={14} />}>
        Test
      </Button>
      {test.data ? (
        <p role="status" className="flex min-w-0 items-center gap-2 text-muted">
          <StatusBadge
            status={test.data.ok ? 'ok' : 'problem'}
            label={test.data.ok ? `Answered in ${formatDuration(test.data.latencyMs)}` : 'No answer'}
          />
          <span className="min-w-0 break-words">{test.data.message}</span>
        </p>
      ) : null}
      {test.error ? (
        <p role="alert" className="text-fail">
          {messageOf(test.error)}
        </p>
      ) : null}
    </form>
  );
}

export function ProviderList({ providers, onEdit }: { providers: readonly ProviderView[]; onEdit: (provider: ProviderView) => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [doomed, setDoomed] = useState<ProviderView | null>(null);
  const remove = useMutation(
    trpc.settings.removeProvider.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: trpc.settings.pathKey() }),
      onError: (error) => toast.error('The provider could not be removed', { description: messageOf(error) }),
      onSettled: () => setDoomed(null),
    }),
  );
  return (
    <>
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {providers.map((provider) => {
          const rehearsal = provider.kind === 'rehearsal';
          return (
            <li key={provider.id} className="px-4 py-3">
              <div className="flex items-center gap-3">
                <span className="text-faint">{rehearsal ? <Drama aria-hidden size={18} /> : <Server aria-hidden size={18} />}</span>
                <div className="min-w-0 flex-1">
                  <p className="flex flex-wrap items-center gap-2">
                    <span className="font-medium">{provider.title}</span>
                    <span className="font-mono text-faint text-xs">{provider.id}</span>
                  </p>
                  <p className="truncate text-muted text-xs">
                    {sources[provider.source]}
                    {provider.baseUrl ? ` · ${provider.baseUrl}` : ''}
                    {provider.models.length > 0
                      ? ` · ${provider.models.slice(0, 4).join(', ')}${provider.models.length > 4 ? ', …' : ''}`
                      : ''}
                  </p>
                </div>
                {rehearsal ? null : (
                  <Badge tone={provider.hasKey ? 'ok' : 'neutral'} icon={<KeyRound aria-hidden size={12} />}>
                    {provider.hasKey ? 'Key set' : 'Key not set'}
                  </Badge>
                )}
                {provider.source === 'settings' ? (
                  <>
                    <IconButton label={`Change ${provider.title}`} icon={<Pencil size={14} />} size="sm" onClick={() => onEdit(provider)} />
                    <IconButton
                      label={`Remove ${provider.title}`}
                      icon={<Trash2 size={14} />}
                      size="sm"
                      tone="danger"
                      onClick={() => setDoomed(provider)}
                    />
                  </>
                ) : null}
              </div>
              {rehearsal ? null : <ProviderTest provider={provider} />}
            </li>
          );
        })}
      </ul>
      <ConfirmDialog
        open={doomed !== null}
        onOpenChange={(open) => {
          if (!open) setDoomed(null);
        }}
        title={`Remove ${doomed?.title ?? 'the provider'}?`}
        description="Its stored key is deleted. Flows that use it will say so until they are given another model."
        confirm="Remove provider"
        busy={remove.isPending}
        onConfirm={() => {
          if (doomed) remove.mutate({ id: doomed.id });
        }}
      />
    </>
  );
}
