'use client';

import { useEffect, useState } from 'react';
import { type Json, jsonSchema } from '@/harness/contract/json';
import { stableJson } from '@/harness/flow/stable-json';
import { Textarea } from '../ui/textarea';
import type { ControlProps } from './field-control';
import { useForm } from './form-context';

const textOf = (value: Json | undefined): string => (value === undefined || value === null ? '' : JSON.stringify(value, null, 2));

const parsed = (text: string): { value: Json | undefined } | { problem: string } => {
  if (text.trim() === '') return { value: undefined };
  try {
    return { value: jsonSchema.parse(JSON.parse(text)) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'not JSON' };
  }
};

const sameValue = (text: string, value: Json | undefined): boolean => {
  const read = parsed(text);
  if ('problem' in read) return false;
  return stableJson(read.value ?? null) === stableJson(value ?? null);
};

/** JSON as text. Half-typed text stays as it is and is reported; the config changes only when it parses. Undo shows here too. */
export function JsonControl({ field, id, path, value, invalid }: ControlProps) {
  const { set, settle, disabled } = useForm();
  const [text, setText] = useState(() => textOf(value));
  const [typing, setTyping] = useState(false);
  useEffect(() => {
    // Somebody else changed the value (undo, reset, another control): show that, unless the text says the same already.
    if (!typing) setText((current) => (sameValue(current, value) ? current : textOf(value)));
  }, [value, typing]);
  const read = parsed(text);
  const problem = 'problem' in read ? read.problem : null;
  return (
    <>
      <Textarea
        id={id}
        rows={Math.max(3, field.rows)}
        spellCheck={false}
        className="py-1.5 font-mono text-xs"
        value={text}
        disabled={disabled}
        placeholder={field.nullable ? 'empty: none' : '{ }'}
        aria-invalid={invalid || problem !== null || undefined}
        aria-describedby={`${id}-note`}
        onFocus={() => setTyping(true)}
        onChange={(event) => {
          setText(event.target.value);
          const next = parsed(event.target.value);
          if ('problem' in next) return;
          set(path, next.value === undefined ? (field.nullable ? null : field.default) : next.value);
        }}
        onBlur={() => {
          setTyping(false);
          settle();
        }}
      />
      {problem ? <p className="text-fail text-xs">Not JSON yet: {problem}</p> : null}
    </>
  );
}
