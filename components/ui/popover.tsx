'use client';

import { Popover as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from './cn';

export const Popover = Radix.Root;
export const PopoverTrigger = Radix.Trigger;

export function PopoverContent({ className, sideOffset = 6, collisionPadding = 8, ...rest }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        sideOffset={sideOffset}
        collisionPadding={collisionPadding}
        className={cn('z-50 animate-enter rounded-lg border border-line bg-surface p-3 shadow-pop outline-none', className)}
        {...rest}
      />
    </Radix.Portal>
  );
}
