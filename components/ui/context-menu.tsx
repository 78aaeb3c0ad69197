'use client';

import { Check } from 'lucide-react';
import { ContextMenu as Radix } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn';
import { Kbd } from './kbd';
import { menuContentClass, menuDangerClass, menuItemClass, menuLabelClass, menuSeparatorClass } from './menu-style';

export const ContextMenu = Radix.Root;
export const ContextMenuTrigger = Radix.Trigger;
export const ContextMenuSub = Radix.Sub;
export const ContextMenuRadioGroup = Radix.RadioGroup;

export function ContextMenuContent({ className, ...rest }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content collisionPadding={8} className={cn(menuContentClass, className)} {...rest} />
    </Radix.Portal>
  );
}

export interface ContextMenuItemProps extends ComponentProps<typeof Radix.Item> {
  icon?: ReactNode;
  shortcut?: string;
  tone?: 'default' | 'danger';
}

export function ContextMenuItem({ icon, shortcut, tone = 'default', className, children, ...rest }: ContextMenuItemProps) {
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

export function ContextMenuCheckboxItem({ className, children, ...rest }: ComponentProps<typeof Radix.CheckboxItem>) {
  return (
    <Radix.CheckboxItem className={cn(menuItemClass, 'pl-7', className)} {...rest}>
      <Radix.ItemIndicator className="absolute left-2">
        <Check aria-hidden size={14} className="text-accent" />
      </Radix.ItemIndicator>
      {children}
    </Radix.CheckboxItem>
  );
}

export function ContextMenuRadioItem({ className, children, ...rest }: ComponentProps<typeof Radix.RadioItem>) {
  return (
    <Radix.RadioItem className={cn(menuItemClass, 'pl-7', className)} {...rest}>
      <Radix.ItemIndicator className="absolute left-2">
        <Check aria-hidden size={14} className="text-accent" />
      </Radix.ItemIndicator>
      {children}
    </Radix.RadioItem>
  );
}

export const ContextMenuLabel = ({ children }: { children: ReactNode }) => <Radix.Label className={menuLabelClass}>{children}</Radix.Label>;
export const ContextMenuSeparator = () => <Radix.Separator className={menuSeparatorClass} />;

export const ContextMenuSubTrigger = ({ children }: { children: ReactNode }) => (
  <Radix.SubTrigger className={cn(menuItemClass, 'data-[state=open]:bg-hover')}>
    {children}
    <span aria-hidden className="ml-auto pl-4 text-faint">
      ›
    </span>
  </Radix.SubTrigger>
);

export const ContextMenuSubContent = ({ children }: { children: ReactNode }) => (
  <Radix.Portal>
    <Radix.SubContent sideOffset={4} className={menuContentClass}>
      {children}
    </Radix.SubContent>
  </Radix.Portal>
);
