'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { Activity, Plus, Workflow } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { rememberSample } from '../chat/local-memory';
import { Page, Section } from '../shell/page';
import { messageOf } from '../state/api-error';
import { Loaded } from '../state/loaded';
import { useTRPC } from '../state/trpc';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { textOf } from '../ui/json-text';
import { Skeleton } from '../ui/skeleton';
import { toast } from '../ui/toast';
import { useNow } from '../ui/use-now';
import { FlowList } from './flow-list';
import { DropOverlay, ImportButton } from './import-controls';
import { ImportReport } from './import-report';
import { RunList } from './run-list';
import { TemplateCard } from './template-card';
import { useFlowImport } from './use-flow-import';

const rows = (
  <div className="flex flex-col gap-2">
    <Skeleton className="h-14" />
    <Skeleton className="h-14" />
    <Skeleton className="h-14" />
  </div>
);
const cards = (
  <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
    <Skeleton className="h-72" />
    <Skeleton className="h-72" />
    <Skeleton className="h-72" />
  </div>
);

export function HomePage() {
  const trpc = useTRPC();
  const router = useRouter();
  const now = useNow();
  const flowImport = useFlowImport();
  const templates = useQuery(trpc.templates.list.queryOptions(undefined, { staleTime: 60_000 }));
  const flows = useQuery(trpc.flows.list.queryOptions());
  const runs = useQuery(trpc.runs.list.queryOptions({ limit: 8 }));
  const create = useMutation(
    trpc.flows.create.mutationOptions({
      onSuccess: ({ id }, { templateId }) => {
        const sample = templates.data?.find((template) => template.id === templateId)?.sample;
        if (sample) rememberSample(id, { question: textOf(sample.input), workspace: sample.workspace });
        router.push(`/flows/${encodeURIComponent(id)}`);
      },
      onError: (error) => toast.error('The flow could not be created', { description: messageOf(error) }),
    }),
  );
  const opening = create.isPending || create.isSuccess ? create.variables : undefined;

  return (
    <Page
      title="Draw the harness around an agent"
      summary="Open a template, ask its sample question, then click any node to see what it read, what it decided, and on which numbers."
      actions={
        <>
          <ImportButton flowImport={flowImport} />
          <Button
            variant="primary"
            icon={<Plus size={14} />}
            busy={opening !== undefined && opening.templateId === undefined}
            onClick={() => create.mutate({})}
          >
            New flow
          </Button>
        </>
      }
    >
      <DropOverlay visible={flowImport.dragging} />
      <ImportReport outcomes={flowImport.outcomes} onClose={flowImport.clear} />

      <Section id="templates" title="Templates">
        <Loaded query={templates} what="Templates" loading={cards}>
          {(data) => (
            <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
              {data.map((template) => (
                <TemplateCard
                  key={template.id}
                  template={template}
                  busy={opening?.templateId === template.id}
                  onOpen={() => create.mutate({ templateId: template.id })}
                />
              ))}
            </div>
          )}
        </Loaded>
      </Section>

      <div className="grid gap-x-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Section id="flows" title="Your flows">
          <Loaded query={flows} what="Flows" loading={rows}>
            {(data) =>
              data.length === 0 ? (
                <Card>
                  <EmptyState icon={<Workflow size={18} />} title="No flows yet">
                    Open a template above, start an empty flow, or drop an exported flow anywhere on this page.
                  </EmptyState>
                </Card>
              ) : (
                <FlowList flows={data} now={now} />
              )
            }
          </Loaded>
        </Section>
        <Section
          id="runs"
          title="Recent runs"
          aside={
            runs.data && runs.data.runs.length > 0 ? (
              <Link href="/runs" className="text-accent hover:underline">
                All runs
              </Link>
            ) : undefined
          }
        >
          <Loaded query={runs} what="Runs" loading={rows}>
            {(data) =>
              data.runs.length === 0 ? (
                <Card>
                  <EmptyState icon={<Activity size={18} />} title="No runs yet">
                    Runs appear here as soon as you run a flow or send a message in its chat.
                  </EmptyState>
                </Card>
              ) : (
                <RunList runs={data.runs} now={now} />
              )
            }
          </Loaded>
        </Section>
      </div>
    </Page>
  );
}
