'use client';

import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Json, JsonObject } from '@/harness/contract/json';
import { isJsonObject } from '@/harness/contract/json';
import { Button } from '../ui/button';
import { IconButton } from '../ui/icon-button';
import { Input } from '../ui/input';
import { FieldControl } from './field-control';
import { useForm } from './form-context';
import type { FieldModel } from './form-model';

/** The same keys in the same order, one of them renamed. */
function renamed(record: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key === from ? to : key, value]));
}

function KeyInput({ name, taken, onRename }: { name: string; taken: readonly string[]; onRename: (to: string) => void }) {
  const { disabled } = useForm();
  const [draft, setDraft] = useState<string | null>(null);
  const clash = draft !== null && draft !== name && taken.includes(draft);
  return (
    <Input
      aria-label={`Name of ${name}`}
      value={draft ?? name}
      disabled={disabled}
      aria-invalid={clash || draft === '' || undefined}
      title={clash ? 'There is one of this name already' : undefined}
      className="font-mono text-xs"
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => {
        if (draft !== null && draft.trim() !== '' && !clash && draft !== name) onRename(draft.trim());
        setDraft(null);
      }}
    />
  );
}

/** Named texts: a name, a value, and a row to add one. */
export function RecordControl({ field, path, value }: { field: FieldModel; path: readonly (string | number)[]; value: Json | undefined }) {
  const { set, settle, disabled, errors, formId } = useForm();
  const record: JsonObject = isJsonObject(value) ? value : {};
  const names = Object.keys(record);
  const { item } = field;
  const write = (next: JsonObject): void => {
    settle();
    set(path, next);
    settle();
  };
  const add = (): void => {
    let name = 'name';
    for (let count = 2; Object.hasOwn(record, name); count += 1) name = `name_${count}`;
    write({ ...record, [name]: '' });
  };
  return (
    <div className="flex flex-col gap-2">
      {names.map((name) => {
        const here = [...path, name];
        const error = errors.get(here.join('.'));
        return (
          <div key={name} className="rounded-md border border-line p-2">
            <div className="mb-1.5 flex items-center gap-1">
              <KeyInput name={name} taken={names} onRename={(to) => write(renamed(record, name, to))} />
              <IconButton
                size="sm"
                tone="danger"
                label={`Delete ${name}`}
                icon={<Trash2 size={13} />}
                disabled={disabled}
                onClick={() => write(Object.fromEntries(Object.entries(record).filter(([key]) => key !== name)))}
              />
            </div>
            {item ? (
              <FieldControl
                field={{ ...item, title: name }}
                id={`${formId}-${here.join('.')}`}
                path={here}
                value={record[name]}
                invalid={error !== undefined}
              />
            ) : null}
            {error ? <p className="mt-1 text-fail text-xs">{error}</p> : null}
          </div>
        );
      })}
      <Button size="sm" icon={<Plus size={13} />} disabled={disabled} onClick={add}>
        Add one
      </Button>
    </div>
  );
}
