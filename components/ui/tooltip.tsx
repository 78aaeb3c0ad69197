'use client';

import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Kbd } from './kbd';

export const TooltipProvider = ({ children }: { children: ReactNode }) => (
  <Radix.Provider delayDuration={350} skipDelayDuration={150}>
    {children}
  </Radix.Provider>
);

export interface TooltipProps {
  content: ReactNode;
  children: ReactNode;
  shortcut?: string;
  side?: 'top' | 'right' | 'bottom' | 'left';
}

/** Adds to what is already readable; never the only place where something is said. */
export function Tooltip({ content, children, shortcut, side = 'bottom' }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-60 flex max-w-72 animate-fade items-center gap-2 rounded-md bg-ink px-2 py-1 text-canvas text-xs shadow-pop"
        >
          {content}
          {shortcut ? <Kbd inverted>{shortcut}</Kbd> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
