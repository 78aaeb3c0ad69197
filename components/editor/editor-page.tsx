'use client';

import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { toErrorRecord } from '@/harness/contract/errors';
import type { FlowDocument } from '@/harness/flow/schema';
import { autoLayout, withPlaces } from '../canvas/arrange';
import { sizeOfNode } from '../canvas/places';
import { ErrorBoundary } from '../shell/error-boundary';
import { FlowRescue } from '../shell/flow-rescue';
import { codeOf, messageOf } from '../state/api-error';
import { useTRPCClient } from '../state/trpc';
import { Button } from '../ui/button';
import { ErrorState } from '../ui/error-state';
import { Skeleton } from '../ui/skeleton';
import { toast } from '../ui/toast';
import { Editor } from './editor';
import { recoverDraft } from './journal';
import { lastSave, tabName } from './use-saving';

interface Opened {
  document: FlowDocument;
  revision: number;
  draft: FlowDocument | undefined;
}

/** A flow that nobody ever laid out is laid out for the eye; it is stored that way with the first edit. */
function laidOut(document: FlowDocument): FlowDocument {
  const placed = document.nodes.filter((node) => Object.hasOwn(document.layout.nodes, node.id)).length;
  if (placed * 2 >= document.nodes.length) return document;
  return withPlaces(
    document,
    autoLayout(document, (id) => sizeOfNode(document, id)),
  );
}

/** What a broken flow is replaced with: the reason, the stored file and the versions (BR-24). */
function Rescue({ flowId, reason, onRetry }: { flowId: string; reason: string; onRetry: () => void }) {
  return (
    <div className="mx-auto flex h-full max-w-2xl flex-col items-center justify-center gap-4 p-6">
      <ErrorState title="This flow cannot be shown" message={reason} onRetry={onRetry} />
      <FlowRescue flowId={flowId} onRestored={onRetry} />
    </div>
  );
}

function Loading() {
  return (
    <div role="status" className="flex h-full gap-px bg-line">
      <span className="sr-only">Loading the flow</span>
      <div className="w-52 bg-sunken p-3">
        <Skeleton className="mb-3 h-8" />
        {[1, 2, 3, 4, 5, 6].map((row) => (
          <Skeleton key={row} className="mb-2 h-6" />
        ))}
      </div>
      <div className="dotted flex-1 bg-canvas" />
      <div className="w-84 bg-surface p-3">
        <Skeleton className="mb-3 h-8" />
        <Skeleton className="h-24" />
      </div>
    </div>
  );
}

let visits = 0;

/** `/flows/<id>`: reads the flow once, takes up a draft that was left unsaved, and opens the editor. */
export function EditorPage({ flowId }: { flowId: string }) {
  const client = useTRPCClient();
  const router = useRouter();
  const [round, setRound] = useState(0);
  // Whoever leaves and comes back at once would still find the answer of before, which lacks what was edited since.
  const [visit] = useState(() => ++visits);
  const [opened, setOpened] = useState<Opened | null>(null);
  // The editor keeps its own copy from here on; a query that refreshes itself would pull it away from under the person.
  const flow = useQuery({
    queryKey: ['editor', flowId, visit, round],
    queryFn: async () => {
      await lastSave(flowId);
      return client.flows.get.query({ id: flowId });
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const view = flow.data;
  useEffect(() => {
    if (!view || view.problem !== undefined) return;
    const draft = recoverDraft(localStorage, flowId, tabName());
    if (draft) toast('Unsaved edits from before were taken up again');
    setOpened({ document: laidOut(view.document), revision: draft?.baseRevision ?? view.revision, draft: draft?.document });
  }, [view, flowId]);

  const retry = (): void => {
    setOpened(null);
    setRound((count) => count + 1);
  };
  if (flow.error) {
    const gone = codeOf(flow.error) === 'FLOW_NOT_FOUND';
    return (
      <div className="mx-auto flex h-full max-w-lg flex-col items-center justify-center gap-3 p-6">
        <ErrorState
          title={gone ? 'There is no such flow' : 'The flow could not be loaded'}
          message={gone ? 'It may have been deleted.' : messageOf(flow.error)}
          {...(gone ? {} : { onRetry: retry })}
        />
        <Button onClick={() => router.push('/')}>All flows</Button>
      </div>
    );
  }
  if (view?.problem !== undefined) return <Rescue flowId={flowId} reason={view.problem} onRetry={retry} />;
  if (!opened) return <Loading />;
  return (
    <ErrorBoundary
      what="This flow"
      resetKey={`${flowId}:${round}`}
      fallback={(error) => <Rescue flowId={flowId} reason={toErrorRecord(error).message} onRetry={retry} />}
    >
      <Editor key={`${flowId}:${round}`} flowId={flowId} document={opened.document} revision={opened.revision} draft={opened.draft} />
    </ErrorBoundary>
  );
}
