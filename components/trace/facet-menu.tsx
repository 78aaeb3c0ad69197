'use client';

import { ListFilter } from 'lucide-react';
import { buttonClass } from '../ui/button';
import { cn } from '../ui/cn';
import {
  DropdownMenu,
  DropdownMenuCheckboxItem,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../ui/dropdown-menu';

export interface FacetOption {
  id: string;
  label: string;
  count: number;
}

export interface FacetMenuProps {
  label: string;
  options: readonly FacetOption[];
  chosen: readonly string[];
  onChosen: (chosen: string[]) => void;
}

/** Filter by any of several values; nothing chosen filters nothing. */
export function FacetMenu({ label, options, chosen, onChosen }: FacetMenuProps) {
  if (options.length < 2 && chosen.length === 0) return null;
  const toggle = (id: string): void => onChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  return (
    <DropdownMenu>
      <DropdownMenuTrigger className={cn(buttonClass('secondary', 'sm'), chosen.length > 0 && 'border-accent-line bg-accent-soft')}>
        <ListFilter aria-hidden size={12} />
        {label}
        {chosen.length > 0 ? <span className="tabular text-accent-strong">{chosen.length}</span> : null}
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" className="max-h-80 overflow-y-auto">
        {options.map((option) => (
          <DropdownMenuCheckboxItem
            key={option.id}
            checked={chosen.includes(option.id)}
            onCheckedChange={() => toggle(option.id)}
            onSelect={(event) => event.preventDefault()}
          >
            <span className="truncate">{option.label}</span>
            <span className="tabular ml-auto pl-6 text-faint text-xs">{option.count}</span>
          </DropdownMenuCheckboxItem>
        ))}
        {chosen.length > 0 ? (
          <>
            <DropdownMenuSeparator />
            <DropdownMenuItem onSelect={() => onChosen([])}>Clear</DropdownMenuItem>
          </>
        ) : null}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
