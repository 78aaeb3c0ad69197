'use client';

import { ChevronRight, CircleAlert, CircleCheck, CircleDashed, CircleX, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Json } from '@/harness/contract/json';
import { Badge, type BadgeTone } from '../../ui/badge';
import { cn } from '../../ui/cn';
import { Markdown } from '../../ui/markdown';
import { Resolved } from '../payload';

/** One artefact as a document. */
export function Doc({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="space-y-3 rounded-lg border border-line bg-surface p-3">
      <div className="flex flex-wrap items-baseline gap-x-2">
        <h3 className="font-semibold text-base">{title}</h3>
        {aside === undefined ? null : <span className="text-faint text-xs">{aside}</span>}
      </div>
      {children}
    </section>
  );
}

export function Head({ title, count, children }: { title: string; count?: number; children: ReactNode }) {
  return (
    <div className="space-y-1">
      <h4 className="font-medium text-muted text-xs">
        {title}
        {count === undefined || count === 0 ? null : <span className="tabular pl-1.5 text-faint">{count}</span>}
      </h4>
      {children}
    </div>
  );
}

/** Said in the place of a list that has no entries: that nothing was found is worth knowing. */
export const NoneFound = () => <p className="text-faint text-sm">None identified</p>;

export function Lines({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return <NoneFound />;
  return (
    <ul className="list-disc space-y-0.5 pl-5 text-sm marker:text-faint">
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries of a list of texts have no other identity
        <li key={at} className="break-words">
          {line}
        </li>
      ))}
    </ul>
  );
}

/** Text that a model wrote, as Markdown; the whole of it is fetched where it is kept apart. */
export function Prose({ value, empty, className }: { value: Json; empty?: string; className?: string }) {
  return (
    <Resolved value={value}>
      {(whole) => {
        const text = typeof whole === 'string' ? whole : '';
        if (text.trim() === '') return empty === undefined ? null : <p className="text-faint text-sm">{empty}</p>;
        return <Markdown text={text} className={cn('text-sm', className)} />;
      }}
    </Resolved>
  );
}

/** What is there on a click. */
export function Fold({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <details className="group/fold text-xs">
      <summary className="inline-flex cursor-pointer list-none items-center gap-1 rounded-sm text-muted marker:hidden hover:text-ink">
        <ChevronRight aria-hidden size={12} className="transition-transform group-open/fold:rotate-90" />
        {title}
      </summary>
      <div className="pt-1 pl-4">{children}</div>
    </details>
  );
}

const grades: Readonly<Record<string, { tone: BadgeTone; icon: LucideIcon }>> = {
  high: { tone: 'fail', icon: CircleAlert },
  medium: { tone: 'warn', icon: TriangleAlert },
  low: { tone: 'neutral', icon: CircleDashed },
};

/** How grave a risk is. */
export function Severity({ grade }: { grade: string }) {
  const look = grades[grade] ?? { tone: 'neutral', icon: CircleDashed };
  return (
    <Badge tone={look.tone} icon={<look.icon aria-hidden size={12} />} className="w-20 justify-start">
      {grade || 'unknown'}
    </Badge>
  );
}

const outcomes: Readonly<Record<string, { tone: BadgeTone; icon: LucideIcon }>> = {
  completed: { tone: 'ok', icon: CircleCheck },
  failed: { tone: 'fail', icon: CircleX },
  skipped: { tone: 'skipped', icon: CircleDashed },
};

/** What a step came to. */
export function StepStatus({ status }: { status: string }) {
  const look = outcomes[status] ?? { tone: 'neutral', icon: CircleDashed };
  return (
    <Badge tone={look.tone} icon={<look.icon aria-hidden size={12} />}>
      {status || 'unknown'}
    </Badge>
  );
}

/** Rows with named columns; a cell that holds nothing is a dash. */
export function Grid({ heads, rows, label }: { heads: readonly string[]; rows: readonly (readonly ReactNode[])[]; label: string }) {
  if (rows.length === 0) return <NoneFound />;
  return (
    <div className="overflow-x-auto rounded-md border border-line">
      <table aria-label={label} className="w-full border-collapse text-left text-sm">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className="border-line border-b bg-sunken px-2 py-1 font-medium text-muted text-xs">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of an artefact have no other identity
            <tr key={at} className="border-line/70 border-b last:border-b-0">
              {row.map((cell, column) => (
                <td key={heads[column]} className="min-w-24 break-words px-2 py-1.5 align-top">
                  {cell === '' ? <span className="text-faint">–</span> : cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
