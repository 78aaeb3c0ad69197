'use client';

import { CircleArrowUp, ClipboardCheck, Scissors, TriangleAlert } from 'lucide-react';
import { useId } from 'react';
import { textOf } from '@/harness/trace/views/layers/read';
import { Badge } from '../../ui/badge';
import { Checkbox } from '../../ui/checkbox';
import { cn } from '../../ui/cn';
import { Fold, Lines, NoneFound, Prose, StepStatus } from './artefact-parts';
import { type StepReading, stepKey, type TagReading } from './read-plan';

/** What the checks of a plan want a person to know; a list of its own, beside the plan. */
export function Warnings({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div className="rounded-md border border-warn/40 bg-warn-soft px-3 py-2">
      <p className="flex items-center gap-1.5 font-medium text-warn text-xs">
        <TriangleAlert aria-hidden size={14} />
        {lines.length === 1 ? '1 warning' : `${lines.length} warnings`}
      </p>
      <ul className="mt-1 list-disc space-y-0.5 pl-5 text-sm">
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries of a list of texts have no other identity
          <li key={at} className="break-words">
            {line}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A choice beside a step or a tag; absent where there is nothing to choose. */
export interface Mark {
  chosen: boolean;
  set: (chosen: boolean) => void;
}

function MarkBox({ label, what, mark }: { label: string; what: string; mark: Mark }) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-1.5 text-xs">
      <Checkbox id={id} aria-label={`${label} ${what}`} checked={mark.chosen} onCheckedChange={(checked) => mark.set(checked === true)} />
      <label htmlFor={id} className="text-muted">
        {label}
      </label>
    </span>
  );
}

function Step({
  step,
  verifies,
  status,
  drop,
}: {
  step: StepReading;
  verifies: boolean;
  status: string | undefined;
  drop: Mark | undefined;
}) {
  const dropped = drop?.chosen === true;
  return (
    <li className="flex gap-3 border-line/70 border-b py-2 [contain-intrinsic-size:auto_80px] [content-visibility:auto] last:border-b-0">
      <span className="tabular w-6 shrink-0 text-right font-medium text-muted text-sm">{step.number}</span>
      <div className={cn('min-w-0 flex-1 space-y-1', dropped && 'opacity-50')}>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Badge tone="outline" className="font-mono">
            {step.tool || 'no tool'}
          </Badge>
          {step.path === '' ? null : <code className="break-all text-sm">{step.path}</code>}
          {verifies ? (
            <Badge tone="accent" icon={<ClipboardCheck aria-hidden size={12} />}>
              verification
            </Badge>
          ) : null}
          {status === undefined ? null : <StepStatus status={status} />}
          {drop === undefined ? null : (
            <span className="ml-auto">
              <MarkBox label="Drop" what={`step ${step.number}`} mark={drop} />
            </span>
          )}
        </p>
        <Prose value={step.instruction} />
        {textOf(step.reason).trim() === '' ? null : (
          <div className="flex gap-1 text-muted text-xs">
            <span className="shrink-0">Why:</span>
            <Prose value={step.reason} className="text-xs!" />
          </div>
        )}
        {textOf(step.context).trim() === '' ? null : (
          <Fold title="Context">
            <Prose value={step.context} />
          </Fold>
        )}
        {step.checks.length + step.mayChange.length + step.mustNotChange.length === 0 ? null : (
          <Fold title="Contract">
            <div className="space-y-1">
              {step.checks.length === 0 ? null : <p className="text-muted">Proved done by</p>}
              {step.checks.length === 0 ? null : <Lines lines={step.checks} />}
              {step.mayChange.length === 0 ? null : <p className="text-muted">May change</p>}
              {step.mayChange.length === 0 ? null : <Lines lines={step.mayChange} />}
              {step.mustNotChange.length === 0 ? null : <p className="text-muted">Must not change</p>}
              {step.mustNotChange.length === 0 ? null : <Lines lines={step.mustNotChange} />}
            </div>
          </Fold>
        )}
      </div>
    </li>
  );
}

export interface StepsProps {
  steps: readonly StepReading[];
  label: string;
  /** Keys of steps that verification added. */
  verification?: ReadonlySet<string> | undefined;
  /** What each step came to so far, by its number. */
  status?: ((number: number) => string | undefined) | undefined;
  drop?: ((step: StepReading) => Mark | undefined) | undefined;
}

/** Numbered steps: tool, path, instruction and reason of each. */
export function Steps({ steps, label, verification, status, drop }: StepsProps) {
  if (steps.length === 0) return <NoneFound />;
  return (
    <ol aria-label={label}>
      {steps.map((step, at) => (
        <Step
          // biome-ignore lint/suspicious/noArrayIndexKey: a plan that breaks the rules may number two steps alike
          key={at}
          step={step}
          verifies={verification?.has(stepKey(step)) === true}
          status={status?.(step.number)}
          drop={drop?.(step)}
        />
      ))}
    </ol>
  );
}

export interface TagsProps {
  tags: readonly TagReading[];
  prune?: ((tag: TagReading) => Mark | undefined) | undefined;
  promote?: ((tag: TagReading) => Mark | undefined) | undefined;
}

/** Behaviour that must not break, with how sure that is and what told it. */
export function Tags({ tags, prune, promote }: TagsProps) {
  if (tags.length === 0) return <NoneFound />;
  return (
    <ul aria-label="Core functionality" className="space-y-1">
      {tags.map((tag) => {
        const [out, up] = [prune?.(tag), promote?.(tag)];
        const what = `${tag.entity} in ${tag.path}`;
        return (
          <li
            key={`${tag.entity} ${tag.path}`}
            className={cn('flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm', out?.chosen === true && 'opacity-50')}
          >
            <span className="font-medium">{tag.entity}</span>
            <code className="break-all text-xs">{tag.path}</code>
            <Badge
              tone={tag.confidence === 'high' ? 'accent' : 'neutral'}
              title={tag.confidence === 'high' ? 'Needs a regression test' : 'A regression test is not required'}
            >
              {tag.confidence || 'unknown'} confidence
            </Badge>
            <span className="text-faint text-xs">{tag.signal}</span>
            <span className="ml-auto flex gap-3">
              {up === undefined ? null : <MarkBox label="Promote" what={what} mark={up} />}
              {out === undefined ? null : <MarkBox label="Prune" what={what} mark={out} />}
            </span>
            <span className="basis-full break-words text-muted text-xs">
              {out?.chosen === true ? <Scissors aria-hidden size={11} className="mr-1 inline" /> : null}
              {up?.chosen === true ? <CircleArrowUp aria-hidden size={11} className="mr-1 inline" /> : null}
              {tag.reason}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
