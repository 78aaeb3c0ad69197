'use client';

import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from './cn';
import { IconButton } from './icon-button';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, the confirming one last. */
  footer?: ReactNode;
  size?: 'sm' | 'md' | 'lg' | 'xl';
}

const firstControl = ['input:not([disabled])', 'textarea:not([disabled])', 'button:not([disabled])']
  .map((selector) => `[data-dialog-body] ${selector}`)
  .join(', ');

const widths = { sm: 'max-w-sm', md: 'max-w-lg', lg: 'max-w-3xl', xl: 'max-w-6xl' } as const;

/** A modal: focus stays inside, Escape closes, focus returns to where it was. */
export function Dialog({ open, onOpenChange, title, description, children, footer, size = 'md' }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-overlay" />
        <Radix.Content
          {...(description ? {} : { 'aria-describedby': undefined })}
          onOpenAutoFocus={(event) => {
            // The first control of the body, not the close button above it.
            const first = event.currentTarget instanceof HTMLElement ? event.currentTarget.querySelector(firstControl) : null;
            if (!(first instanceof HTMLElement)) return;
            event.preventDefault();
            first.focus();
          }}
          className={cn(
            'fixed top-[12vh] left-1/2 z-50 flex max-h-[76vh] w-[calc(100vw-32px)] -translate-x-1/2 flex-col rounded-lg border border-line bg-surface shadow-dialog outline-none',
            widths[size],
          )}
        >
          <div className="flex items-start justify-between gap-4 px-4 pt-4">
            <div className="min-w-0">
              <Radix.Title className="font-semibold text-lg">{title}</Radix.Title>
              {description ? <Radix.Description className="mt-1 text-muted text-sm">{description}</Radix.Description> : null}
            </div>
            <Radix.Close asChild>
              <IconButton label="Close" icon={<X size={16} />} size="sm" className="-mt-1 -mr-1" />
            </Radix.Close>
          </div>
          <div data-dialog-body className="min-h-0 flex-1 overflow-auto px-4 py-4">
            {children}
          </div>
          {footer ? <div className="flex justify-end gap-2 border-line border-t px-4 py-3">{footer}</div> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
