'use client';

import { useMemo } from 'react';
import { numberAt, textAt, textOf, textsAt } from '@/harness/trace/views/layers/read';
import { visitOf } from '@/harness/trace/views/trace-index';
import { Badge, type BadgeTone } from '../../ui/badge';
import { useTraceView } from '../trace-context';
import { Doc, Fold, Grid, Head, Lines, Prose } from './artefact-parts';
import { By, Conventions } from './document-sections';
import { Steps, Tags, Warnings } from './plan-parts';
import { planReading, verificationSteps } from './read-plan';
import { stepOutcomes } from './read-results';
import { usePlan } from './use-plan';

const approvalTones: Readonly<Record<string, { tone: BadgeTone; words: string }>> = {
  AWAITING: { tone: 'waiting', words: 'waits for a decision' },
  REVISING: { tone: 'running', words: 'is being revised' },
  APPROVED: { tone: 'ok', words: 'approved' },
  CANCELLED: { tone: 'skipped', words: 'cancelled' },
  EXHAUSTED: { tone: 'fail', words: 'revisions used up' },
};

function Approval() {
  const { value, written } = usePlan();
  if (written('approvalState') === undefined) return null;
  const state = value('approvalState');
  const look = approvalTones[textAt(state, 'status')] ?? { tone: 'neutral' as const, words: textAt(state, 'status') };
  const feedback = textsAt(state, 'feedback');
  const revisions = numberAt(state, 'revision_count') ?? 0;
  return (
    <div className="space-y-1 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={look.tone}>{look.words}</Badge>
        <span className="text-muted text-xs">{revisions === 0 ? 'first version' : `revision ${revisions}`}</span>
      </p>
      {feedback.length === 0 ? null : (
        <Head title="Feedback" count={feedback.length}>
          <Lines lines={feedback} />
        </Head>
      )}
    </div>
  );
}

/** The plan of the chosen moment: its steps in order, what its checks warn of, and what became of each step so far. */
export function PlanSection() {
  const { index, document } = useTraceView();
  const { value, points } = usePlan();
  const plan = planReading(value('executionPlan'));
  const written = points('executionPlan');
  const types = useMemo(() => new Map((document?.nodes ?? []).map(({ id, type }) => [id, type])), [document]);
  const verification = useMemo(
    () => verificationSteps(written, (visit) => types.get(visitOf(index, visit)?.nodeId ?? '') === 'verification-steps'),
    [written, types, index],
  );
  const outcomes = new Map(stepOutcomes(value('stepResults')).map(({ number, status }) => [number, status]));
  const noticed = value('planWarnings');
  const before = Array.isArray(noticed) ? noticed.map(textOf) : [];
  if (plan === null) return before.length === 0 ? null : <Warnings lines={before} />;
  return (
    <Doc title="Execution plan" aside={<By channel="executionPlan" />}>
      <Approval />
      <Prose value={plan.summary} />
      <Warnings lines={[...plan.warnings, ...before]} />
      {plan.tests.length === 0 ? null : (
        <Head title="Tests written first" count={plan.tests.length}>
          <Steps steps={plan.tests} label="Tests written first" verification={verification} status={(number) => outcomes.get(number)} />
        </Head>
      )}
      <Head title="Steps" count={plan.steps.length}>
        <Steps steps={plan.steps} label="Steps" verification={verification} status={(number) => outcomes.get(number)} />
      </Head>
      <Head title="Core functionality" count={plan.tags.length}>
        <Tags tags={plan.tags} />
      </Head>
      <Head title="Affected files" count={plan.files.length}>
        <Lines lines={plan.files} />
      </Head>
      <Head title="Test strategy">
        <Prose value={plan.strategy} empty="None given" />
      </Head>
      <Fold title="Scope of the plan">
        <Prose value={plan.scope} empty="None given" />
      </Fold>
      {plan.names.length === 0 ? null : (
        <Fold title="Name registry">
          <Grid
            label="Name registry"
            heads={['Entity', 'Names']}
            rows={plan.names.map(({ entity, parts }) => [
              entity,
              <ul key="names">
                {parts.map((part) => (
                  <li key={part.name}>
                    <span className="text-muted">{part.name}</span> <code className="break-all">{part.value}</code>
                  </li>
                ))}
              </ul>,
            ])}
          />
        </Fold>
      )}
      {plan.conventions.length === 0 ? null : (
        <Fold title="Naming conventions">
          <Conventions rows={plan.conventions} />
        </Fold>
      )}
    </Doc>
  );
}
