import type { ReactNode } from 'react';
import { cn } from './cn';

export interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  /** The one next step. */
  action?: ReactNode;
  className?: string;
}

/** Says what would be here and what to do next. */
export function EmptyState({ icon, title, children, action, className }: EmptyStateProps) {
  return (
    <div className={cn('flex flex-col items-center justify-center gap-2 px-6 py-10 text-center', className)}>
      {icon ? (
        <div className="mb-1 flex size-10 items-center justify-center rounded-lg border border-line bg-sunken text-faint">{icon}</div>
      ) : null}
      <p className="font-medium text-base text-ink">{title}</p>
      {children ? <div className="max-w-sm text-muted text-sm">{children}</div> : null}
      {action ? <div className="mt-2">{action}</div> : null}
    </div>
  );
}
