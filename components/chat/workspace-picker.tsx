'use client';

import { useQuery } from '@tanstack/react-query';
import { Check, Folder, TriangleAlert } from 'lucide-react';
import { useId, useState } from 'react';
import { messageOf } from '../state/api-error';
import { useTRPC, useTRPCClient } from '../state/trpc';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Popover, PopoverContent, PopoverTrigger } from '../ui/popover';
import type { WorkspaceMode } from './local-memory';

export interface WorkspacePickerProps {
  /** A sample's id, an absolute folder, or the empty text for none. */
  value: string;
  onChange: (value: string) => void;
  mode: WorkspaceMode;
  onMode: (mode: WorkspaceMode) => void;
}

const modes: readonly { id: WorkspaceMode; title: string; detail: string }[] = [
  { id: 'copy', title: 'A copy', detail: 'The folder stays as it is until you take changes over.' },
  { id: 'worktree', title: 'A git worktree', detail: 'Begins at the last commit; changes not committed are not in it.' },
  { id: 'folder', title: 'The folder itself', detail: 'Every write goes straight into your files.' },
];

/** Where tools that may write do so. */
function WorkIn({ mode, onMode }: Pick<WorkspacePickerProps, 'mode' | 'onMode'>) {
  const name = useId();
  return (
    <fieldset className="mt-3 border-line border-t pt-3">
      <legend className="sr-only">Work in</legend>
      <p aria-hidden className="mb-1 font-medium text-xs">
        Work in
      </p>
      {modes.map(({ id, title, detail }) => (
        <label key={id} className="flex cursor-pointer items-start gap-2 rounded-md px-2 py-1 hover:bg-hover">
          <input type="radio" name={name} checked={mode === id} onChange={() => onMode(id)} className="mt-1 accent-accent" />
          <span className="min-w-0">
            <span className="block">{title}</span>
            <span className="block text-muted text-xs">{detail}</span>
          </span>
        </label>
      ))}
      {mode === 'folder' ? (
        <p role="alert" className="mt-1 flex gap-1.5 rounded-md bg-warn-soft px-2 py-1.5 text-warn text-xs">
          <TriangleAlert aria-hidden size={14} className="mt-px shrink-0" />
          Tools will create, change and delete files in the folder while the run goes on. Undo puts them back afterwards; commands may have
          effects that it does not reach.
        </p>
      ) : null}
    </fieldset>
  );
}

function Choice({ chosen, onChoose, title, detail }: { chosen: boolean; onChoose: () => void; title: string; detail: string }) {
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      className={cn('flex w-full items-start gap-2 rounded-md px-2 py-1.5 text-left hover:bg-hover', chosen && 'bg-accent-soft')}
    >
      <Check aria-hidden size={14} className={cn('mt-0.5 shrink-0 text-accent', !chosen && 'invisible')} />
      <span className="min-w-0">
        <span className="block font-medium">{title}</span>
        <span className="block truncate text-muted text-xs">{detail}</span>
      </span>
    </button>
  );
}

/** The one folder whose files a run may touch. */
export function WorkspacePicker({ value, onChange, mode, onMode }: WorkspacePickerProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const id = useId();
  const [open, setOpen] = useState(false);
  const samples = useQuery(trpc.workspaces.samples.queryOptions(undefined, { staleTime: 60_000 }));
  const sample = samples.data?.find((other) => other.id === value);
  const [path, setPath] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [checking, setChecking] = useState(false);

  const choose = (next: string) => {
    onChange(next);
    setOpen(false);
  };
  const checkTyped = async () => {
    setChecking(true);
    setProblem(null);
    try {
      const answer = await client.workspaces.check.query({ path });
      if (answer.ok) choose(path.trim());
      else setProblem(answer.message);
    } catch (error) {
      setProblem(messageOf(error));
    }
    setChecking(false);
  };
  const inPlace = value !== '' && mode === 'folder';
  const shown = value === '' ? 'No folder' : (sample?.title ?? value.split(/[\\/]/).filter(Boolean).at(-1) ?? value);
  return (
    <Popover
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        if (next) setPath(sample || value === '' ? '' : value);
      }}
    >
      <PopoverTrigger asChild>
        <Button
          variant="ghost"
          size="sm"
          icon={inPlace ? <TriangleAlert size={14} className="text-warn" /> : <Folder size={14} />}
          className="min-w-0 max-w-44 shrink px-1.5"
          title={`Workspace folder: ${value || 'none'}${value === '' ? '' : `. Works in ${modes.find(({ id: other }) => other === mode)?.title.toLowerCase() ?? mode}.`}`}
        >
          <span className="truncate">{shown}</span>
        </Button>
      </PopoverTrigger>
      <PopoverContent align="start" side="top" className="max-h-(--radix-popover-content-available-height) w-80 overflow-y-auto">
        <p className="mb-2 text-muted text-xs">Tools read and write inside this folder only.</p>
        <div className="mb-3 flex max-h-56 flex-col gap-0.5 overflow-auto">
          <Choice chosen={value === ''} onChoose={() => choose('')} title="No folder" detail="File tools have nothing to work on" />
          {(samples.data ?? []).map((item) => (
            <Choice key={item.id} chosen={value === item.id} onChoose={() => choose(item.id)} title={item.title} detail={item.label} />
          ))}
        </div>
        <Field id={`${id}-path`} label="A folder on the server's machine" {...(problem === null ? {} : { error: problem })}>
          <form
            className="flex gap-2"
            onSubmit={(event) => {
              event.preventDefault();
              void checkTyped();
            }}
          >
            <Input
              id={`${id}-path`}
              value={path}
              placeholder="/home/me/project"
              spellCheck={false}
              aria-invalid={problem !== null}
              aria-describedby={`${id}-path-note`}
              className="font-mono text-xs"
              onChange={(event) => setPath(event.target.value)}
            />
            <Button type="submit" busy={checking} disabled={path.trim() === ''}>
              Use folder
            </Button>
          </form>
        </Field>
        {value === '' ? null : <WorkIn mode={mode} onMode={onMode} />}
      </PopoverContent>
    </Popover>
  );
}
