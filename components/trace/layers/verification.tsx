'use client';

import { CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import { useMemo } from 'react';
import { placeAt } from '@/harness/trace/views/layers/history';
import {
  type CheckCommand,
  type CheckReading,
  type CheckWord,
  checkCommands,
  type VerificationEntry,
  verificationEntries,
} from '@/harness/trace/views/layers/verification';
import { visitOf } from '@/harness/trace/views/trace-index';
import { Badge, type BadgeTone } from '../../ui/badge';
import { cn } from '../../ui/cn';
import { formatDuration } from '../../ui/format';
import { Value } from '../details/detail-parts';
import { useTraceView } from '../trace-context';
import { LayerEmpty, VisitDecisions, VisitLink } from './parts';
import { useLayers } from './use-layers';

const looks: Readonly<Record<CheckWord, { tone: BadgeTone; icon: typeof CircleCheck }>> = {
  PASS: { tone: 'ok', icon: CircleCheck },
  FAIL: { tone: 'fail', icon: CircleX },
  'not verified': { tone: 'skipped', icon: CircleDashed },
};

function exitWords(command: CheckCommand): string {
  if (!command.found) return 'no command found';
  if (command.timedOut) return 'stopped at its time limit';
  return command.exitCode === null ? 'did not end' : `exit ${command.exitCode}`;
}

function Command({ command }: { command: CheckCommand }) {
  const facts = [
    exitWords(command),
    command.counts === null ? '' : `${command.counts.passed} passed, ${command.counts.failed} failed`,
    command.durationMs === null ? '' : formatDuration(command.durationMs),
  ].filter(Boolean);
  return (
    <details className="group rounded-md border border-line bg-surface">
      <summary className="flex cursor-pointer flex-wrap items-center gap-x-2 px-2 py-1 text-xs">
        <code className="min-w-0 break-all">{command.command || command.reason || 'run_check'}</code>
        <span className="tabular text-faint">{facts.join(' · ')}</span>
        <span className="ml-auto text-muted underline underline-offset-2 group-open:hidden">Show output</span>
        <span className="ml-auto hidden text-muted underline underline-offset-2 group-open:inline">Hide output</span>
      </summary>
      <div className="space-y-1 border-line border-t p-2">
        {command.reason === '' ? null : <p className="text-faint text-xs">{command.reason}</p>}
        <Value value={command.output} />
      </div>
    </details>
  );
}

function Check({ check, command }: { check: CheckReading; command: CheckCommand | undefined }) {
  const look = looks[check.status];
  return (
    <li className="space-y-1.5 border-line/70 border-b px-3 py-2 text-xs last:border-b-0">
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-2 gap-y-1">
        <Badge tone={look.tone} icon={<look.icon aria-hidden size={12} />} className="w-28 justify-start self-center">
          {check.status}
        </Badge>
        <span className="w-36 font-medium">{check.title}</span>
        <span className={cn('min-w-0 flex-1 break-words', check.status === 'FAIL' ? 'text-ink' : 'text-muted')}>{check.detail}</span>
        <span className="text-faint">{check.tier}</span>
      </div>
      {check.evidenceIds.length > 0 ? (
        <p className="break-words text-faint">
          rests on <code>{check.evidenceIds.join(', ')}</code>
        </p>
      ) : null}
      {command === undefined ? null : <Command command={command} />}
    </li>
  );
}

/** Every verification so far, the one of the chosen moment marked. */
function Entries({ entries, current }: { entries: readonly VerificationEntry[]; current: number }) {
  const { index, setMoment } = useTraceView();
  return (
    <ol className="flex max-h-24 flex-wrap gap-1 overflow-y-auto" aria-label="Verifications over the run">
      {entries.map((entry, i) => (
        <li key={entry.seq}>
          <button
            type="button"
            aria-current={i === current || undefined}
            title={`Event ${entry.seq}`}
            onClick={() => setMoment(entry.seq >= index.last ? null : entry.seq)}
            className={cn(
              'inline-flex h-6 items-center gap-1 rounded-md border px-1.5 text-xs',
              i === current ? 'border-accent bg-accent-soft' : 'border-line bg-surface hover:bg-hover',
              i > current && 'opacity-50',
            )}
          >
            {entry.reading.failed > 0 ? (
              <CircleX role="img" size={12} className="text-fail" aria-label="failed" />
            ) : (
              <CircleCheck role="img" size={12} className="text-ok" aria-label="passed" />
            )}
            {entry.reading.taskId || `event ${entry.seq}`}
          </button>
        </li>
      ))}
    </ol>
  );
}

/** The nine checks of the last verification at the chosen moment. A check that could not be made is not verified, never passed. */
export function VerificationSection() {
  const { index, at } = useTraceView();
  const { points } = useLayers();
  const written = points('verification');
  const entries = useMemo(() => verificationEntries(written), [written]);
  const current = placeAt(entries, at);
  const entry = entries[current];
  const commands = useMemo(() => checkCommands(index, visitOf(index, entry?.visit)), [index, entry]);
  if (entry === undefined) return <LayerEmpty type="verification" title="Verification" what="verification" />;
  const { reading } = entry;
  return (
    <div className="min-h-0 flex-1 space-y-3 overflow-y-auto p-3">
      {entries.length > 1 ? <Entries entries={entries} current={current} /> : null}
      <div className="space-y-1 text-xs">
        <p className="flex flex-wrap items-center gap-2">
          <Badge
            tone={reading.failed > 0 ? 'fail' : 'ok'}
            icon={reading.failed > 0 ? <CircleX aria-hidden size={12} /> : <CircleCheck aria-hidden size={12} />}
          >
            {reading.failed > 0 ? 'Failed' : 'Nothing failed'}
          </Badge>
          <span className="tabular text-muted">
            {reading.verified} verified, {reading.failed} failed, {reading.unverified} not verified
          </span>
          {reading.taskId === '' ? null : <span className="text-muted">task {reading.taskId}</span>}
          {reading.adversarial === null ? null : (
            <span className={reading.adversarial ? 'text-ok' : 'text-fail'}>
              {reading.adversarial ? 'the best rival explanation is refuted' : 'the best rival explanation stands'}
            </span>
          )}
          <span className="text-faint">
            by <VisitLink wrote={entry} />
          </span>
        </p>
        {reading.verified === 0 && reading.failed === 0 ? (
          <p className="text-warn">
            Nothing was verified: no check had anything to decide by. Give the workspace a test command or the node a judge.
          </p>
        ) : null}
        <VisitDecisions visit={entry.visit} limit={2} />
      </div>
      <ul className="rounded-lg border border-line bg-surface" aria-label="Nine checks">
        {reading.checks.map((check) => (
          <Check key={check.name} check={check} command={commands.get(check.name)} />
        ))}
      </ul>
    </div>
  );
}
