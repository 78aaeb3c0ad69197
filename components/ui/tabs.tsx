'use client';

import { Tabs as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from './cn';

export const Tabs = Radix.Root;

export function TabsList({ className, ...rest }: ComponentProps<typeof Radix.List>) {
  return <Radix.List className={cn('flex items-center gap-1 border-line border-b px-2', className)} {...rest} />;
}

export function TabsTrigger({ className, ...rest }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      className={cn(
        '-mb-px inline-flex h-9 items-center gap-1.5 border-transparent border-b-2 px-2 text-muted text-sm transition-colors hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink',
        className,
      )}
      {...rest}
    />
  );
}

export function TabsContent({ className, ...rest }: ComponentProps<typeof Radix.Content>) {
  return <Radix.Content className={cn('min-h-0 flex-1 outline-none', className)} {...rest} />;
}
