import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn';
import { Tooltip } from './tooltip';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  /** What the button does; read by screen readers and shown as a tooltip. */
  label: string;
  icon: ReactNode;
  size?: 'sm' | 'md';
  /** Pressed state of a toggle. */
  pressed?: boolean;
  tone?: 'default' | 'danger';
  shortcut?: string;
  tooltipSide?: 'top' | 'right' | 'bottom' | 'left';
}

export function IconButton({
  label,
  icon,
  size = 'md',
  pressed,
  tone = 'default',
  shortcut,
  tooltipSide,
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip
      content={label}
      {...(shortcut === undefined ? {} : { shortcut })}
      {...(tooltipSide === undefined ? {} : { side: tooltipSide })}
    >
      <button
        type={type}
        aria-label={label}
        aria-pressed={pressed}
        className={cn(
          'inline-flex shrink-0 items-center justify-center rounded-md transition-colors disabled:cursor-not-allowed disabled:opacity-40',
          size === 'sm' ? 'size-7' : 'size-8',
          pressed ? 'bg-accent-soft text-accent-strong' : 'text-muted',
          tone === 'danger' ? 'hover:bg-fail-soft hover:text-fail' : !pressed && 'hover:bg-hover hover:text-ink',
          className,
        )}
        {...rest}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
