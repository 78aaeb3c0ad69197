import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from './cn';

export interface FieldProps {
  /** Id of the control, which should carry `aria-describedby={`${id}-note`}`. */
  id: string;
  label: string;
  children: ReactNode;
  help?: ReactNode;
  error?: string;
  required?: boolean;
  /** Stands right of the label: reset button, unit, counter. */
  aside?: ReactNode;
  className?: string;
}

/** Label, control, help and error of one form field. */
export function Field({ id, label, children, help, error, required, aside, className }: FieldProps) {
  return (
    <div className={cn('flex min-w-0 flex-col gap-1', className)}>
      <div className="flex min-h-5 items-center justify-between gap-2">
        <label htmlFor={id} className="font-medium text-muted text-xs">
          {label}
          {required ? <span className="text-faint"> (required)</span> : null}
        </label>
        {aside}
      </div>
      {children}
      {error || help ? (
        <div id={`${id}-note`} className={cn('flex items-start gap-1 text-xs', error ? 'text-fail' : 'text-faint')}>
          {error ? <CircleAlert aria-hidden size={12} className="mt-0.5 shrink-0" /> : null}
          <span className="min-w-0 break-words">{error ?? help}</span>
        </div>
      ) : null}
    </div>
  );
}
