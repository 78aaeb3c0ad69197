'use client';

import { cn } from '../ui/cn';
import type { ControlProps } from './field-control';
import { useForm } from './form-context';
import { titleOf } from './form-model';

const looks: Readonly<Record<string, string>> = {
  neutral: 'var(--layer-neutral)',
  amber: 'var(--layer-control-state)',
  blue: 'var(--layer-planning)',
  green: 'var(--layer-execution)',
  red: 'var(--layer-contradiction)',
  violet: 'var(--layer-hypothesis)',
};

/** A choice of named colours, as swatches with their names behind them. */
export function ColorControl({ field, id, path, value }: ControlProps) {
  const { set, disabled } = useForm();
  return (
    <div role="radiogroup" id={id} aria-label={field.title} className="flex gap-1.5">
      {field.choices.map((choice) => (
        <label
          key={choice}
          title={titleOf(String(choice))}
          className={cn(
            'flex size-7 cursor-pointer items-center justify-center rounded-md border',
            choice === value ? 'border-accent' : 'border-transparent hover:border-line-strong',
          )}
        >
          <input
            type="radio"
            name={id}
            className="sr-only"
            checked={choice === value}
            disabled={disabled}
            onChange={() => set(path, choice)}
          />
          <span className="size-4 rounded-full" style={{ background: looks[String(choice)] ?? 'var(--layer-neutral)' }} />
          <span className="sr-only">{titleOf(String(choice))}</span>
        </label>
      ))}
    </div>
  );
}
