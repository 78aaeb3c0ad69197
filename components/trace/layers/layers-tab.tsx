'use client';

import { Layers } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { branchesAt, type LayerBranch, ownBranch } from '@/harness/trace/views/layers/history';
import { Button } from '../../ui/button';
import { cn } from '../../ui/cn';
import { EmptyState } from '../../ui/empty-state';
import { ErrorState } from '../../ui/error-state';
import { formatBytes } from '../../ui/format';
import { Skeleton } from '../../ui/skeleton';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../../ui/tabs';
import { panelStorage } from '../panel-storage';
import { useTraceView } from '../trace-context';
import { ConflictsSection } from './conflicts';
import { EvidenceSection } from './evidence';
import { HealthSection } from './health';
import { useVisitTitle } from './parts';
import { RecoverySection } from './recovery';
import { ControlRibbon } from './ribbon';
import { TasksSection } from './tasks';
import { LayersContext, useLayerFeed, useLayersView } from './use-layers';
import { VerificationSection } from './verification';

const sections = [
  { id: 'health', title: 'Health', content: HealthSection },
  { id: 'tasks', title: 'Tasks', content: TasksSection },
  { id: 'conflicts', title: 'Contradictions', content: ConflictsSection },
  { id: 'evidence', title: 'Evidence', content: EvidenceSection },
  { id: 'recovery', title: 'Recovery', content: RecoverySection },
  { id: 'verification', title: 'Verification', content: VerificationSection },
] as const satisfies readonly { id: string; title: string; content: () => ReactNode }[];
const storageKey = 'bridle:trace-layers-section';
const known = (id: string | null): string => sections.find((section) => section.id === id)?.id ?? 'health';

/** Whose channels are shown, where a dispatch has sent out several branches. */
function BranchPicker({
  branches,
  chosen,
  onChoose,
}: {
  branches: readonly LayerBranch[];
  chosen: string;
  onChoose: (id: string) => void;
}) {
  const id = useId();
  const visitTitle = useVisitTitle();
  const branch = branches.find((candidate) => candidate.id === chosen);
  return (
    <div className="flex flex-wrap items-center gap-2 text-xs">
      <label htmlFor={id} className="text-muted">
        Channels of
      </label>
      <select
        id={id}
        value={chosen}
        onChange={(event) => onChoose(event.currentTarget.value)}
        className="h-7 max-w-80 rounded-md border border-line bg-surface px-2 text-xs"
      >
        {branches.map((candidate) => (
          <option key={candidate.id} value={candidate.id}>
            {candidate.id === ownBranch
              ? 'the run itself'
              : `branch ${candidate.position + 1} of ${visitTitle(candidate.visit)}${candidate.closed === null ? ', under way' : ''}`}
          </option>
        ))}
      </select>
      {branch === undefined || branch.id === ownBranch ? null : (
        <span className="text-faint">
          sent out at event {branch.opened}
          {branch.closed === null ? '' : `, taken in at event ${branch.closed}`}
        </span>
      )}
    </div>
  );
}

/** What the control layers knew and decided, at the chosen moment. */
export function LayersTab() {
  const { index, at } = useTraceView();
  const feed = useLayerFeed();
  const [section, setSection] = useState(() => known(panelStorage.getItem(storageKey)));
  const [chosen, setChosen] = useState(ownBranch);
  const branches = branchesAt(feed.history, index.last);
  const branch = branches.some((candidate) => candidate.id === chosen) ? chosen : ownBranch;
  const view = useLayersView(feed.history, branch);
  const behind = feed.history.last < at;

  if (behind && feed.problem !== null)
    return <ErrorState title="A value of this run could not be read" message={feed.problem} className="h-full" />;
  if (behind && feed.waiting !== null) {
    return (
      <EmptyState
        icon={<Layers size={18} />}
        title="The layers of this run are large"
        action={<Button onClick={feed.load}>Load {formatBytes(feed.waiting)}</Button>}
      >
        They are kept apart from the events and are read when you ask for them.
      </EmptyState>
    );
  }
  if (behind && feed.history.last === 0) {
    return (
      <div className="space-y-2 p-3" role="status" aria-label="Loading the layers">
        <Skeleton className="h-7 w-full" />
        <Skeleton className="h-24 w-full" />
      </div>
    );
  }
  return (
    <LayersContext value={view}>
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        <div className="shrink-0 space-y-2 border-line border-b px-3 py-2">
          {branches.length > 1 ? <BranchPicker branches={branches} chosen={branch} onChoose={setChosen} /> : null}
          <ControlRibbon />
        </div>
        <Tabs
          value={section}
          onValueChange={(next) => {
            setSection(known(next));
            panelStorage.setItem(storageKey, next);
          }}
          // In a low panel the whole tab scrolls rather than leave a section no room.
          className="flex min-h-80 flex-1 shrink-0 flex-col"
        >
          <TabsList aria-label="Control layers" className="shrink-0 overflow-x-auto overflow-y-hidden">
            {sections.map(({ id, title }) => (
              <TabsTrigger key={id} value={id} className="h-8 text-xs">
                {title}
              </TabsTrigger>
            ))}
          </TabsList>
          {sections.map(({ id, content: Content }) => (
            <TabsContent key={id} value={id} className={cn('min-h-0 flex-1 flex-col', section === id && 'flex')}>
              <Content />
            </TabsContent>
          ))}
        </Tabs>
      </div>
    </LayersContext>
  );
}
