'use client';

import { Check, ChevronDown } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import { cn } from './cn';
import { controlClass } from './input';

export interface SelectOption {
  value: string;
  label: string;
  hint?: string;
  disabled?: boolean;
}

export interface SelectProps {
  /** Empty string shows the placeholder. */
  value: string;
  onValueChange: (value: string) => void;
  options: readonly SelectOption[];
  placeholder?: string;
  id?: string;
  disabled?: boolean;
  'aria-label'?: string;
  'aria-invalid'?: boolean;
  'aria-describedby'?: string;
  className?: string;
}

/** One choice of several. Option values must not be empty (Radix reserves the empty string). */
export function Select({ value, onValueChange, options, placeholder = 'Choose', className, disabled, ...rest }: SelectProps) {
  return (
    <Radix.Root value={value} onValueChange={onValueChange} {...(disabled === undefined ? {} : { disabled })}>
      <Radix.Trigger
        className={cn(controlClass, 'flex h-8 items-center justify-between gap-2 text-left data-placeholder:text-faint', className)}
        {...rest}
      >
        <span className="truncate">
          <Radix.Value placeholder={placeholder} />
        </span>
        <ChevronDown aria-hidden size={14} className="shrink-0 text-faint" />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-80 min-w-(--radix-select-trigger-width) animate-enter overflow-hidden rounded-lg border border-line bg-surface p-1 shadow-pop"
        >
          <Radix.Viewport>
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                {...(option.disabled ? { disabled: true } : {})}
                className="flex cursor-default select-none items-center gap-2 rounded-md py-1 pr-2 pl-7 text-sm outline-none data-disabled:opacity-40 data-highlighted:bg-hover"
              >
                <Radix.ItemIndicator className="-ml-5 absolute">
                  <Check aria-hidden size={14} className="text-accent" />
                </Radix.ItemIndicator>
                <Radix.ItemText>{option.label}</Radix.ItemText>
                {option.hint ? <span className="ml-auto pl-4 text-faint text-xs">{option.hint}</span> : null}
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
