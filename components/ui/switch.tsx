'use client';

import { Switch as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from './cn';

export function Switch({ className, ...rest }: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      className={cn(
        'relative h-[18px] w-8 shrink-0 rounded-full border border-line-strong bg-pressed transition-colors disabled:opacity-50 data-[state=checked]:border-accent data-[state=checked]:bg-accent',
        className,
      )}
      {...rest}
    >
      <Radix.Thumb className="block size-3 translate-x-0.5 rounded-full bg-faint transition-transform data-[state=checked]:translate-x-[15px] data-[state=checked]:bg-on-accent" />
    </Radix.Root>
  );
}
