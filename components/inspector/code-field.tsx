'use client';

import { Textarea } from '../ui/textarea';

export type CodeLanguage = 'expression' | 'template' | 'javascript';

export interface CodeFieldProps {
  id: string;
  label: string;
  language: CodeLanguage;
  value: string;
  rows: number;
  placeholder: string;
  disabled: boolean;
  invalid: boolean;
  onChange: (value: string) => void;
  onBlur: () => void;
}

export function CodeField({ id, value, rows, placeholder, disabled, invalid, onChange, onBlur }: CodeFieldProps) {
  return (
    <Textarea
      id={id}
      rows={Math.max(1, rows)}
      spellCheck={false}
      className="py-1.5 font-mono text-xs"
      value={value}
      placeholder={placeholder}
      disabled={disabled}
      aria-invalid={invalid || undefined}
      aria-describedby={`${id}-note`}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onBlur}
    />
  );
}
