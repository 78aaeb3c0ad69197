'use client';

import { AlertDialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from './button';

export interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** Says what is lost and whether it can come back. */
  description: ReactNode;
  /** The verb, e.g. "Delete flow". */
  confirm: string;
  onConfirm: () => void;
  busy?: boolean;
  tone?: 'danger' | 'default';
}

/** Asked before something that cannot be undone. Cancel has the focus. */
export function ConfirmDialog({ open, onOpenChange, title, description, confirm, onConfirm, busy, tone = 'danger' }: ConfirmDialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-overlay" />
        <Radix.Content className="fixed top-[20vh] left-1/2 z-50 w-[calc(100vw-32px)] max-w-md -translate-x-1/2 rounded-lg border border-line bg-surface p-4 shadow-dialog outline-none">
          <Radix.Title className="font-semibold text-lg">{title}</Radix.Title>
          <Radix.Description className="mt-1 text-muted text-sm">{description}</Radix.Description>
          <div className="mt-5 flex justify-end gap-2">
            <Radix.Cancel asChild>
              <Button>Cancel</Button>
            </Radix.Cancel>
            <Button
              variant={tone === 'danger' ? 'danger' : 'primary'}
              {...(busy === undefined ? {} : { busy })}
              onClick={(event) => {
                event.preventDefault();
                onConfirm();
              }}
            >
              {confirm}
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
