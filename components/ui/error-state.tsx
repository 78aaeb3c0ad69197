import { CircleAlert, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button';
import { cn } from './cn';

export interface ErrorStateProps {
  /** What did not work, e.g. "The runs could not be loaded". */
  title: string;
  /** What the program said. */
  message?: string;
  onRetry?: () => void;
  action?: ReactNode;
  className?: string;
}

/** What went wrong and the one next step. */
export function ErrorState({ title, message, onRetry, action, className }: ErrorStateProps) {
  return (
    <div role="alert" className={cn('flex flex-col items-center justify-center gap-2 px-6 py-10 text-center', className)}>
      <div className="mb-1 flex size-10 items-center justify-center rounded-lg bg-fail-soft text-fail">
        <CircleAlert aria-hidden size={18} />
      </div>
      <p className="font-medium text-base text-ink">{title}</p>
      {message ? <p className="max-w-md break-words text-muted text-sm">{message}</p> : null}
      <div className="mt-2 flex gap-2">
        {onRetry ? (
          <Button icon={<RotateCw size={14} />} onClick={onRetry}>
            Try again
          </Button>
        ) : null}
        {action}
      </div>
    </div>
  );
}
