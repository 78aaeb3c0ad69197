'use client';

import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { ToolSpec } from '@/harness/contract/tool';
import { useEditor } from '../editor/store-context';
import { useTRPC } from '../state/trpc';
import { Badge } from '../ui/badge';
import { Checkbox } from '../ui/checkbox';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { Switch } from '../ui/switch';
import type { ControlProps } from './field-control';
import { useForm } from './form-context';

const effectTone = { read: 'ok', idempotent: 'neutral', write: 'warn' } as const;
const effectWord = { read: 'reads', idempotent: 'repeatable', write: 'writes' } as const;

/** The tools there are, and which of them this flow grants. */
function useTools(): { tools: readonly ToolSpec[]; granted: (name: string) => boolean } {
  const trpc = useTRPC();
  const settings = useQuery(trpc.settings.get.queryOptions());
  const grants = useEditor((state) => state.document.settings.tools);
  return { tools: settings.data?.tools ?? [], granted: (name) => grants === null || grants.includes(name) };
}

export interface ToolListProps {
  tools: readonly ToolSpec[];
  chosen: readonly string[];
  granted?: (name: string) => boolean;
  disabled?: boolean;
  label: string;
  id?: string;
  onChange: (chosen: string[]) => void;
}

/** Tools to tick, with what each does to the world. Names that no tool has (any more) stay in the list until they are taken out. */
export function ToolList({ tools, chosen, granted, disabled = false, label, id, onChange }: ToolListProps) {
  const [query, setQuery] = useState('');
  const prefix = useId();
  const unknown = chosen.filter((name) => !tools.some((tool) => tool.name === name));
  const rows = [
    ...tools.map((tool) => ({ name: tool.name, title: tool.description, effect: tool.effect })),
    ...unknown.map((name) => ({ name, title: 'No tool of this name is registered.', effect: null })),
  ].filter((row) => row.name.includes(query.trim().toLowerCase()));
  return (
    <div className="overflow-hidden rounded-md border border-line">
      {tools.length > 8 ? (
        <Input
          aria-label={`Search ${label}`}
          value={query}
          placeholder="Search tools"
          className="rounded-none! border-x-0! border-t-0!"
          onChange={(event) => setQuery(event.target.value)}
        />
      ) : null}
      <ul id={id} aria-label={label} className="max-h-52 overflow-y-auto py-1">
        {rows.map((row) => (
          <li key={row.name}>
            <label
              htmlFor={`${prefix}-${row.name}`}
              className="flex min-h-7 cursor-pointer items-center gap-2 px-2 hover:bg-hover"
              title={row.title}
            >
              <Checkbox
                id={`${prefix}-${row.name}`}
                checked={chosen.includes(row.name)}
                disabled={disabled}
                onCheckedChange={(next) => onChange(next === true ? [...chosen, row.name] : chosen.filter((name) => name !== row.name))}
              />
              <span className="min-w-0 flex-1 truncate font-mono text-xs">{row.name}</span>
              {row.effect === null ? (
                <Badge tone="fail">unknown</Badge>
              ) : granted && !granted(row.name) ? (
                <Badge tone="outline" title="The flow's settings do not grant it">
                  not granted
                </Badge>
              ) : (
                <Badge tone={effectTone[row.effect]}>{effectWord[row.effect]}</Badge>
              )}
            </label>
          </li>
        ))}
        {rows.length === 0 ? <li className="px-2 py-2 text-faint text-xs">No tool matches.</li> : null}
      </ul>
    </div>
  );
}

/** Several tools; where the field may be empty, a switch stands for "every tool that is granted". */
export function ToolsControl({ field, id, path, value }: ControlProps) {
  const { set, disabled } = useForm();
  const { tools, granted } = useTools();
  const all = value === null || value === undefined;
  const chosen = Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
  return (
    <div className="flex flex-col gap-1.5">
      {field.nullable ? (
        <div className="flex items-center justify-between gap-2 text-sm">
          <label htmlFor={`${id}-all`}>Every tool the flow grants</label>
          <Switch id={`${id}-all`} checked={all} disabled={disabled} onCheckedChange={(next) => set(path, next ? null : [])} />
        </div>
      ) : null}
      {field.nullable && all ? null : (
        <ToolList
          id={id}
          tools={tools}
          chosen={chosen}
          granted={granted}
          disabled={disabled}
          label={field.title}
          onChange={(next) => set(path, next)}
        />
      )}
    </div>
  );
}

/** One tool by name. */
export function ToolControl({ id, path, value, invalid }: ControlProps) {
  const { set, disabled } = useForm();
  const { tools } = useTools();
  const chosen = typeof value === 'string' ? value : '';
  const options = tools.map((tool) => ({ value: tool.name, label: tool.name, hint: effectWord[tool.effect] }));
  const known = chosen === '' || options.some((option) => option.value === chosen);
  return (
    <Select
      id={id}
      value={chosen}
      placeholder="Choose a tool"
      disabled={disabled}
      aria-invalid={invalid}
      options={known ? options : [...options, { value: chosen, label: chosen, hint: 'unknown' }]}
      onValueChange={(next) => set(path, next)}
    />
  );
}
