import type { ComponentProps } from 'react';
import { cn } from './cn';

/** A region that scrolls by itself and can be reached by keyboard (WCAG 2.1.1). Native scrolling: virtual lists and wheel zoom rely on it. */
export function ScrollArea({ className, label, ...rest }: ComponentProps<'section'> & { label?: string }) {
  const reachable = { tabIndex: 0 };
  return (
    <section
      aria-label={label}
      className={cn('min-h-0 overflow-auto overscroll-contain focus-visible:outline-offset-[-2px]', className)}
      {...reachable}
      {...rest}
    />
  );
}
