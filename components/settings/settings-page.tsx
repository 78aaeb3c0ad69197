'use client';

import { useQuery } from '@tanstack/react-query';
import { Drama, FolderOpen, Plus } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import type { ProviderView } from '@/server/api-types';
import { Page, Section } from '../shell/page';
import { Loaded } from '../state/loaded';
import { useTRPC } from '../state/trpc';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Skeleton } from '../ui/skeleton';
import { ProviderDialog } from './provider-dialog';
import { ProviderList } from './provider-list';
import { RoleModels } from './role-models';
import { SecretList } from './secret-list';

const loading = (
  <div className="flex flex-col gap-3">
    <Skeleton className="h-40" />
    <Skeleton className="h-56" />
    <Skeleton className="h-32" />
  </div>
);

export function SettingsPage() {
  const trpc = useTRPC();
  const settings = useQuery(trpc.settings.get.queryOptions());
  const samples = useQuery(trpc.workspaces.samples.queryOptions(undefined, { staleTime: 60_000 }));
  const [editing, setEditing] = useState<ProviderView | 'new' | null>(null);
  return (
    <Page
      title="Settings"
      width="narrow"
      summary={
        <>
          Models, secrets and folders of this server. What is missing and how to fix it stands on the{' '}
          <Link href="/doctor" className="text-accent underline underline-offset-2">
            doctor page
          </Link>
          .
        </>
      }
    >
      <Loaded query={settings} what="Settings" loading={loading}>
        {(data) => (
          <>
            <Section
              id="providers"
              title="Providers"
              aside={
                <Button icon={<Plus size={14} />} onClick={() => setEditing('new')}>
                  Add provider
                </Button>
              }
            >
              <ProviderList providers={data.providers} onEdit={setEditing} />
              {data.rehearsalOnly ? (
                <Card className="mt-3 flex gap-3 px-4 py-3">
                  <Drama aria-hidden size={18} className="mt-0.5 shrink-0 text-accent" />
                  <p className="text-muted">
                    Only the rehearsal model is configured. It is built in and works offline: it follows the script a template ships for its
                    sample question, and otherwise answers from what the flow gathered. Everything around it is real: tools touch real
                    files, rules decide on real numbers. Add a provider to have a real model answer.
                  </p>
                </Card>
              ) : null}
            </Section>
            <Section id="roles" title="Default models">
              <RoleModels settings={data} />
            </Section>
            <Section id="secrets" title="Secrets">
              <p className="mb-3 text-muted">
                A flow may use a secret by name, as <code className="font-mono text-xs">{'{{secrets.NAME}}'}</code>, once its settings list
                it. Values are encrypted at rest and removed from traces and exports.
              </p>
              <SecretList secrets={data.secrets} />
            </Section>
            <Section id="workspaces" title="Workspaces">
              <Card className="divide-y divide-line">
                {(samples.data ?? []).map((sample) => (
                  <div key={sample.id} className="flex items-center gap-3 px-4 py-2.5">
                    <FolderOpen aria-hidden size={16} className="shrink-0 text-faint" />
                    <div className="min-w-0">
                      <p className="font-medium">{sample.title}</p>
                      <p className="truncate text-muted text-xs">{sample.label}</p>
                    </div>
                  </div>
                ))}
                <div className="px-4 py-2.5 text-muted">
                  {data.workspaceRoots.length === 0 ? (
                    'Runs may work in any folder that you name when you start them. Set BRIDLE_WORKSPACES to allow only some.'
                  ) : (
                    <>
                      Runs may work inside these folders only:
                      {data.workspaceRoots.map((root) => (
                        <code key={root} className="mt-1 block break-all font-mono text-xs">
                          {root}
                        </code>
                      ))}
                    </>
                  )}
                </div>
              </Card>
            </Section>
            <Section id="server" title="Server">
              <Card className="px-4 py-3">
                <dl className="grid grid-cols-[140px_1fr] gap-y-2">
                  <dt className="text-muted">Data folder</dt>
                  <dd className="break-all font-mono text-xs leading-5">{data.dataFolder}</dd>
                  <dt className="text-muted">Access token</dt>
                  <dd>{data.tokenRequired ? 'Required' : 'Not required: only this machine can reach the server'}</dd>
                  <dt className="text-muted">Tools</dt>
                  <dd>{data.tools.map((tool) => tool.title).join(', ') || 'None'}</dd>
                </dl>
              </Card>
            </Section>
          </>
        )}
      </Loaded>
      {editing === null ? null : <ProviderDialog provider={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
    </Page>
  );
}
