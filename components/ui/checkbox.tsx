'use client';

import { Check, Minus } from 'lucide-react';
import { Checkbox as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from './cn';

export function Checkbox({ className, checked, ...rest }: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      {...(checked === undefined ? {} : { checked })}
      className={cn(
        'inline-flex size-4 shrink-0 items-center justify-center rounded-sm border border-line-strong bg-surface text-on-accent disabled:opacity-50 data-[state=checked]:border-accent data-[state=indeterminate]:border-accent data-[state=checked]:bg-accent data-[state=indeterminate]:bg-accent',
        className,
      )}
      {...rest}
    >
      <Radix.Indicator>
        {checked === 'indeterminate' ? <Minus aria-hidden size={12} strokeWidth={3} /> : <Check aria-hidden size={12} strokeWidth={3} />}
      </Radix.Indicator>
    </Radix.Root>
  );
}
