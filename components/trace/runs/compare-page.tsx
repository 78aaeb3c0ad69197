'use client';

import { useQuery } from '@tanstack/react-query';
import { ArrowLeftRight } from 'lucide-react';
import Link from 'next/link';
import { useMemo, useState } from 'react';
import type { Json } from '@/harness/contract/json';
import {
  compareRuns,
  type DecisionPair,
  type RunComparison,
  type UsageName,
  type VisitDifference,
  type VisitPair,
} from '@/harness/trace/views/compare';
import { decisionLine } from '@/harness/trace/views/decision-words';
import type { VisitSpan } from '@/harness/trace/views/spans';
import { BarSlot } from '../../shell/bar-slot';
import { useTRPC } from '../../state/trpc';
import { Badge } from '../../ui/badge';
import { buttonClass } from '../../ui/button';
import { cn } from '../../ui/cn';
import { EmptyState } from '../../ui/empty-state';
import { ErrorState } from '../../ui/error-state';
import { formatCost, formatDateTime, formatDuration, formatNumber } from '../../ui/format';
import { layerColor } from '../../ui/layer-chip';
import { Skeleton } from '../../ui/skeleton';
import { StatusBadge, StatusDot } from '../../ui/status';
import { Switch } from '../../ui/switch';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../../ui/tabs';
import { Value } from '../details/detail-parts';
import { useTrace } from '../use-trace';
import { VirtualList } from '../virtual-list';

const differenceWords: Readonly<Record<VisitDifference, string>> = {
  'only-a': 'only on the left',
  'only-b': 'only on the right',
  outcome: 'outcome differs',
  port: 'left by another port',
  decision: 'decided otherwise',
  output: 'output differs',
  error: 'error differs',
};

const usageTitles: Readonly<Record<UsageName, string>> = {
  steps: 'Visits',
  modelCalls: 'Model calls',
  toolCalls: 'Tool calls',
  inputTokens: 'Tokens in',
  outputTokens: 'Tokens out',
  cost: 'Cost (known)',
  unpricedCalls: 'Calls of unknown price',
};

function VisitCell({ visit }: { visit: VisitSpan | null }) {
  if (visit === null) return <span className="flex-1 border border-line border-dashed text-center text-faint">–</span>;
  return (
    <span className="flex min-w-0 flex-1 items-center gap-2">
      <span aria-hidden className="h-3.5 w-[3px] shrink-0 rounded-full" style={{ background: layerColor(visit.layer) }} />
      <StatusDot status={visit.status} size={12} />
      <span className="truncate">{visit.label}</span>
      {visit.number > 1 ? <span className="shrink-0 text-faint">visit {visit.number}</span> : null}
      <span className="truncate text-faint">{visit.ports.join(', ')}</span>
      <span className="tabular ml-auto shrink-0 text-faint">{visit.durationMs === null ? '' : formatDuration(visit.durationMs)}</span>
    </span>
  );
}

function VisitRow({ pair, tinted }: { pair: VisitPair; tinted: boolean }) {
  const [open, setOpen] = useState(false);
  const differs = pair.differences.length > 0;
  return (
    <div className={cn('border-line/70 border-b', differs && tinted && 'bg-warn-soft/40')}>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-8 w-full items-center gap-4 px-4 py-1 text-left text-xs hover:bg-hover"
      >
        <VisitCell visit={pair.a} />
        <span className="flex w-56 shrink-0 flex-wrap justify-center gap-1">
          {differs ? (
            pair.differences.map((difference) => (
              <Badge key={difference} tone="warn">
                {differenceWords[difference]}
              </Badge>
            ))
          ) : (
            <span className="text-faint">same</span>
          )}
        </span>
        <VisitCell visit={pair.b} />
      </button>
      {open ? (
        <div className="grid grid-cols-2 gap-4 border-line/70 border-t bg-surface px-4 py-2">
          {[pair.a, pair.b].map((visit, side) => (
            <div key={side === 0 ? 'a' : 'b'} className="min-w-0 space-y-1">
              {visit?.error ? <p className="text-fail text-xs">{visit.error.message}</p> : null}
              {visit === null ? <p className="text-faint text-xs">This run has no such visit.</p> : <Value value={visit.output} />}
            </div>
          ))}
        </div>
      ) : null}
    </div>
  );
}

function DecisionRow({ pair, tinted }: { pair: DecisionPair; tinted: boolean }) {
  const side = (entry: DecisionPair['a']) =>
    entry === null ? (
      <span className="min-w-0 flex-1 text-faint">–</span>
    ) : (
      <span className="min-w-0 flex-1">
        <span className="font-medium">{entry.label}</span>
        <span className="block break-words font-mono text-muted">{decisionLine(entry.decision)}</span>
      </span>
    );
  return (
    <div className={cn('flex gap-6 border-line/70 border-b px-4 py-2 text-xs', !pair.same && tinted && 'bg-warn-soft/40')}>
      {side(pair.a)}
      {side(pair.b)}
    </div>
  );
}

function Outputs({ comparison }: { comparison: RunComparison }) {
  if (comparison.outputs.length === 0)
    return <EmptyState title="Neither run has an output">Both ended before an output was reached.</EmptyState>;
  const side = (value: Json | undefined) => (
    <div className="min-w-0 flex-1">
      {value === undefined ? <p className="text-faint text-xs">Not reached in this run.</p> : <Value value={value} />}
    </div>
  );
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {comparison.outputs.map((output) => (
        <section key={output.id} className={cn('border-line border-b px-4 py-3', !output.same && 'bg-warn-soft/40')}>
          <h2 className="mb-2 flex items-center gap-2 text-xs">
            <code>{output.id}</code>
            {output.same ? <span className="text-faint">same</span> : <Badge tone="warn">differs</Badge>}
          </h2>
          <div className="flex gap-6">
            {side(output.a)}
            {side(output.b)}
          </div>
        </section>
      ))}
    </div>
  );
}

function UsageTable({ comparison }: { comparison: RunComparison }) {
  const show = (name: UsageName, value: number): string => (name === 'cost' ? formatCost(value) : formatNumber(value));
  return (
    <table className="m-4 w-[calc(100%-32px)] max-w-xl text-left text-sm">
      <thead className="text-faint text-xs">
        <tr>
          <th className="pb-1 font-normal">Used</th>
          <th className="pb-1 text-right font-normal">Left</th>
          <th className="pb-1 text-right font-normal">Right</th>
          <th className="pb-1 text-right font-normal">Difference</th>
        </tr>
      </thead>
      <tbody>
        {comparison.usage.map(({ name, a, b }) => (
          <tr key={name} className="border-line/70 border-t">
            <td className="py-1.5 text-muted">{usageTitles[name]}</td>
            <td className="tabular py-1.5 text-right">{show(name, a)}</td>
            <td className="tabular py-1.5 text-right">{show(name, b)}</td>
            <td className={cn('tabular py-1.5 text-right', a === b ? 'text-faint' : 'text-ink')}>
              {a === b ? '=' : `${b > a ? '+' : '−'}${show(name, Math.abs(b - a))}`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Side({ id, label }: { id: string; label: string }) {
  const trpc = useTRPC();
  const run = useQuery(trpc.runs.get.queryOptions({ id }));
  return (
    <div className="flex min-w-0 flex-1 items-center gap-2 px-4">
      <span className="text-faint text-xs">{label}</span>
      {run.data === undefined ? (
        <Skeleton className="h-5 w-40" />
      ) : (
        <>
          <StatusBadge status={run.data.status} />
          <Link href={`/runs/${encodeURIComponent(id)}`} className="truncate font-medium hover:underline">
            {run.data.flowName}
          </Link>
          <span className="tabular truncate text-faint text-xs">{formatDateTime(run.data.startedAt)}</span>
        </>
      )}
    </div>
  );
}

/** Two runs side by side: aligned visits, decisions that differ, outputs and usage. */
export function ComparePage({ a, b }: { a: string; b: string }) {
  const [left, right] = [useTrace(a), useTrace(b)];
  const [onlyDifferences, setOnly] = useState(true);
  const comparison = useMemo(() => compareRuns(left.index, right.index), [left.index, right.index]);
  const problem = left.problem ?? right.problem;
  if (problem !== null) return <ErrorState title="The runs could not be compared" message={problem} className="h-full" />;
  const visits = onlyDifferences ? comparison.visits.filter((pair) => pair.differences.length > 0) : comparison.visits;
  const decisions = onlyDifferences ? comparison.decisions.filter((pair) => !pair.same) : comparison.decisions;
  const loading = !left.loaded || !right.loaded;
  const differing = {
    visits: comparison.visits.filter((pair) => pair.differences.length > 0).length,
    decisions: comparison.decisions.filter((pair) => !pair.same).length,
  };
  const same = (
    <EmptyState title={loading ? 'Reading both runs' : 'No difference here'}>
      {loading ? null : 'Turn off the filter to see everything side by side.'}
    </EmptyState>
  );
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      <BarSlot place="start">
        <h1 className="font-medium text-sm">Compare two runs</h1>
      </BarSlot>
      <div className="flex h-11 shrink-0 items-center border-line border-b">
        <Side id={a} label="Left" />
        <Link
          href={`/runs/compare?a=${encodeURIComponent(b)}&b=${encodeURIComponent(a)}`}
          aria-label="Swap sides"
          className={buttonClass('ghost', 'sm')}
        >
          <ArrowLeftRight aria-hidden size={14} />
        </Link>
        <Side id={b} label="Right" />
      </div>
      {comparison.inputSame || loading ? null : (
        <p className="shrink-0 border-line border-b bg-warn-soft px-4 py-1.5 text-warn text-xs">The two runs began with different input.</p>
      )}
      <Tabs defaultValue="visits" className="flex min-h-0 flex-1 flex-col">
        <div className="flex shrink-0 items-center justify-between border-line border-b pr-4">
          <TabsList className="border-b-0" aria-label="What to compare">
            <TabsTrigger value="visits">
              Visits <span className="tabular text-faint text-xs">{differing.visits}</span>
            </TabsTrigger>
            <TabsTrigger value="decisions">
              Decisions <span className="tabular text-faint text-xs">{differing.decisions}</span>
            </TabsTrigger>
            <TabsTrigger value="outputs">Outputs</TabsTrigger>
            <TabsTrigger value="usage">Usage</TabsTrigger>
          </TabsList>
          {/* biome-ignore lint/a11y/noLabelWithoutControl: the switch inside is the control */}
          <label className="flex items-center gap-2 text-muted text-xs">
            <Switch checked={onlyDifferences} onCheckedChange={setOnly} />
            Only differences
          </label>
        </div>
        <TabsContent value="visits" className="flex min-h-0 flex-col">
          {visits.length === 0 ? (
            same
          ) : (
            <VirtualList
              label="Visits of both runs"
              items={visits}
              keyOf={(pair) => pair.key}
              estimate={32}
              render={(pair) => <VisitRow pair={pair} tinted={!onlyDifferences} />}
            />
          )}
        </TabsContent>
        <TabsContent value="decisions" className="flex min-h-0 flex-col">
          {decisions.length === 0 ? (
            same
          ) : (
            <VirtualList
              label="Decisions of both runs"
              items={decisions}
              keyOf={(pair) => pair.key}
              estimate={52}
              render={(pair) => <DecisionRow pair={pair} tinted={!onlyDifferences} />}
            />
          )}
        </TabsContent>
        <TabsContent value="outputs" className="flex min-h-0 flex-col">
          <Outputs comparison={comparison} />
        </TabsContent>
        <TabsContent value="usage">
          <UsageTable comparison={comparison} />
        </TabsContent>
      </Tabs>
    </div>
  );
}
