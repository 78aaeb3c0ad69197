'use client';

import { useQuery } from '@tanstack/react-query';
import { Check, Folder } from 'lucide-react';
import { useId, useState } from 'react';
import { messageOf } from '../state/api-error';
import { useTRPC, useTRPCClient } from '../state/trpc';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Popover, PopoverContent, PopoverTrigger } from '../ui/popover';

export interface WorkspacePickerProps {
  /** A sample's id, an absolute folder, or the empty text for none. */
  value: string;
  onChange: (value: string) => void;
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
export function WorkspacePicker({ value, onChange }: WorkspacePickerProps) {
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
          icon={<Folder size={14} />}
          className="min-w-0 max-w-44 shrink px-1.5"
          title={`Workspace folder: ${value || 'none'}`}
        >
          <span className="truncate">{shown}</span>
        </Button>
      </PopoverTrigger>
      <PopoverContent align="start" side="top" className="w-80">
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
      </PopoverContent>
    </Popover>
  );
}
