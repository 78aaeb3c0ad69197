'use client';

import { useState } from 'react';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import type { ControlProps } from './field-control';
import { useForm } from './form-context';

const units = [
  { value: 'ms', label: 'ms', factor: 1 },
  { value: 's', label: 's', factor: 1000 },
  { value: 'min', label: 'min', factor: 60_000 },
  { value: 'h', label: 'h', factor: 3_600_000 },
] as const;

type Unit = (typeof units)[number];

const [milliseconds] = units;
/** The largest unit in which the time is a short number. */
const unitFor = (value: number): Unit =>
  [...units].reverse().find((unit) => value >= unit.factor && (value / unit.factor) % 0.5 === 0) ?? milliseconds;

/** A length of time, stored in milliseconds, written in the unit that suits it. */
export function DurationControl({ field, id, path, value, invalid }: ControlProps) {
  const { set, settle, disabled } = useForm();
  const stored = typeof value === 'number' ? value : null;
  const [chosen, setChosen] = useState<Unit | null>(null);
  const [draft, setDraft] = useState<string | null>(null);
  const unit = chosen ?? unitFor(stored ?? 0);
  const write = (text: string, factor: number): void => {
    if (text.trim() === '') {
      if (field.nullable) set(path, null);
      return;
    }
    const number = Number(text);
    if (Number.isFinite(number)) set(path, Math.round(number * factor));
  };
  return (
    <div className="flex gap-2">
      <Input
        id={id}
        type="number"
        step="any"
        min={0}
        value={draft ?? (stored === null ? '' : String(Number((stored / unit.factor).toFixed(4))))}
        disabled={disabled}
        placeholder={field.nullable ? 'not set' : ''}
        aria-invalid={invalid || undefined}
        aria-describedby={`${id}-note`}
        className="tabular"
        onChange={(event) => {
          setChosen(unit);
          setDraft(event.target.value);
          write(event.target.value, unit.factor);
        }}
        onBlur={() => {
          setDraft(null);
          settle();
        }}
      />
      <div className="w-20 shrink-0">
        <Select
          aria-label={`Unit of ${field.title}`}
          value={unit.value}
          disabled={disabled}
          options={units}
          onValueChange={(next) => setChosen(units.find((candidate) => candidate.value === next) ?? unit)}
        />
      </div>
    </div>
  );
}
