import type { ReactNode } from 'react';
import { cn } from './cn';

export function Kbd({ children, inverted = false }: { children: ReactNode; inverted?: boolean }) {
  return (
    <kbd
      className={cn(
        'inline-flex h-4 min-w-4 items-center justify-center rounded-sm border px-1 font-mono text-xs leading-none',
        inverted ? 'border-current/30 opacity-80' : 'border-line-strong bg-sunken text-muted',
      )}
    >
      {children}
    </kbd>
  );
}
