import type { Decision, Reason } from '@/harness/contract/decision';
import { distanceWords, plainValue, sideWords } from '@/harness/trace/views/decision-words';
import { cn } from '../ui/cn';

/** One thing a rule looked at: a number against its threshold, or a fact that may run over several lines. */
function ReasonRow({ reason }: { reason: Reason }) {
  if (reason.operator === undefined || reason.threshold === undefined) {
    return (
      <div className="flex min-w-0 gap-x-2 font-mono text-xs">
        <dt className="max-w-[45%] shrink-0 truncate text-muted" title={reason.name}>
          {reason.name}
        </dt>
        <dd className="tabular min-w-0 break-words text-ink">{plainValue(reason.value, 400)}</dd>
      </div>
    );
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto_auto_auto] items-baseline gap-x-2 font-mono text-xs">
      <dt className="truncate text-muted" title={reason.name}>
        {reason.name}
      </dt>
      <dd className="tabular max-w-48 truncate text-ink" title={plainValue(reason.value, 400)}>
        {plainValue(reason.value)}
      </dd>
      <dd className={cn('tabular', reason.holds === false ? 'text-faint' : 'text-muted')}>
        {reason.holds === false ? 'not ' : ''}
        {reason.operator} {plainValue(reason.threshold)}
      </dd>
      <dd className="tabular min-w-20 text-right text-faint">{sideWords(reason)}</dd>
    </div>
  );
}

/** A decision in full: rule, numbers against thresholds, how near the other outcome was, what it would have taken. */
export function DecisionView({ decision }: { decision: Decision }) {
  const distance = distanceWords(decision);
  return (
    <div className="space-y-2">
      <p className="text-sm">
        <span className="text-muted">{decision.rule}</span> <span aria-hidden>→</span>{' '}
        <span className="font-medium">{decision.outcome}</span>
        {distance === null ? null : <span className="text-faint"> · {distance}</span>}
      </p>
      {decision.because.length > 0 ? (
        <dl className="space-y-0.5 rounded-md border border-line bg-sunken px-2 py-1.5">
          {decision.because.map((reason, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: reasons of a recorded decision never move
            <ReasonRow key={i} reason={reason} />
          ))}
        </dl>
      ) : null}
      {decision.alternatives.length > 0 ? (
        <ul className="space-y-0.5 text-xs">
          {decision.alternatives.map((alternative) => (
            <li key={`${alternative.outcome} ${alternative.needs}`}>
              <span className="font-medium text-muted">{alternative.outcome}</span>
              <span className="text-faint">{alternative.needs === '' ? ' was possible' : ` would have needed ${alternative.needs}`}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {decision.note ? <p className="text-muted text-xs">{decision.note}</p> : null}
    </div>
  );
}
