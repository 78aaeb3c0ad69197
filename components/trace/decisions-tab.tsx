'use client';

import { Scale } from 'lucide-react';
import { useMemo, useState } from 'react';
import { alternativeWords, becauseWords, distanceWords } from '@/harness/trace/views/decision-words';
import { decisionFacets, filterDecisions } from '@/harness/trace/views/decisions';
import type { DecisionEntry } from '@/harness/trace/views/spans';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { EmptyState } from '../ui/empty-state';
import { layerColor, layerTitle } from '../ui/layer-chip';
import { FacetMenu } from './facet-menu';
import { SearchField } from './search-field';
import { useTraceView } from './trace-context';
import { VirtualList } from './virtual-list';

function DecisionRow({
  entry,
  selected,
  future,
  onOpen,
}: {
  entry: DecisionEntry;
  selected: boolean;
  future: boolean;
  onOpen: () => void;
}) {
  const { decision } = entry;
  const distance = distanceWords(decision);
  const because = becauseWords(decision);
  const changed = alternativeWords(decision);
  return (
    <button
      type="button"
      onClick={onOpen}
      aria-current={selected || undefined}
      className={cn(
        'flex w-full items-stretch gap-3 border-line/70 border-b py-2 pr-3 pl-3 text-left',
        selected ? 'bg-accent-soft' : 'hover:bg-hover',
        future && 'opacity-45',
      )}
    >
      <span aria-hidden className="w-[3px] shrink-0 rounded-full" style={{ background: layerColor(entry.layer) }} />
      <span className="tabular w-10 shrink-0 pt-0.5 text-right text-faint text-xs">{entry.seq}</span>
      <span className="min-w-0 flex-1 space-y-0.5">
        <span className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium">{entry.label}</span>
          {entry.visitNumber > 1 ? <span className="shrink-0 text-faint text-xs">visit {entry.visitNumber}</span> : null}
          {entry.policy === null ? null : <Badge tone="outline">policy {entry.policy}</Badge>}
          <span className="truncate text-muted text-xs">{decision.rule}</span>
        </span>
        {because === '' ? null : <span className="block truncate font-mono text-muted text-xs">{because}</span>}
        {distance === null && changed.length === 0 ? null : (
          <span className="block truncate text-faint text-xs">{[distance, ...changed].filter((part) => part !== null).join(' · ')}</span>
        )}
      </span>
      <span
        className="max-w-40 shrink-0 self-start truncate rounded-sm bg-hover px-1.5 font-medium text-xs leading-5"
        title={decision.outcome}
      >
        {decision.outcome}
      </span>
    </button>
  );
}

const none: string[] = [];

/** Every rule that fired, in order, with its numbers and what would have changed it. */
export function DecisionsTab() {
  const { index, at, following, selection, selectedNode, openVisit, setMoment, titleOf } = useTraceView();
  const [text, setText] = useState('');
  const [chosenLayers, setLayers] = useState(none);
  const [chosenNodes, setNodes] = useState(none);
  const [chosenOutcomes, setOutcomes] = useState(none);
  const facets = useMemo(() => decisionFacets(index.decisions), [index.decisions]);
  const shown = useMemo(
    () => filterDecisions(index.decisions, { text, layers: chosenLayers, nodes: chosenNodes, outcomes: chosenOutcomes }),
    [index.decisions, text, chosenLayers, chosenNodes, chosenOutcomes],
  );
  if (index.decisions.length === 0) {
    return (
      <EmptyState icon={<Scale size={18} />} title="No decision yet">
        Branches, routers, gates and policies record here why they chose what they chose.
      </EmptyState>
    );
  }
  const selected = selection !== null && selection.kind !== 'run' ? selection.visit : null;
  const active = selected === null ? undefined : shown.findIndex((entry) => entry.visit === selected);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-2 border-line border-b px-3 py-1.5">
        <SearchField label="Filter decisions" value={text} onChange={setText} />
        <FacetMenu
          label="Layer"
          options={facets.layers.map((facet) => ({ ...facet, label: layerTitle(facet.id) }))}
          chosen={chosenLayers}
          onChosen={setLayers}
        />
        <FacetMenu label="Node" options={facets.nodes} chosen={chosenNodes} onChosen={setNodes} />
        <FacetMenu
          label="Outcome"
          options={facets.outcomes.map((facet) => ({ ...facet, label: facet.id }))}
          chosen={chosenOutcomes}
          onChosen={setOutcomes}
        />
        {selectedNode !== null && !chosenNodes.includes(selectedNode) && facets.nodes.some((facet) => facet.id === selectedNode) ? (
          <Button size="sm" variant="ghost" onClick={() => setNodes([selectedNode])}>
            Only {titleOf(selectedNode)}
          </Button>
        ) : null}
        <span className="tabular ml-auto text-faint text-xs">
          {shown.length === index.decisions.length ? shown.length : `${shown.length} of ${index.decisions.length}`}
        </span>
      </div>
      {shown.length === 0 ? (
        <EmptyState title="No decision passes these filters">Clear a filter to see more.</EmptyState>
      ) : (
        <VirtualList
          label="Decisions"
          items={shown}
          keyOf={(entry) => entry.seq}
          estimate={74}
          active={active}
          render={(entry) => (
            <DecisionRow
              entry={entry}
              selected={entry.visit !== undefined && entry.visit === selected}
              future={!following && entry.seq > at}
              onOpen={() => {
                if (entry.visit !== undefined) openVisit(entry.visit);
                if (!following) setMoment(entry.seq);
              }}
            />
          )}
        />
      )}
    </div>
  );
}
