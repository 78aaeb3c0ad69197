'use client';

import { CircleCheck, CircleDashed, CircleX, ShieldAlert } from 'lucide-react';
import { textAt, textOf } from '@/harness/trace/views/layers/read';
import { Badge } from '../../ui/badge';
import { Value } from '../details/detail-parts';
import { Doc, Fold, Grid, Head, Lines, Prose, StepStatus } from './artefact-parts';
import { By } from './document-sections';
import { attemptsOf, type CommandResult, commandResults, isUsed, memoriesOf, resultsLine, stepOutcomes, tddReading } from './read-results';
import { usePlan } from './use-plan';

function Tdd() {
  const { value, written } = usePlan();
  const tdd = tddReading(value('tddState'));
  if (tdd === null || written('tddState') === undefined) return null;
  return (
    <Doc title="Tests first" aside={<By channel="tddState" />}>
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <Badge tone={tdd.halt === '' ? 'accent' : 'fail'}>{tdd.state}</Badge>
        {tdd.halt === '' ? null : <span className="text-fail">halted: {tdd.halt}</span>}
        <span className="text-muted">{tdd.problem}</span>
      </p>
      {tdd.targeted.length === 0 ? null : (
        <Grid
          label="Commands of the tests"
          heads={['Step', 'Command']}
          rows={tdd.targeted.map(({ step, command }) => [step, <code key="command">{command}</code>])}
        />
      )}
    </Doc>
  );
}

/** What every carried-out step came to. */
export function StepsSection() {
  const steps = stepOutcomes(usePlan().value('stepResults'));
  return (
    <>
      <Tdd />
      {steps.length === 0 ? null : (
        <Doc title="Steps carried out" aside={<By channel="stepResults" />}>
          <ol aria-label="Steps carried out">
            {steps.map((step) => (
              <li key={step.number} className="flex gap-3 border-line/70 border-b py-2 text-sm last:border-b-0">
                <span className="tabular w-6 shrink-0 text-right font-medium text-muted">{step.number}</span>
                <div className="min-w-0 flex-1 space-y-1">
                  <p className="flex flex-wrap items-center gap-2">
                    <StepStatus status={step.status} />
                    <code>{step.tool}</code>
                    {step.path === '' ? null : <code className="break-all text-muted">{step.path}</code>}
                  </p>
                  <p className="break-words">{step.description}</p>
                  {textOf(step.summary).trim() === '' ? null : <Prose value={step.summary} />}
                  {step.failures.length === 0 ? null : (
                    <ul className="list-disc pl-5 text-fail">
                      {step.failures.map((reason) => (
                        <li key={reason} className="break-words">
                          {reason}
                        </li>
                      ))}
                    </ul>
                  )}
                  {step.changed.length === 0 ? null : (
                    <p className="break-words text-muted text-xs">
                      wrote <code>{step.changed.join(', ')}</code>
                    </p>
                  )}
                </div>
              </li>
            ))}
          </ol>
        </Doc>
      )}
    </>
  );
}

const verdict = (success: boolean | null) =>
  success === null
    ? { tone: 'skipped' as const, icon: CircleDashed, word: 'did not run' }
    : success
      ? { tone: 'ok' as const, icon: CircleCheck, word: 'passed' }
      : { tone: 'fail' as const, icon: CircleX, word: 'failed' };

function Command({ result }: { result: CommandResult }) {
  const look = verdict(result.success);
  return (
    <li className="space-y-1 border-line/70 border-b py-2 text-sm last:border-b-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone={look.tone} icon={<look.icon aria-hidden size={12} />} className="w-24 justify-start">
          {look.word}
        </Badge>
        <span className="w-28 font-medium">{result.title}</span>
        {result.command === '' ? <span className="text-faint">no command known</span> : <code className="break-all">{result.command}</code>}
        {result.exit === null ? null : <span className="tabular ml-auto text-faint text-xs">exit {result.exit}</span>}
      </p>
      {result.success === null || result.output === '' ? null : (
        <Fold title="Output">
          <Value value={result.output} />
        </Fold>
      )}
    </li>
  );
}

/** What formatter, linter and tests said, and every attempt at repairing it. */
export function ValidationSection() {
  const { value } = usePlan();
  const results = commandResults(value('commandSet'), value('validationResults'));
  const attempts = attemptsOf(value('validationAttempts'));
  const created = value('createdRegressionFiles');
  const regressions = Array.isArray(created) ? created.map(textOf) : [];
  return (
    <>
      {attempts.some(({ regression }) => regression) ? (
        <p role="status" className="flex items-center gap-2 rounded-md bg-fail-soft px-3 py-2 text-fail text-sm">
          <ShieldAlert aria-hidden size={16} className="shrink-0" />A regression test failed: something that worked before was broken.
        </p>
      ) : null}
      <Doc title="Validation" aside={resultsLine(results)}>
        <ul aria-label="Commands">
          {results.map((result) => (
            <Command key={result.id} result={result} />
          ))}
        </ul>
      </Doc>
      {attempts.length === 0 ? null : (
        <Doc title="Attempts at repair" aside={<By channel="validationAttempts" />}>
          <ol aria-label="Attempts at repair" className="space-y-3">
            {attempts.map((attempt) => (
              <li key={attempt.number} className="space-y-1 text-sm">
                <p className="flex flex-wrap items-center gap-2">
                  <span className="font-medium">Attempt {attempt.number}</span>
                  <Badge
                    tone={attempt.succeeded ? 'ok' : 'fail'}
                    icon={attempt.succeeded ? <CircleCheck aria-hidden size={12} /> : <CircleX aria-hidden size={12} />}
                  >
                    {attempt.succeeded ? 'repaired' : 'not repaired'}
                  </Badge>
                  <span className="tabular text-muted text-xs">
                    {attempt.before} failing before, {attempt.after} after
                  </span>
                  {attempt.regression ? <Badge tone="fail">regression</Badge> : null}
                </p>
                <p className="text-muted text-xs">failing: {attempt.failing.join(', ') || 'nothing'}</p>
                <Prose value={attempt.diagnosis} />
                {attempt.calls.length === 0 ? null : (
                  <Fold title={`Tool calls (${attempt.calls.length})`}>
                    <Lines lines={attempt.calls} />
                  </Fold>
                )}
                {attempt.output === '' ? null : (
                  <Fold title="Output that was to be repaired">
                    <Value value={attempt.output} />
                  </Fold>
                )}
              </li>
            ))}
          </ol>
        </Doc>
      )}
      {regressions.length === 0 ? null : (
        <Doc title="Regression tests of this run">
          <Lines lines={regressions} />
        </Doc>
      )}
    </>
  );
}

/** Journal, scratchpad and memories. */
export function NotesSection() {
  const { value } = usePlan();
  const journal = value('journal');
  const entries = Array.isArray(journal) ? journal : [];
  const memories = memoriesOf(value('workspaceMemories'));
  const scratchpad = value('scratchpad');
  return (
    <>
      {entries.length === 0 ? null : (
        <Doc title="Work journal" aside={<By channel="journal" />}>
          <ol className="space-y-1.5 text-sm">
            {entries.map((entry, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the journal only grows
              <li key={at} className="flex gap-2">
                <span className="w-32 shrink-0 truncate text-muted text-xs leading-5" title={textAt(entry, 'phase')}>
                  {textAt(entry, 'phase')}
                </span>
                <span className="min-w-0 break-words">{textAt(entry, 'text')}</span>
              </li>
            ))}
          </ol>
        </Doc>
      )}
      {textOf(scratchpad).trim() === '' ? null : (
        <Doc title="Scratchpad" aside={<By channel="scratchpad" />}>
          <Prose value={scratchpad} />
        </Doc>
      )}
      {memories.length === 0 ? null : (
        <Doc title="Memories" aside="kept for later runs of this flow">
          <Head title="What was learned" count={memories.length}>
            <Grid
              label="Memories"
              heads={['Memory', 'Kind', 'Status', 'Seen']}
              rows={memories.map((row) => [
                row.content,
                row.category,
                <Badge
                  key="status"
                  tone={isUsed(row.status) ? 'ok' : 'neutral'}
                  title={isUsed(row.status) ? 'Shown to models' : 'Not shown to models'}
                >
                  {row.status}
                </Badge>,
                row.seen,
              ])}
            />
          </Head>
        </Doc>
      )}
    </>
  );
}
