'use client';

import { X } from 'lucide-react';
import { useState } from 'react';
import { Input } from '../ui/input';
import type { ControlProps } from './field-control';
import { useForm } from './form-context';

/** A list of short texts as chips; Enter or a comma adds, Backspace in the empty field takes the last away. */
export function StringsControl({ field, id, path, value, invalid }: ControlProps) {
  const { set, settle, disabled } = useForm();
  const [draft, setDraft] = useState('');
  const items = Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  const add = (): void => {
    const fresh = draft
      .split(',')
      .map((text) => text.trim())
      .filter((text) => text !== '' && !items.includes(text));
    if (fresh.length > 0) set(path, [...items, ...fresh]);
    setDraft('');
    settle();
  };
  return (
    <div className="flex flex-col gap-1.5">
      {items.length > 0 ? (
        <ul className="flex flex-wrap gap-1">
          {items.map((item) => (
            <li key={item} className="flex h-6 items-center gap-1 rounded-sm bg-hover pr-0.5 pl-1.5 font-mono text-xs">
              {item}
              <button
                type="button"
                aria-label={`Remove ${item}`}
                disabled={disabled}
                className="flex size-5 items-center justify-center rounded-sm text-faint hover:text-ink"
                onClick={() =>
                  set(
                    path,
                    items.filter((other) => other !== item),
                  )
                }
              >
                <X aria-hidden size={12} />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <Input
        id={id}
        value={draft}
        disabled={disabled}
        placeholder={field.placeholder ?? 'Type one and press Enter'}
        aria-invalid={invalid || undefined}
        aria-describedby={`${id}-note`}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter' || event.key === ',') {
            event.preventDefault();
            add();
          } else if (event.key === 'Backspace' && draft === '' && items.length > 0) set(path, items.slice(0, -1));
        }}
        onBlur={add}
      />
    </div>
  );
}
