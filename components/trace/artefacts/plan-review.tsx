'use client';

import type { JsonObject } from '@/harness/contract/json';
import { textOf } from '@/harness/trace/views/layers/read';
import { Head, Lines, Prose } from './artefact-parts';
import { isChosen, optionOfStep, optionOfTag, type PlanField, type PlanFields, withChoice } from './plan-edits';
import { type Mark, Steps, Tags, Warnings } from './plan-parts';
import type { ShownPlan } from './read-plan';

export interface PlanReviewProps {
  shown: ShownPlan;
  /** What the question says already; it is not said twice. */
  body: string;
  fields: PlanFields;
  values: JsonObject;
  onValues: (values: JsonObject) => void;
}

/** A plan before a person: warnings, steps, tests that are written first, what must not break; and what may be changed about it. */
export function PlanReview({ shown, body, fields, values, onValues }: PlanReviewProps) {
  const { plan, tags, tests } = shown;
  const markOf = (key: PlanField, option: string | undefined): Mark | undefined =>
    option === undefined
      ? undefined
      : {
          chosen: isChosen(values, key, option),
          set: (chosen) => onValues(withChoice(values, { key, options: fields[key] }, option, chosen)),
        };
  const summary = textOf(plan.summary).trim() === '' ? plan.scope : plan.summary;
  const warnings = shown.warnings.filter((line) => !body.includes(line));
  return (
    <div className="space-y-4">
      {body.includes(textOf(summary)) ? null : <Prose value={summary} />}
      <Warnings lines={warnings} />
      {tests.length === 0 ? null : (
        <Head title="Tests written first" count={tests.length}>
          <Steps steps={tests} label="Tests written first" drop={(step) => markOf('drop', optionOfStep(fields.drop, step))} />
        </Head>
      )}
      <Head title="Steps" count={plan.steps.length}>
        <Steps steps={plan.steps} label="Steps" drop={(step) => markOf('drop', optionOfStep(fields.drop, step))} />
      </Head>
      <Head title="Core functionality" count={tags.length}>
        <Tags
          tags={tags}
          prune={(tag) => markOf('prune', optionOfTag(fields.prune, tag))}
          promote={(tag) => markOf('promote', optionOfTag(fields.promote, tag))}
        />
      </Head>
      <Head title="Affected files" count={plan.files.length}>
        <Lines lines={plan.files} />
      </Head>
      {textOf(plan.strategy).trim() === '' ? null : (
        <Head title="Test strategy">
          <Prose value={plan.strategy} />
        </Head>
      )}
    </div>
  );
}
