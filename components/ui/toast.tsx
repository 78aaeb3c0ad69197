'use client';

import { Toaster as Sonner, toast } from 'sonner';
import { useTheme } from './theme';

export { toast };

export function Toaster() {
  const { resolved } = useTheme();
  return (
    <Sonner
      theme={resolved}
      position="bottom-right"
      gap={8}
      toastOptions={{
        classNames: {
          toast: 'rounded-lg! border! border-line! bg-surface! text-ink! shadow-pop! text-sm! font-sans!',
          description: 'text-muted!',
          actionButton: 'bg-accent! text-on-accent! rounded-md!',
          cancelButton: 'bg-hover! text-ink! rounded-md!',
          error: '[&_[data-icon]]:text-fail!',
          success: '[&_[data-icon]]:text-ok!',
          warning: '[&_[data-icon]]:text-warn!',
        },
      }}
    />
  );
}
