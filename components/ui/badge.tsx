import type { ReactNode } from 'react';
import { cn } from './cn';

const tones = {
  neutral: 'bg-hover text-muted',
  accent: 'bg-accent-soft text-accent-strong',
  running: 'bg-running-soft text-running',
  ok: 'bg-ok-soft text-ok',
  warn: 'bg-warn-soft text-warn',
  fail: 'bg-fail-soft text-fail',
  waiting: 'bg-waiting-soft text-waiting',
  skipped: 'bg-skipped-soft text-skipped',
  outline: 'border border-line text-muted',
} as const;

export type BadgeTone = keyof typeof tones;

export interface BadgeProps {
  children: ReactNode;
  tone?: BadgeTone;
  icon?: ReactNode;
  className?: string;
  title?: string;
}

export function Badge({ children, tone = 'neutral', icon, className, title }: BadgeProps) {
  return (
    <span
      title={title}
      className={cn(
        'inline-flex h-5 shrink-0 items-center gap-1 whitespace-nowrap rounded-sm px-1.5 font-medium text-xs',
        tones[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  );
}
