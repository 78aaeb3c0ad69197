'use client';

import { ArrowRight, Check, Circle, CircleDot, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { plainNumber } from '@/harness/trace/views/decision-words';
import { entryAt, layerValueAt } from '@/harness/trace/views/layers/history';
import {
  type LibraryReading,
  ladderOf,
  libraryReading,
  matchWords,
  observationsOf,
  type PatternReading,
  type Rung,
  type StallSignal,
  type StrategySwitch,
  stallSignals,
  strategySwitches,
} from '@/harness/trace/views/layers/recovery';
import { Badge } from '../../ui/badge';
import { cn } from '../../ui/cn';
import { useTraceView } from '../trace-context';
import { LayerEmpty, SectionTitle, VisitLink } from './parts';
import { useLayers } from './use-layers';

const rungLooks = {
  current: { icon: CircleDot, word: 'current', className: 'border-accent bg-accent-soft font-medium text-ink' },
  tried: { icon: Check, word: 'tried', className: 'border-line bg-sunken text-muted' },
  open: { icon: Circle, word: 'not tried', className: 'border-line border-dashed text-faint' },
} as const;

function Ladder({ rungs, switches }: { rungs: readonly Rung[]; switches: readonly StrategySwitch[] }) {
  return (
    <div className="space-y-2">
      <ol className="flex flex-wrap items-center gap-1" aria-label="Strategy ladder">
        {rungs.map((rung, i) => {
          const look = rungLooks[rung.state];
          return (
            <li key={rung.strategy} aria-current={rung.state === 'current' ? 'step' : undefined} className="flex items-center gap-1">
              {i === 0 ? null : <ArrowRight aria-hidden size={12} className="text-faint" />}
              <span className={cn('inline-flex h-6 items-center gap-1 rounded-md border px-2 text-xs', look.className)}>
                <look.icon aria-hidden size={12} />
                {rung.strategy.replaceAll('_', ' ').toLowerCase()}
                <span className="sr-only">, {look.word}</span>
              </span>
            </li>
          );
        })}
      </ol>
      {switches.length === 0 ? (
        <p className="text-faint text-xs">No switch so far.</p>
      ) : (
        <ol className="max-h-40 space-y-0.5 overflow-y-auto text-xs" aria-label="Switches">
          {[...switches].reverse().map((change) => (
            <li key={`${change.seq} ${change.trigger}`} className="flex min-w-0 flex-wrap gap-x-2">
              <span className="tabular w-12 shrink-0 text-right text-faint">{change.seq}</span>
              <span>
                {change.from === change.to ? `stays ${change.to}` : `${change.from} → ${change.to}`.replaceAll('_', ' ').toLowerCase()}
              </span>
              <span className="min-w-0 break-words text-muted">{change.trigger}</span>
              <span className="text-faint">
                by <VisitLink wrote={change} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function Signal({ signal }: { signal: StallSignal }) {
  const share = signal.fires <= 0 ? 0 : Math.min(1, signal.value / signal.fires);
  return (
    <li className="space-y-1 rounded-md border border-line bg-surface p-2 text-xs">
      <p className="flex items-baseline justify-between gap-2">
        <span className="font-medium">{signal.title}</span>
        {signal.fired ? (
          <Badge tone="fail" icon={<TriangleAlert aria-hidden size={12} />}>
            fires
          </Badge>
        ) : signal.fires <= 0 ? (
          <span className="text-faint">switched off</span>
        ) : (
          <span className="tabular text-muted">
            {signal.value} of {signal.fires}
          </span>
        )}
      </p>
      <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-hover">
        <div className={cn('h-full rounded-full', signal.fired ? 'bg-fail' : 'bg-warn')} style={{ width: `${share * 100}%` }} />
      </div>
      <p className="text-faint">{signal.detail}</p>
    </li>
  );
}

function Pattern({ pattern, library, affinityFrom }: { pattern: PatternReading; library: LibraryReading; affinityFrom: number }) {
  const match = pattern.matched ? library.match : null;
  return (
    <li
      className={cn(
        'space-y-1.5 rounded-md border p-2.5 text-xs',
        match === null ? 'border-line bg-surface' : 'border-accent-line bg-accent-soft',
      )}
    >
      <p className="flex min-w-0 flex-wrap items-center gap-x-2">
        <span className="font-medium">{pattern.failureClass}</span>
        <code className="text-faint">{pattern.id}</code>
        {match === null ? null : <Badge tone="accent">matched at {plainNumber(match.confidence)}</Badge>}
        {pattern.affinity === '' ? null : (
          <span className="ml-auto text-muted">suits {pattern.affinity.replaceAll('_', ' ').toLowerCase()}</span>
        )}
      </p>
      {pattern.description === '' ? null : <p className="text-muted">{pattern.description}</p>}
      <ul className="flex flex-wrap gap-1" aria-label="Symptoms">
        {pattern.symptoms.map((symptom) => (
          <li key={symptom.text}>
            <Badge tone={symptom.observed ? 'warn' : 'outline'} icon={symptom.observed ? <Check aria-hidden size={12} /> : undefined}>
              {symptom.text}
              {symptom.observed ? <span className="sr-only">, observed</span> : null}
            </Badge>
          </li>
        ))}
      </ul>
      {match === null ? null : <p className="tabular text-muted">{matchWords(pattern, match, library.observed, affinityFrom)}</p>}
    </li>
  );
}

/** Strategy ladder, stall signals and failure library at the chosen moment. */
export function RecoverySection() {
  const { at } = useTraceView();
  const { history, branch, points, value, initial, settings } = useLayers();
  const strategy = value('strategyState');
  const failures = value('failureDiagnostics');
  const strategyPoints = points('strategyState');
  const strategyStart = initial('strategyState');
  const failurePoints = points('failureDiagnostics');
  const config = settings.recovery;
  const ladder = useMemo(() => ladderOf(strategy, config), [strategy, config]);
  const switches = useMemo(() => strategySwitches(strategyPoints, strategyStart), [strategyPoints, strategyStart]);
  const signals = useMemo(() => stallSignals(strategy, failures, config.stall), [strategy, failures, config]);
  // The match was made against what had been observed by then, not against what was observed since.
  const matchedAt = entryAt(failurePoints, at)?.seq ?? at;
  const model = layerValueAt(history, { branch: branch?.id ?? '', channel: 'worldModel', seq: matchedAt });
  const library = useMemo(() => libraryReading(failures, observationsOf(model)), [failures, model]);
  if (strategyPoints.length === 0 && failurePoints.length === 0) {
    return <LayerEmpty type="recovery" title="Recovery" what="recovery" />;
  }
  const fired = signals.find((signal) => signal.fired);
  return (
    <div className="@container min-h-0 flex-1 space-y-4 overflow-y-auto p-3">
      <section className="space-y-2" aria-label="Strategy">
        <SectionTitle aside={ladder.learned ? 'in the order that earlier runs taught' : undefined}>Strategy ladder</SectionTitle>
        <Ladder rungs={ladder.rungs} switches={switches.filter((change) => change.seq <= at)} />
      </section>
      <section className="space-y-2" aria-label="Stall signals">
        <SectionTitle
          aside={
            fired === undefined ? 'none fires; a failure is repaired in place' : `${fired.title} fires: the next failure rebuilds the plan`
          }
        >
          Stall signals
        </SectionTitle>
        <ul className="grid grid-cols-1 gap-2 @min-[480px]:grid-cols-2 @min-[960px]:grid-cols-4">
          {signals.map((signal) => (
            <Signal key={signal.reason} signal={signal} />
          ))}
        </ul>
      </section>
      <section className="space-y-2" aria-label="Failures">
        <SectionTitle aside={library.failures.length === 0 ? 'none so far' : undefined}>Failures</SectionTitle>
        {library.failures.length === 0 ? null : (
          <ul className="max-h-48 space-y-0.5 overflow-y-auto text-xs">
            {[...library.failures].reverse().map((failure) => (
              <li key={failure.id} className="flex min-w-0 flex-wrap gap-x-2">
                <code className="shrink-0 text-faint">{failure.id}</code>
                <span className="font-medium">{failure.failureClass}</span>
                <span className="min-w-0 break-words text-muted">{failure.description}</span>
                {failure.kind === '' ? null : <span className="text-faint">{failure.kind.replaceAll('_', ' ')}</span>}
                {failure.handled ? <span className="text-ok">handled, weighs no more</span> : null}
              </li>
            ))}
          </ul>
        )}
      </section>
      <section className="space-y-2" aria-label="Failure library">
        <SectionTitle
          aside={
            library.match === null ? `no pattern matches the ${library.observed} observations` : `${library.match.failureClass} matches`
          }
        >
          Failure library
        </SectionTitle>
        <ul className="grid grid-cols-1 gap-2 @min-[720px]:grid-cols-2">
          {library.patterns.map((pattern) => (
            <Pattern key={pattern.id} pattern={pattern} library={library} affinityFrom={config.affinityFrom} />
          ))}
        </ul>
      </section>
    </div>
  );
}
