'use client';

import { Braces, Search } from 'lucide-react';
import { useState } from 'react';
import { isJsonObject, type Json } from '@/harness/contract/json';
import { Icon } from '../ui/icon';
import { Popover, PopoverContent, PopoverTrigger } from '../ui/popover';
import { useForm } from './form-context';
import { fieldsOf, pathText, type ScopeEntry, typeWord } from './upstream';

const valueAt = (value: Json | undefined, path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((current, key) => (isJsonObject(current) && Object.hasOwn(current, key) ? current[key] : undefined), value);

const short = (value: Json | undefined): string => {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 48 ? `${text.slice(0, 47)}…` : text;
};

interface Row {
  key: string;
  text: string;
  label: string;
  type: string;
  value: string;
}

/** Everything before this node that an expression can name, with its type and what it was in the run on view. */
export function ReferencePicker({ kind, onPick }: { kind: 'expression' | 'template'; onPick: (text: string) => void }) {
  const { scope, lastValue } = useForm();
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState('');
  const write = (reference: string): string => (kind === 'template' ? `{{${reference}}}` : reference);
  const rowsOf = (entry: ScopeEntry): Row[] => {
    const last = entry.nodeId === null ? undefined : lastValue(entry.nodeId);
    return [
      { key: entry.reference, text: entry.reference, label: entry.reference, type: typeWord(entry.schema), value: '' },
      ...fieldsOf(entry.schema).map((field) => ({
        key: `${entry.reference}${pathText(field.path)}`,
        text: `${entry.reference}${pathText(field.path)}`,
        label: pathText(field.path),
        type: field.type,
        value: short(valueAt(last, field.path)),
      })),
    ];
  };
  const needle = query.trim().toLowerCase();
  const groups = scope
    .filter((entry) => kind === 'template' || entry.kind !== 'secret')
    .map((entry) => ({
      entry,
      rows: rowsOf(entry).filter(
        (row) => needle === '' || row.text.toLowerCase().includes(needle) || entry.title.toLowerCase().includes(needle),
      ),
    }))
    .filter((group) => group.rows.length > 0);
  return (
    <Popover
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        setQuery('');
      }}
    >
      <PopoverTrigger asChild>
        <button
          type="button"
          aria-label="Insert a reference"
          title="Insert a reference to what is upstream"
          className="flex h-5 items-center gap-1 rounded-sm px-1 text-faint text-xs hover:bg-hover hover:text-ink"
        >
          <Braces aria-hidden size={12} />
          Insert
        </button>
      </PopoverTrigger>
      <PopoverContent align="end" className="w-84 p-0!" onCloseAutoFocus={(event) => event.preventDefault()}>
        <div className="relative border-line border-b">
          <Search aria-hidden size={13} className="absolute top-2.5 left-3 text-faint" />
          <input
            aria-label="Search what is upstream"
            value={query}
            placeholder="Search what is upstream"
            className="h-9 w-full bg-transparent pr-3 pl-8 text-sm outline-none"
            onChange={(event) => setQuery(event.target.value)}
          />
        </div>
        <div className="max-h-80 overflow-y-auto py-1">
          {groups.map(({ entry, rows }) => (
            <div key={entry.reference} className="py-1">
              <p className="flex items-center gap-1.5 px-3 py-0.5 font-medium text-xs">
                <Icon name={entry.icon} size={12} className="text-muted" />
                {entry.title}
                <span className="font-normal text-faint">{entry.detail}</span>
              </p>
              {rows.map((row) => (
                <button
                  key={row.key}
                  type="button"
                  className="flex w-full items-baseline gap-2 px-3 py-0.5 pl-7 text-left hover:bg-hover"
                  onClick={() => {
                    setOpen(false);
                    onPick(write(row.text));
                  }}
                >
                  <span className="truncate font-mono text-xs">{row.label}</span>
                  <span className="shrink-0 text-faint text-xs">{row.type.length > 24 ? 'choice' : row.type}</span>
                  {row.value ? <span className="min-w-0 flex-1 truncate text-right text-muted text-xs">{row.value}</span> : null}
                </button>
              ))}
            </div>
          ))}
          {groups.length === 0 ? <p className="px-3 py-4 text-center text-faint text-xs">Nothing upstream matches.</p> : null}
        </div>
      </PopoverContent>
    </Popover>
  );
}
