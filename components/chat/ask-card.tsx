'use client';

import { useMutation } from '@tanstack/react-query';
import { CirclePause, Clock, FileQuestion, Hand, ShieldQuestion, TriangleAlert, Wrench } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import type { JsonObject, JsonSchema } from '@/harness/contract/json';
import type { OpenAsk } from '@/server/api-types';
import { messageOf } from '../state/api-error';
import { useTRPC } from '../state/trpc';
import { formBesidePlan, planFields } from '../trace/artefacts/plan-edits';
import { PlanReview } from '../trace/artefacts/plan-review';
import { shownPlan } from '../trace/artefacts/read-plan';
import { Button, type ButtonVariant } from '../ui/button';
import { Field } from '../ui/field';
import { formatDateTime, formatDuration } from '../ui/format';
import { JsonView } from '../ui/json-view';
import { Markdown } from '../ui/markdown';
import { SchemaForm } from '../ui/schema-form';
import { defaultsOf, problemsOf } from '../ui/schema-form-model';
import { Textarea } from '../ui/textarea';
import { useNow } from '../ui/use-now';

const kinds = {
  approval: { label: 'Approval', icon: ShieldQuestion },
  question: { label: 'Question', icon: FileQuestion },
  'tool-approval': { label: 'A tool asks for approval', icon: Wrench },
  'unknown-outcome': { label: 'Unknown outcome', icon: TriangleAlert },
  breakpoint: { label: 'Breakpoint', icon: Hand },
} as const;

const variantOf = (tone: 'accept' | 'reject' | 'neutral'): ButtonVariant =>
  tone === 'accept' ? 'primary' : tone === 'reject' ? 'danger-ghost' : 'secondary';

function Expiry({ at }: { at: number }) {
  const now = useNow(1000);
  return (
    <span className="tabular ml-auto inline-flex items-center gap-1 text-xs" title={formatDateTime(at)}>
      <Clock aria-hidden size={12} />
      {at <= now ? 'Expired' : `${formatDuration(at - now)} left`}
    </span>
  );
}

/** A form with the affirmative answer needs to fit its schema; a rejection does not. */
const needsForm = (ask: OpenAsk['ask'], choice: string): boolean => ask.form !== undefined && ask.choices[0]?.id === choice;

export interface AskCardProps {
  ask: OpenAsk;
  /** Called when the answer was taken, or when the question turned out to be answered elsewhere. */
  onAnswered?: () => void;
  /** Label of the node that asks. */
  from?: string;
}

/** A question to a person, answered in place. The answer carries the hash of what was shown, so it cannot be used for anything else. */
export function AskCard({ ask: open, onAnswered, from }: AskCardProps) {
  const { ask } = open;
  const trpc = useTRPC();
  const id = useId();
  const form: JsonSchema | undefined = ask.form;
  const plan = useMemo(() => shownPlan(ask.shown), [ask.shown]);
  const fields = useMemo(() => planFields(plan === null ? undefined : form), [plan, form]);
  const ownForm = useMemo(
    () =>
      form === undefined || plan === null
        ? form
        : formBesidePlan(form, fields, { tags: plan.tags, steps: [...plan.tests, ...plan.plan.steps] }),
    [form, fields, plan],
  );
  const [values, setValues] = useState<JsonObject>(() => (form ? defaultsOf(form) : {}));
  const [comment, setComment] = useState('');
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const [refusal, setRefusal] = useState<string | null>(null);
  const answer = useMutation(
    trpc.runs.answer.mutationOptions({
      onSuccess: (result) => {
        if (!result.accepted) setRefusal(result.reason ?? 'The answer was not accepted.');
        onAnswered?.();
      },
      onError: (error) => setRefusal(messageOf(error)),
    }),
  );
  const settled = answer.isSuccess && answer.data.accepted;
  const choose = (choice: string) => {
    if (form && needsForm(ask, choice)) {
      const found = problemsOf(form, values);
      setProblems(found);
      if (found.size > 0) return;
    }
    setRefusal(null);
    answer.mutate({
      id: open.runId,
      askId: open.askId,
      hash: open.hash,
      answer: {
        choice,
        by: 'person',
        ...(form === undefined ? {} : { values }),
        ...(comment.trim() === '' ? {} : { comment: comment.trim() }),
      },
    });
  };
  const kind = kinds[ask.kind];
  const wantsComment = form === undefined && (ask.kind === 'approval' || ask.kind === 'tool-approval');
  return (
    <section
      aria-labelledby={`${id}-title`}
      className="overflow-hidden rounded-lg border border-waiting/40 bg-surface"
      data-ask-id={open.askId}
    >
      <div className="flex items-center gap-1.5 bg-waiting-soft px-3 py-1.5 font-medium text-waiting text-xs">
        <kind.icon aria-hidden size={14} />
        <span className="truncate">{from ? `${kind.label} · ${from}` : kind.label}</span>
        {ask.expiresAt === undefined ? null : <Expiry at={ask.expiresAt} />}
      </div>
      <div className="flex flex-col gap-3 p-3">
        <h3 id={`${id}-title`} className="font-semibold text-base">
          {ask.title}
        </h3>
        {ask.body.trim() === '' ? null : <Markdown text={ask.body} />}
        {plan === null ? null : (
          <div data-plan className="max-h-[60vh] overflow-auto rounded-md border border-line px-3 py-2">
            <PlanReview shown={plan} body={ask.body} fields={fields} values={values} onValues={setValues} />
          </div>
        )}
        {plan !== null || ask.shown === undefined || ask.shown === null ? null : (
          <div className="max-h-80 overflow-auto rounded-md border border-line bg-sunken p-3">
            {typeof ask.shown === 'string' ? <Markdown text={ask.shown} /> : <JsonView value={ask.shown} openTo={2} />}
          </div>
        )}
        {ownForm ? (
          <SchemaForm schema={ownForm} value={values} onChange={setValues} problems={problems} disabled={answer.isPending || settled} />
        ) : null}
        {form && problems.get('') ? <p className="text-fail text-xs">{problems.get('')}</p> : null}
        {wantsComment ? (
          <Field id={`${id}-comment`} label="Comment (optional)">
            <Textarea
              id={`${id}-comment`}
              rows={2}
              className="min-h-0"
              value={comment}
              disabled={answer.isPending || settled}
              onChange={(event) => setComment(event.target.value)}
            />
          </Field>
        ) : null}
        {refusal === null ? null : (
          <p role="alert" className="text-fail">
            {refusal}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          {settled ? (
            <p role="status" className="flex items-center gap-1.5 text-muted">
              <CirclePause aria-hidden size={14} /> Answered. The run goes on.
            </p>
          ) : (
            ask.choices.map((choice) => (
              <Button
                key={choice.id}
                variant={variantOf(choice.tone)}
                busy={answer.isPending && answer.variables.answer.choice === choice.id}
                disabled={answer.isPending}
                onClick={() => choose(choice.id)}
              >
                {choice.label}
              </Button>
            ))
          )}
        </div>
      </div>
    </section>
  );
}
