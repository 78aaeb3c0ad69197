import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn';
import { Spinner } from './spinner';

const variants = {
  primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border-line bg-surface text-ink shadow-card hover:bg-hover hover:border-line-strong active:bg-pressed',
  ghost: 'border-transparent bg-transparent text-muted hover:bg-hover hover:text-ink active:bg-pressed',
  danger: 'border-transparent bg-fail text-surface hover:opacity-90',
  'danger-ghost': 'border-transparent bg-transparent text-fail hover:bg-fail-soft',
} as const;

const sizes = { sm: 'h-7 px-2.5 gap-1.5 text-xs', md: 'h-8 px-3 gap-2 text-sm' } as const;

export type ButtonVariant = keyof typeof variants;
export type ButtonSize = keyof typeof sizes;

export const buttonClass = (variant: ButtonVariant = 'secondary', size: ButtonSize = 'md'): string =>
  cn(
    'inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap rounded-md border font-medium transition-colors',
    'disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50',
    variants[variant],
    sizes[size],
  );

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: ReactNode;
  /** Shows a spinner and refuses clicks until the work is done. */
  busy?: boolean;
}

export function Button({ variant, size, icon, busy = false, className, children, disabled, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={cn(buttonClass(variant, size), className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy ? <Spinner size={14} /> : icon}
      {children}
    </button>
  );
}
