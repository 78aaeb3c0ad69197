'use client';

import { useState } from 'react';
import { type Json, jsonSchema } from '@/harness/contract/json';
import { Textarea } from './textarea';

export interface JsonTextFieldProps {
  id: string;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  rows?: number;
  disabled?: boolean;
}

/** JSON as text. What does not parse is kept as typed and reported; the value changes only when it parses. */
export function JsonTextField({ id, value, onChange, rows = 5, disabled }: JsonTextFieldProps) {
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value, null, 2)));
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <>
      <Textarea
        id={id}
        rows={rows}
        spellCheck={false}
        className="font-mono text-xs"
        value={text}
        disabled={disabled}
        aria-invalid={problem !== null}
        onChange={(event) => {
          const typed = event.target.value;
          setText(typed);
          if (typed.trim() === '') {
            setProblem(null);
            onChange(undefined);
            return;
          }
          try {
            onChange(jsonSchema.parse(JSON.parse(typed)));
            setProblem(null);
          } catch (error) {
            setProblem(error instanceof Error ? error.message : 'Not JSON');
          }
        }}
      />
      {problem ? <p className="text-fail text-xs">Not JSON yet: {problem}</p> : null}
    </>
  );
}
