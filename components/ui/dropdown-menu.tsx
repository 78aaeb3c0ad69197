'use client';

import { Check } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn';
import { Kbd } from './kbd';
import { menuContentClass, menuDangerClass, menuItemClass, menuLabelClass, menuSeparatorClass } from './menu-style';

export const DropdownMenu = Radix.Root;
export const DropdownMenuTrigger = Radix.Trigger;
export const DropdownMenuRadioGroup = Radix.RadioGroup;

export function DropdownMenuContent({ className, ...rest }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content collisionPadding={8} className={cn(menuContentClass, className)} {...rest} />
    </Radix.Portal>
  );
}

export interface DropdownMenuItemProps extends ComponentProps<typeof Radix.Item> {
  icon?: ReactNode;
  shortcut?: string;
  tone?: 'default' | 'danger';
}

export function DropdownMenuItem({ icon, shortcut, tone = 'default', className, children, ...rest }: DropdownMenuItemProps) {
  return (
    <Radix.Item className={cn(menuItemClass, tone === 'danger' && menuDangerClass, className)} {...rest}>
      {icon ? <span className="shrink-0 opacity-70">{icon}</span> : null}
      {children}
      {shortcut ? (
        <span className="ml-auto pl-6">
          <Kbd>{shortcut}</Kbd>
        </span>
      ) : null}
    </Radix.Item>
  );
}

export function DropdownMenuCheckboxItem({ className, children, ...rest }: ComponentProps<typeof Radix.CheckboxItem>) {
  return (
    <Radix.CheckboxItem className={cn(menuItemClass, 'pl-7', className)} {...rest}>
      <Radix.ItemIndicator className="absolute left-2">
        <Check aria-hidden size={14} className="text-accent" />
      </Radix.ItemIndicator>
      {children}
    </Radix.CheckboxItem>
  );
}

export function DropdownMenuRadioItem({ className, children, ...rest }: ComponentProps<typeof Radix.RadioItem>) {
  return (
    <Radix.RadioItem className={cn(menuItemClass, 'pl-7', className)} {...rest}>
      <Radix.ItemIndicator className="absolute left-2">
        <Check aria-hidden size={14} className="text-accent" />
      </Radix.ItemIndicator>
      {children}
    </Radix.RadioItem>
  );
}

export const DropdownMenuLabel = ({ children }: { children: ReactNode }) => (
  <Radix.Label className={menuLabelClass}>{children}</Radix.Label>
);
export const DropdownMenuSeparator = () => <Radix.Separator className={menuSeparatorClass} />;
