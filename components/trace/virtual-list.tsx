'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { cn } from '../ui/cn';

export interface VirtualListProps<T> {
  items: readonly T[];
  keyOf: (item: T) => string | number;
  render: (item: T, position: number) => ReactNode;
  /** Height of a row before it is measured, in pixels. */
  estimate: number;
  label: string;
  /** Row to bring into view when it changes. */
  active?: number | undefined;
  className?: string;
  onKeyDown?: (event: KeyboardEvent) => void;
  role?: 'list' | 'tree';
}

/** A list that has only what is on screen on the page. */
export function VirtualList<T>({
  items,
  keyOf,
  render,
  estimate,
  label,
  active,
  className,
  onKeyDown,
  role = 'list',
}: VirtualListProps<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimate,
    getItemKey: (position) => {
      const item = items[position];
      return item === undefined ? position : keyOf(item);
    },
    overscan: 12,
  });
  useEffect(() => {
    if (active !== undefined && active >= 0) virtualizer.scrollToIndex(active, { align: 'auto' });
  }, [active, virtualizer]);
  return (
    <div ref={scroller} className={cn('min-h-0 flex-1 overflow-y-auto overflow-x-hidden', className)}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it always has the role of a list or a tree */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: see above */}
      <div role={role} aria-label={label} onKeyDown={onKeyDown} className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((row) => {
          const item = items[row.index];
          if (item === undefined) return null;
          return (
            <div
              key={row.key}
              ref={virtualizer.measureElement}
              data-index={row.index}
              role={role === 'list' ? 'listitem' : 'none'}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${row.start}px)` }}
            >
              {render(item, row.index)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
