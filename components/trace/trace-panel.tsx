'use client';

import { useQuery } from '@tanstack/react-query';
import { Activity } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { hasLayers } from '@/harness/trace/views/layers/history';
import { visitOf } from '@/harness/trace/views/trace-index';
import { ChangesPanel } from '../changes/changes-panel';
import { useTRPC } from '../state/trpc';
import { EmptyState } from '../ui/empty-state';
import { ErrorState } from '../ui/error-state';
import { Skeleton } from '../ui/skeleton';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs';
import { hasPlan } from './artefacts/plan-channels';
import { PlanTab } from './artefacts/plan-tab';
import { DecisionsTab } from './decisions-tab';
import { DetailsPane } from './details/details-pane';
import { EventsTab } from './events-tab';
import { LanesTab } from './lanes/lanes-tab';
import { LayersTab } from './layers/layers-tab';
import { MomentBar } from './moment-bar';
import { OpenAsks } from './open-asks';
import { RunHeader } from './run-header';
import { SpansTab } from './spans-tab';
import { StateTab } from './state-tab';
import { TraceContext, type TraceSelection, type TraceTab, type TraceView, useTraceView } from './trace-context';
import { type LiveTrace, useTrace } from './use-trace';

export interface TracePanelProps {
  /** `null` shows what the panel is for. */
  runId: string | null;
  onSelectNode?: (nodeId: string) => void;
  /** Its visits stand out in every tab. */
  selectedNode?: string | null;
  /** The chosen moment; `null` follows the run. Left out, the panel keeps its own. */
  seq?: number | null;
  onSeq?: (seq: number | null) => void;
  /** Fewer buttons, for the dock of the editor. */
  compact?: boolean;
}

const tabs: readonly { id: TraceTab; title: string }[] = [
  { id: 'lanes', title: 'Lanes' },
  { id: 'decisions', title: 'Decisions' },
  { id: 'state', title: 'State' },
  { id: 'layers', title: 'Layers' },
  { id: 'plan', title: 'Plan' },
  { id: 'changes', title: 'Changes' },
  { id: 'spans', title: 'Spans' },
  { id: 'events', title: 'Events' },
];
const isTab = (value: string): value is TraceTab => tabs.some((tab) => tab.id === value);

/** Of the whole run, whatever moment is chosen: the folder is compared as it is now. */
function ChangesTab() {
  const { runId } = useTraceView();
  return <ChangesPanel runId={runId} />;
}

const content: Record<TraceTab, () => ReactNode> = {
  lanes: LanesTab,
  decisions: DecisionsTab,
  state: StateTab,
  layers: LayersTab,
  plan: PlanTab,
  changes: ChangesTab,
  spans: SpansTab,
  events: EventsTab,
};

/** A run as lanes, decisions, state, control layers, spans and events, at a moment of choice: beside the canvas or as a page. */
export function TracePanel(props: TracePanelProps) {
  const trace = useTrace(props.runId);
  if (props.runId === null) {
    return (
      <EmptyState icon={<Activity size={18} />} title="No run on view" className="h-full">
        Run the flow, or send a message in the chat. What every node read, decided and changed appears here.
      </EmptyState>
    );
  }
  return <TraceOf {...props} key={props.runId} runId={props.runId} trace={trace} />;
}

/** The panel over a trace that the caller already follows, so that canvas and panel show the same instant. */
export function TraceOf({
  runId,
  trace,
  onSelectNode,
  selectedNode = null,
  seq,
  onSeq,
  compact = false,
}: TracePanelProps & { runId: string; trace: LiveTrace }) {
  const trpc = useTRPC();
  const { index, texts, loaded, problem } = trace;
  const run = useQuery(trpc.runs.get.queryOptions({ id: runId }));
  const [ownSeq, setOwnSeq] = useState<number | null>(null);
  const [tab, setTab] = useState<TraceTab>('lanes');
  const [selection, select] = useState<TraceSelection | null>(null);
  const document = run.data?.document;
  const layered = useMemo(() => hasLayers(index), [index]);
  const planned = useMemo(() => hasPlan(index), [index]);
  const titles = useMemo(() => new Map((document?.nodes ?? []).map((node) => [node.id, node.label])), [document]);

  const chosen = seq === undefined ? ownSeq : seq;
  const setMoment = (next: number | null): void => {
    setOwnSeq(next);
    onSeq?.(next);
  };
  const view: TraceView = {
    runId,
    index,
    texts,
    at: chosen === null ? index.last : Math.min(chosen, index.last),
    following: chosen === null,
    setMoment,
    selection,
    select,
    openVisit: (visit) => {
      select({ kind: 'visit', visit });
      const found = visitOf(index, visit);
      if (found !== undefined) onSelectNode?.(found.path[0] ?? found.nodeId);
    },
    selectedNode,
    tab,
    setTab,
    document,
    titleOf: (id) => titles.get(id) || id,
  };

  if (problem !== null && index.last === 0)
    return <ErrorState title="The trace could not be loaded" message={problem} className="h-full" />;
  if (index.last === 0) {
    return loaded ? (
      <EmptyState icon={<Activity size={18} />} title="The run has not begun" className="h-full">
        Its first event appears here as soon as it is written.
      </EmptyState>
    ) : (
      <div className="space-y-2 p-3" role="status" aria-label="Loading the trace">
        <Skeleton className="h-8 w-full" />
        <Skeleton className="h-6 w-2/3" />
        <Skeleton className="h-6 w-1/2" />
      </div>
    );
  }
  const offered = tabs.filter(
    ({ id }) => (id !== 'layers' || layered) && (id !== 'plan' || planned) && (id !== 'changes' || (run.data?.workspace ?? null) !== null),
  );
  const Content = content[tab];
  // The record of the run may know of its end before the last events have come.
  const ended = run.data !== undefined && !['running', 'waiting', 'interrupted'].includes(run.data.status);
  return (
    <TraceContext value={view}>
      <section aria-label="Trace" className="@container relative flex h-full min-h-0 flex-col bg-surface">
        <RunHeader summary={run.data ?? null} compact={compact} />
        {ended ? null : <OpenAsks />}
        <Tabs value={tab} onValueChange={(value) => (isTab(value) ? setTab(value) : undefined)} className="flex min-h-0 flex-1 flex-col">
          <TabsList aria-label="Views of the trace" className="shrink-0">
            {offered.map(({ id, title }) => (
              <TabsTrigger key={id} value={id}>
                {title}
                {id === 'decisions' && index.decisions.length > 0 ? (
                  <span className="tabular text-faint text-xs">{index.decisions.length}</span>
                ) : null}
              </TabsTrigger>
            ))}
          </TabsList>
          <TabsContent value={tab} className="relative flex min-h-0 flex-1">
            <div className="flex min-h-0 min-w-0 flex-1 flex-col">
              <Content />
            </div>
            <DetailsPane />
          </TabsContent>
        </Tabs>
        <MomentBar />
      </section>
    </TraceContext>
  );
}
