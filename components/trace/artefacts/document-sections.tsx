'use client';

import { Ban, CircleCheck, CircleHelp, CircleX } from 'lucide-react';
import { textAt, textOf } from '@/harness/trace/views/layers/read';
import { Badge } from '../../ui/badge';
import { CodeBlock } from '../../ui/code-block';
import { Fact, Facts } from '../details/detail-parts';
import { VisitLink } from '../layers/parts';
import { Doc, Fold, Grid, Head, Lines, NoneFound, Prose, Severity } from './artefact-parts';
import type { PlanChannel } from './plan-channels';
import { Tags } from './plan-parts';
import { clarificationsOf, designReading, type FilesReading, filesReading, scopeReading } from './read-documents';
import { usePlan } from './use-plan';

/** Which visit wrote the artefact. */
export function By({ channel }: { channel: PlanChannel }) {
  const point = usePlan().written(channel);
  return point === undefined ? null : (
    <>
      by <VisitLink wrote={point} />
    </>
  );
}

function Clarified() {
  const summary = usePlan().value('phase1Summary');
  const asked = clarificationsOf(summary);
  return (
    <Doc title="Clarification" aside={<By channel="phase1Summary" />}>
      <Prose value={typeof summary === 'object' && summary !== null && 'prose' in summary ? (summary.prose ?? '') : ''} />
      {asked.length === 0 ? (
        <p className="text-faint text-sm">No question was asked.</p>
      ) : (
        <dl className="space-y-2 text-sm">
          {asked.map(({ question, answer, outcome }) => (
            <div key={question} className="border-line-strong border-l-2 pl-3">
              <dt className="break-words font-medium">{question}</dt>
              <dd className="break-words text-muted">
                {answer || 'No answer'} {outcome === 'answered' ? null : <span className="text-faint text-xs">({outcome})</span>}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Doc>
  );
}

export function ScopeSection() {
  const { value, written } = usePlan();
  const task = value('planTask');
  const scope = scopeReading(value('scopeDocument'));
  return (
    <>
      {textAt(task, 'task').trim() === '' ? null : (
        <Doc title="Task" aside={<By channel="planTask" />}>
          <p className="whitespace-pre-wrap break-words text-sm">{textAt(task, 'task')}</p>
          {textAt(task, 'context').trim() === '' ? null : (
            <Fold title="What was known beforehand">
              <Prose value={textAt(task, 'context')} />
            </Fold>
          )}
        </Doc>
      )}
      {written('phase1Summary') === undefined ? null : <Clarified />}
      {scope === null ? null : (
        <Doc title="Scope" aside={<By channel="scopeDocument" />}>
          <Head title="Problem">
            <Prose value={scope.problem} empty="None identified" />
          </Head>
          {scope.lists.map(({ title, lines }) => (
            <Head key={title} title={title} count={lines.length}>
              <Lines lines={lines} />
            </Head>
          ))}
        </Doc>
      )}
    </>
  );
}

const assumptionIcons = { confirmed: CircleCheck, falsified: CircleX } as const;

function AssumptionStatus({ status }: { status: string }) {
  const Icon = status === 'confirmed' || status === 'falsified' ? assumptionIcons[status] : CircleHelp;
  const tone = status === 'confirmed' ? 'ok' : status === 'falsified' ? 'fail' : 'neutral';
  return (
    <Badge tone={tone} icon={<Icon aria-hidden size={12} />}>
      {status.replaceAll('_', ' ') || 'unknown'}
    </Badge>
  );
}

function Missing({ entries }: { entries: FilesReading['missing'] }) {
  if (entries.length === 0) return <NoneFound />;
  return (
    <ul className="space-y-0.5 text-sm">
      {entries.map(({ name, reason, blocking }) => (
        <li key={name} className="break-words">
          <code>{name}</code> <span className="text-muted">{reason}</span>{' '}
          {blocking ? (
            <Badge tone="fail" icon={<Ban aria-hidden size={12} />}>
              blocking
            </Badge>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function References({ entries, label }: { entries: FilesReading['references']; label: string }) {
  return (
    <Grid
      label={label}
      heads={['Dependency', 'Documentation', 'Confirmed']}
      rows={entries.map(({ dependency, version, url, patterns }) => [
        [dependency, version].filter(Boolean).join(' '),
        url === '' ? (
          ''
        ) : (
          <code key="url" className="break-all text-xs">
            {url}
          </code>
        ),
        patterns,
      ])}
    />
  );
}

export function FilesSection() {
  const { value, written } = usePlan();
  const summary = value('fileSummary');
  const found = filesReading(summary, value('observations'));
  if (found === null) return null;
  const whole = written('fileSummary') !== undefined && summary !== null;
  return (
    <Doc title="Files" aside={whole ? <By channel="fileSummary" /> : 'recorded so far; the summary is not written yet'}>
      <Grid
        label="Files"
        heads={['File', 'Role', 'Why', 'Where in it']}
        rows={found.files.map(({ path, role, reason, sections, snippets }) => [
          <code key="path" className="break-all text-xs">
            {path}
          </code>,
          role,
          <div key="why" className="space-y-1">
            <p>{reason}</p>
            {snippets.length === 0 ? null : (
              <Fold title={snippets.length === 1 ? '1 passage' : `${snippets.length} passages`}>
                {snippets.map((snippet) => (
                  <CodeBlock key={snippet} code={snippet} />
                ))}
              </Fold>
            )}
          </div>,
          sections,
        ])}
      />
      {whole ? (
        <>
          <Head title="Missing infrastructure" count={found.missing.length}>
            <Missing entries={found.missing} />
          </Head>
          <Head title="Assumptions" count={found.assumptions.length}>
            <Grid
              label="Assumptions"
              heads={['Assumption', 'Status', 'Evidence']}
              rows={found.assumptions.map(({ assumption, status, evidence }) => [
                assumption,
                <AssumptionStatus key="status" status={status} />,
                evidence,
              ])}
            />
          </Head>
          <Head title="Verified references" count={found.references.length}>
            <References entries={found.references} label="Verified references" />
          </Head>
          <Head title="How the workspace tests">
            {found.testing === null ? (
              <p className="text-faint text-sm">Nobody looked at it.</p>
            ) : (
              <div className="space-y-2">
                <Facts>
                  {found.testing.facts.map(({ name, value: text }) => (
                    <Fact key={name} name={name}>
                      {text}
                    </Fact>
                  ))}
                </Facts>
                {found.testing.coverage.length === 0 ? null : <Lines lines={found.testing.coverage} />}
                {found.testing.excerpt === '' ? null : (
                  <Fold title="How assertions look">
                    <CodeBlock code={found.testing.excerpt} />
                  </Fold>
                )}
              </div>
            )}
          </Head>
          {textOf(found.notes).trim() === '' ? null : (
            <Head title="Notes">
              <Prose value={found.notes} />
            </Head>
          )}
        </>
      ) : null}
    </Doc>
  );
}

export function DesignSection() {
  const design = designReading(usePlan().value('designAndRisks'));
  if (design === null) return null;
  return (
    <Doc title="Design and risks" aside={<By channel="designAndRisks" />}>
      <Head title="Critical risks" count={design.risks.length}>
        {design.risks.length === 0 ? (
          <NoneFound />
        ) : (
          <ul className="space-y-1.5 text-sm">
            {design.risks.map(({ risk, severity, mitigation }) => (
              <li key={risk} className="flex gap-2">
                <Severity grade={severity} />
                <span className="min-w-0 break-words">
                  {risk}
                  {mitigation === '' ? null : <span className="block text-muted text-xs">{mitigation}</span>}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Head>
      <Head title="Core functionality" count={design.tags.length}>
        <Tags tags={design.tags} />
      </Head>
      <Head title="Change designs" count={design.designs.length}>
        <Grid
          label="Change designs"
          heads={['File', 'Decisions']}
          rows={design.designs.map(({ path, decisions }) => [
            <code key="path" className="break-all text-xs">
              {path}
            </code>,
            decisions,
          ])}
        />
      </Head>
      <Head title="Missing files" count={design.missing.length}>
        <Missing entries={design.missing} />
      </Head>
      <Head title="Dependency order" count={design.order.length}>
        <Lines lines={design.order.map(({ path, after, reason }) => `${path} after ${after}${reason === '' ? '' : ` – ${reason}`}`)} />
      </Head>
      <Head title="Naming conventions" count={design.conventions.length}>
        <Conventions rows={design.conventions} />
      </Head>
      <Head title="Citations" count={design.citations.length}>
        <References entries={design.citations} label="Citations" />
      </Head>
      {textOf(design.notes).trim() === '' ? null : (
        <Head title="Notes">
          <Prose value={design.notes} />
        </Head>
      )}
    </Doc>
  );
}

export function Conventions({ rows }: { rows: readonly { category: string; pattern: string; source: string }[] }) {
  return (
    <Grid
      label="Naming conventions"
      heads={['Category', 'Pattern', 'Seen in']}
      rows={rows.map(({ category, pattern, source }) => [
        category,
        <code key="pattern">{pattern}</code>,
        source === '' ? (
          ''
        ) : (
          <code key="source" className="break-all text-xs">
            {source}
          </code>
        ),
      ])}
    />
  );
}
