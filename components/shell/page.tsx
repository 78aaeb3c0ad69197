import type { ReactNode } from 'react';
import { cn } from '../ui/cn';

export interface PageProps {
  title: string;
  summary?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  width?: 'narrow' | 'wide';
}

/** A page that reads from top to bottom: one heading, its actions, its sections. */
export function Page({ title, summary, actions, children, width = 'wide' }: PageProps) {
  return (
    <div className={cn('mx-auto w-full px-6 pt-8 pb-16', width === 'narrow' ? 'max-w-3xl' : 'max-w-6xl')}>
      <div className="mb-6 flex flex-wrap items-end justify-between gap-4">
        <div className="min-w-0">
          <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
          {summary ? <div className="mt-1 max-w-2xl text-base text-muted">{summary}</div> : null}
        </div>
        {actions ? <div className="flex items-center gap-2">{actions}</div> : null}
      </div>
      {children}
    </div>
  );
}

export interface SectionProps {
  id: string;
  title: string;
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
}

export function Section({ id, title, aside, children, className }: SectionProps) {
  return (
    <section aria-labelledby={id} className={cn('mb-10', className)}>
      <div className="mb-3 flex min-h-7 items-center justify-between gap-3">
        <h2 id={id} className="font-semibold text-lg">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
