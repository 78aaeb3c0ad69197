import type { ComponentProps } from 'react';
import { cn } from './cn';

/** Shared look of text-like controls; `aria-invalid` turns the border to the fail colour. */
export const controlClass =
  'w-full min-w-0 rounded-md border border-line bg-surface px-2.5 text-ink text-sm transition-colors hover:border-line-strong focus-visible:border-ring disabled:cursor-not-allowed disabled:bg-sunken disabled:text-faint aria-invalid:border-fail';

export function Input({ className, type = 'text', ...rest }: ComponentProps<'input'>) {
  return <input type={type} className={cn(controlClass, 'h-8', className)} {...rest} />;
}
