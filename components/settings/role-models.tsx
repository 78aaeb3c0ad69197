'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ModelRole, modelRoles } from '@/harness/contract/model';
import type { ModelChoice } from '@/harness/flow/schema';
import type { SettingsView } from '@/server/api-types';
import { messageOf } from '../state/api-error';
import { useTRPC } from '../state/trpc';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { toast } from '../ui/toast';

type Roles = Partial<Record<ModelRole, ModelChoice>>;

const about: Record<ModelRole, { title: string; use: string }> = {
  primary: { title: 'Primary', use: 'Answers wherever no other role is named.' },
  request: { title: 'Request', use: 'Reads the request before work begins.' },
  worker: { title: 'Worker', use: 'Many small steps, where speed and price count.' },
  expert: { title: 'Expert', use: 'Hard steps, reviews and second opinions.' },
};
const unset = '(none)';

/** Which model each role uses where a flow does not choose for itself. */
export function RoleModels({ settings }: { settings: SettingsView }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [edited, setEdited] = useState<Roles | null>(null);
  const roles = edited ?? settings.roles;
  const save = useMutation(
    trpc.settings.saveRoles.mutationOptions({
      onSuccess: async () => {
        await queries.invalidateQueries({ queryKey: trpc.settings.pathKey() });
        setEdited(null);
        toast.success('Default models saved');
      },
      onError: (error) => toast.error('The default models could not be saved', { description: messageOf(error) }),
    }),
  );
  const set = (role: ModelRole, choice: ModelChoice | null) => {
    const { [role]: _old, ...rest } = roles;
    setEdited(choice === null ? rest : { ...rest, [role]: choice });
  };
  const incomplete = modelRoles.some((role) => roles[role]?.model.trim() === '');
  return (
    <Card>
      <div className="divide-y divide-line">
        {modelRoles.map((role) => {
          const choice = roles[role];
          const provider = settings.providers.find((other) => other.id === choice?.provider);
          const listId = `role-models-${role}`;
          return (
            <div key={role} className="grid items-center gap-x-4 gap-y-2 px-4 py-3 sm:grid-cols-[1fr_180px_220px]">
              <div>
                <p className="font-medium">{about[role].title}</p>
                <p className="text-muted text-xs">{about[role].use}</p>
              </div>
              <Select
                aria-label={`Provider of the ${role} role`}
                value={choice?.provider ?? unset}
                options={[
                  { value: unset, label: role === 'primary' ? 'Choose by itself' : 'Like primary' },
                  ...settings.providers.map((other) => ({ value: other.id, label: other.title })),
                  ...(choice && provider === undefined ? [{ value: choice.provider, label: `${choice.provider} (not configured)` }] : []),
                ]}
                onValueChange={(id) => {
                  const next = settings.providers.find((other) => other.id === id);
                  set(role, id === unset ? null : { provider: id, model: next?.models[0] ?? '' });
                }}
              />
              {choice === undefined ? null : (
                <Input
                  aria-label={`Model of the ${role} role`}
                  list={listId}
                  value={choice.model}
                  placeholder="Model name"
                  spellCheck={false}
                  aria-invalid={choice.model.trim() === ''}
                  className="font-mono text-xs"
                  onChange={(event) => set(role, { ...choice, model: event.target.value })}
                />
              )}
              <datalist id={listId}>
                {(provider?.models ?? []).map((name) => (
                  <option key={name} value={name} />
                ))}
              </datalist>
            </div>
          );
        })}
      </div>
      {edited === null ? null : (
        <div className="flex items-center justify-end gap-2 border-line border-t px-4 py-3">
          <Button onClick={() => setEdited(null)}>Discard</Button>
          <Button variant="primary" busy={save.isPending} disabled={incomplete} onClick={() => save.mutate({ roles })}>
            Save default models
          </Button>
        </div>
      )}
    </Card>
  );
}
