'use client';

import { FileMinus, FilePen, FilePlus, type LucideIcon } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { VirtualList } from '../trace/virtual-list';
import { Checkbox } from '../ui/checkbox';
import { cn } from '../ui/cn';
import { type Change, countWords, type ReadChange } from './change-words';

const kinds: Readonly<Record<Change['kind'], { icon: LucideIcon; word: string; className: string }>> = {
  added: { icon: FilePlus, word: 'new', className: 'text-ok' },
  changed: { icon: FilePen, word: 'changed', className: 'text-warn' },
  removed: { icon: FileMinus, word: 'removed', className: 'text-fail' },
};

function Counts({ read }: { read: ReadChange }) {
  const counts = countWords(read);
  if (counts === null) return <span className="shrink-0 text-faint text-xs">{read.diff === null ? 'no text' : 'many lines'}</span>;
  return (
    <span className="tabular shrink-0 font-mono text-xs">
      <span className="text-ok">{counts.added}</span> <span className="text-fail">{counts.removed}</span>
    </span>
  );
}

export interface FileListProps {
  files: readonly ReadChange[];
  /** Path whose diff is on view. */
  current: string;
  onCurrent: (path: string) => void;
  /** Paths that taking over and undoing pass by. */
  left: ReadonlySet<string>;
  onLeft: (path: string, leave: boolean) => void;
}

/** The files of a run, each with its counts. Up and down move through them. */
export function FileList({ files, current, onCurrent, left, onLeft }: FileListProps) {
  const list = useRef<HTMLDivElement>(null);
  const at = files.findIndex(({ change }) => change.path === current);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const next = files[at + step];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    // arrows also step through the moments of the page this stands in
    event.stopPropagation();
    onCurrent(next.change.path);
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('[aria-current="true"]')?.focus());
  };
  return (
    <div ref={list} className="flex min-h-0 flex-1 flex-col">
      <VirtualList
        items={files}
        keyOf={({ change }) => change.path}
        estimate={32}
        label="Changed files"
        active={at}
        onKeyDown={onKeyDown}
        render={(read) => {
          const { path, kind } = read.change;
          const look = kinds[kind];
          const name = path.slice(path.lastIndexOf('/') + 1);
          return (
            <div className={cn('flex min-w-0 items-center gap-2 px-2', path === current ? 'bg-accent-soft' : 'hover:bg-hover')}>
              <Checkbox
                aria-label={`Include ${path}`}
                checked={!left.has(path)}
                onCheckedChange={(checked) => onLeft(path, checked !== true)}
              />
              <button
                type="button"
                aria-current={path === current || undefined}
                onClick={() => onCurrent(path)}
                title={path}
                className="flex h-8 min-w-0 flex-1 items-center gap-2 text-left text-sm"
              >
                <look.icon role="img" aria-label={look.word} size={14} className={cn('shrink-0', look.className)} />
                <span className="min-w-0 flex-1 truncate">
                  {name}
                  {name === path ? null : <span className="pl-1.5 text-faint text-xs">{path.slice(0, -name.length - 1)}</span>}
                </span>
                <Counts read={read} />
              </button>
            </div>
          );
        }}
      />
    </div>
  );
}
