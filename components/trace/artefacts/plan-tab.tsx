'use client';

import { ClipboardList } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ownBranch } from '@/harness/trace/views/layers/history';
import { Button } from '../../ui/button';
import { cn } from '../../ui/cn';
import { EmptyState } from '../../ui/empty-state';
import { ErrorState } from '../../ui/error-state';
import { formatBytes } from '../../ui/format';
import { Skeleton } from '../../ui/skeleton';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../../ui/tabs';
import { useLayerFeed } from '../layers/use-layers';
import { useTraceView } from '../trace-context';
import { DesignSection, FilesSection, ScopeSection } from './document-sections';
import { type PlanChannel, planChannels } from './plan-channels';
import { PlanSection } from './plan-section';
import { NotesSection, StepsSection, ValidationSection } from './result-sections';
import { PlanContext, usePlanView } from './use-plan';

interface Section {
  id: string;
  title: string;
  /** It has something to show once one of these is written. */
  of: readonly PlanChannel[];
  content: () => ReactNode;
}

const sections: readonly Section[] = [
  { id: 'scope', title: 'Scope', of: ['planTask', 'phase1Summary', 'scopeDocument'], content: ScopeSection },
  { id: 'files', title: 'Files', of: ['observations', 'fileSummary'], content: FilesSection },
  { id: 'design', title: 'Design', of: ['designAndRisks'], content: DesignSection },
  { id: 'plan', title: 'Plan', of: ['executionPlan', 'planWarnings'], content: PlanSection },
  { id: 'steps', title: 'Steps', of: ['stepResults', 'tddState'], content: StepsSection },
  {
    id: 'validation',
    title: 'Validation',
    of: ['commandSet', 'validationResults', 'validationAttempts', 'createdRegressionFiles'],
    content: ValidationSection,
  },
  { id: 'notes', title: 'Notes', of: ['journal', 'scratchpad', 'workspaceMemories'], content: NotesSection },
];

/** The artefacts of the planning pipeline as documents, as they stood at the chosen moment. */
export function PlanTab() {
  const { at } = useTraceView();
  const feed = useLayerFeed(planChannels);
  const view = usePlanView(feed.history, ownBranch);
  const [chosen, setChosen] = useState<string | null>(null);
  const behind = feed.history.last < at;
  const filled = sections.filter(({ of }) => of.some((channel) => view.written(channel) !== undefined));
  // until one is chosen: the newest artefact there is
  const newest = sections
    .map(({ id, of }) => ({ id, seq: Math.max(0, ...of.map((channel) => view.written(channel)?.seq ?? 0)) }))
    .reduce((best, other) => (other.seq > best.seq ? other : best), { id: '', seq: 0 });
  const open = filled.find(({ id }) => id === chosen)?.id ?? newest.id;

  if (behind && feed.problem !== null)
    return <ErrorState title="A value of this run could not be read" message={feed.problem} className="h-full" />;
  if (behind && feed.waiting !== null) {
    return (
      <EmptyState
        icon={<ClipboardList size={18} />}
        title="The artefacts of this run are large"
        action={<Button onClick={feed.load}>Load {formatBytes(feed.waiting)}</Button>}
      >
        They are kept apart from the events and are read when you ask for them.
      </EmptyState>
    );
  }
  if (behind && feed.history.last === 0) {
    return (
      <div className="space-y-2 p-3" role="status" aria-label="Loading the artefacts">
        <Skeleton className="h-7 w-full" />
        <Skeleton className="h-24 w-full" />
      </div>
    );
  }
  if (filled.length === 0) {
    return (
      <EmptyState icon={<ClipboardList size={18} />} title="No artefact at this moment" className="h-full">
        The first one appears here as soon as a planning node has written it. Move the moment forward to see later ones.
      </EmptyState>
    );
  }
  return (
    <PlanContext value={view}>
      <Tabs value={open} onValueChange={setChosen} className="flex min-h-0 flex-1 flex-col">
        <TabsList aria-label="Artefacts" className="shrink-0 overflow-x-auto overflow-y-hidden">
          {filled.map(({ id, title }) => (
            <TabsTrigger key={id} value={id} className="h-8 text-xs">
              {title}
            </TabsTrigger>
          ))}
        </TabsList>
        {filled.map(({ id, content: Content }) => (
          <TabsContent key={id} value={id} className={cn('min-h-0 flex-1 space-y-3 overflow-y-auto p-3', open === id ? 'block' : 'hidden')}>
            <Content />
          </TabsContent>
        ))}
      </Tabs>
    </PlanContext>
  );
}
