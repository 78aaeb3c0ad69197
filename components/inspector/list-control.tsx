'use client';

import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import type { Json, JsonObject } from '@/harness/contract/json';
import { isJsonObject } from '@/harness/contract/json';
import { Button } from '../ui/button';
import { IconButton } from '../ui/icon-button';
import { FormFields } from './field-view';
import { useForm } from './form-context';
import { blankOf, type FieldModel } from './form-model';

export interface ListControlProps {
  field: FieldModel;
  path: readonly (string | number)[];
  value: Json | undefined;
}

/** A row with an id of its own, where rows are told apart by id. */
function blankRow(field: FieldModel, rows: readonly JsonObject[]): JsonObject {
  const row = Object.fromEntries(field.fields.map((child) => [child.key, blankOf(child)]));
  if (!field.fields.some((child) => child.key === 'id')) return row;
  const taken = new Set(rows.map((other) => other.id));
  const stem = field.key.replace(/s$/, '') || 'row';
  let count = rows.length + 1;
  while (taken.has(`${stem}_${count}`)) count += 1;
  return { ...row, id: `${stem}_${count}` };
}

/** A list of objects: rows to add, move and delete, each with its own small form. */
export function ListControl({ field, path, value }: ListControlProps) {
  const { set, settle, disabled, errors } = useForm();
  const rows = Array.isArray(value) ? value.filter(isJsonObject) : [];
  const write = (next: readonly JsonObject[]): void => {
    settle();
    set(path, [...next]);
    settle();
  };
  const move = (from: number, to: number): void => {
    const next = [...rows];
    const [row] = next.splice(from, 1);
    if (row) next.splice(to, 0, row);
    write(next);
  };
  const nameOf = (row: JsonObject, at: number): string => {
    const name = row.title || row.name || row.id;
    return typeof name === 'string' && name !== '' ? name : `Row ${at + 1}`;
  };
  return (
    <div className="flex flex-col gap-2">
      {rows.map((row, at) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
          key={at}
          className={`rounded-md border p-2.5 ${[...errors.keys()].some((key) => key.startsWith(`${[...path, at].join('.')}.`)) ? 'border-fail' : 'border-line'}`}
        >
          <div className="mb-2 flex items-center gap-0.5">
            <span className="min-w-0 flex-1 truncate font-medium text-xs">{nameOf(row, at)}</span>
            <IconButton
              size="sm"
              label="Move up"
              icon={<ArrowUp size={13} />}
              disabled={disabled || at === 0}
              onClick={() => move(at, at - 1)}
            />
            <IconButton
              size="sm"
              label="Move down"
              icon={<ArrowDown size={13} />}
              disabled={disabled || at === rows.length - 1}
              onClick={() => move(at, at + 1)}
            />
            <IconButton
              size="sm"
              tone="danger"
              label={`Delete ${nameOf(row, at)}`}
              icon={<Trash2 size={13} />}
              disabled={disabled}
              onClick={() => write(rows.filter((_, other) => other !== at))}
            />
          </div>
          <FormFields fields={field.fields} path={[...path, at]} values={row} />
        </div>
      ))}
      <Button size="sm" icon={<Plus size={13} />} disabled={disabled} onClick={() => write([...rows, blankRow(field, rows)])}>
        Add{' '}
        {field.title
          .toLowerCase()
          .replace(/ies$/, 'y')
          .replace(/(ch|sh|x)es$/, '$1')
          .replace(/s$/, '')}
      </Button>
    </div>
  );
}
