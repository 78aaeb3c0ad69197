'use client';

import { ArrowDown } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Wrote } from '@/harness/trace/views/layers/conflicts';
import {
  beliefsByEvidence,
  type Cap,
  capsOf,
  capWords,
  type EvidenceReading,
  evidenceArrivals,
  evidenceOf,
  filterEvidence,
  type RestingBelief,
} from '@/harness/trace/views/layers/evidence';
import { Badge, type BadgeTone } from '../../ui/badge';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { SearchField } from '../search-field';
import { useTraceView } from '../trace-context';
import { VirtualList } from '../virtual-list';
import { LayerEmpty, VisitLink } from './parts';
import { useLayers } from './use-layers';

const reliabilityTones: Readonly<Record<string, BadgeTone>> = { HIGH: 'ok', MEDIUM: 'warn', LOW: 'skipped' };
const typeWords: Readonly<Record<string, string>> = { OBSERVATION: 'observation', INFERENCE: 'inference', SYSTEM_ERROR: 'system error' };

function EvidenceRow({
  item,
  cap,
  beliefs,
  arrival,
}: {
  item: EvidenceReading;
  cap: Cap | undefined;
  beliefs: readonly RestingBelief[];
  arrival: Wrote | undefined;
}) {
  const [whole, setWhole] = useState(false);
  const long = item.text.length > 220;
  return (
    <div className="space-y-1 border-line/70 border-b px-3 py-2 text-xs">
      <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        {cap === undefined ? (
          <Badge tone={reliabilityTones[item.reliability] ?? 'neutral'}>{item.reliability}</Badge>
        ) : (
          <Badge tone={reliabilityTones[cap.after] ?? 'neutral'} icon={<ArrowDown aria-hidden size={12} />}>
            {capWords({ ...cap, source: cap.source || item.source })}
          </Badge>
        )}
        <span className="font-medium">{item.source}</span>
        <span className={item.type === 'SYSTEM_ERROR' ? 'text-fail' : 'text-muted'}>{typeWords[item.type] ?? item.type}</span>
        <code className="truncate text-faint">{item.id}</code>
        {arrival === undefined ? null : (
          <span className="ml-auto text-faint">
            event {arrival.seq}, <VisitLink wrote={arrival} />
          </span>
        )}
      </p>
      <p className="break-words font-mono text-muted">
        {long && !whole ? `${item.text.slice(0, 220)}…` : item.text}
        {long ? (
          <button type="button" className="ml-1 rounded-sm bg-hover px-1 text-muted hover:text-ink" onClick={() => setWhole(!whole)}>
            {whole ? 'Show less' : 'Show all'}
          </button>
        ) : null}
      </p>
      {beliefs.length === 0 ? (
        <p className="text-faint">No belief rests on it.</p>
      ) : (
        <ul className="space-y-0.5">
          {beliefs.slice(0, 4).map((belief) => (
            <li key={belief.id} className="min-w-0 break-words">
              <span className="text-faint">{belief.id === item.id ? 'became the belief' : 'carries'} </span>
              {belief.statement || belief.id}
              {belief.stale ? <span className="text-warn"> (stale)</span> : null}
            </li>
          ))}
          {beliefs.length > 4 ? <li className="text-faint">and {beliefs.length - 4} more beliefs</li> : null}
        </ul>
      )}
    </div>
  );
}

const nothing: readonly RestingBelief[] = [];

/** The evidence on record at the chosen moment, newest first: how far it is trusted, what lowered it, which belief rests on it. */
export function EvidenceSection() {
  const { index } = useTraceView();
  const { points, value } = useLayers();
  const [text, setText] = useState('');
  const [onlyCapped, setOnlyCapped] = useState(false);
  const store = value('evidenceStore');
  const model = value('worldModel');
  const written = points('evidenceStore');
  const items = useMemo(() => evidenceOf(store).reverse(), [store]);
  const caps = useMemo(() => capsOf(index.decisions), [index.decisions]);
  const resting = useMemo(() => beliefsByEvidence(model), [model]);
  const arrivals = useMemo(() => evidenceArrivals(written), [written]);
  const shown = useMemo(() => filterEvidence(items, { text, onlyCapped: onlyCapped ? caps : null }), [items, text, onlyCapped, caps]);
  if (items.length === 0) return <LayerEmpty type="evidence" title="Evidence" what="evidence" />;
  const capped = items.filter((item) => caps.has(item.id)).length;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-2 border-line border-b px-3 py-1.5">
        <SearchField label="Filter evidence" value={text} onChange={setText} />
        <Button size="sm" variant={onlyCapped ? 'secondary' : 'ghost'} aria-pressed={onlyCapped} onClick={() => setOnlyCapped(!onlyCapped)}>
          Only lowered by a ceiling <span className="tabular text-faint">{capped}</span>
        </Button>
        <span className="tabular ml-auto text-faint text-xs">
          {shown.length === items.length ? items.length : `${shown.length} of ${items.length}`}
        </span>
      </div>
      {shown.length === 0 ? (
        <EmptyState title="No evidence passes the filter">
          {onlyCapped && capped === 0 ? 'No ceiling has lowered any evidence.' : 'Clear the filter to see all of it.'}
        </EmptyState>
      ) : (
        <VirtualList
          label="Evidence"
          items={shown}
          keyOf={(item) => item.id}
          estimate={76}
          render={(item) => (
            <EvidenceRow item={item} cap={caps.get(item.id)} beliefs={resting.get(item.id) ?? nothing} arrival={arrivals.get(item.id)} />
          )}
        />
      )}
    </div>
  );
}
