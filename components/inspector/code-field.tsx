'use client';

import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';
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

const MonacoField = dynamic(() => import('./monaco-field').then((module) => module.MonacoField), { ssr: false });

/** True once the big editor is there; from then on fields begin with it. */
let loaded = false;

/**
 * Text with references, or code. A plain text field is there at once and works; the bundled code editor takes its place when it has been fetched, but
 * never under the hands of somebody who is typing.
 */
export function CodeField(props: CodeFieldProps) {
  const { id, value, rows, placeholder, disabled, invalid, onChange, onBlur } = props;
  const [rich, setRich] = useState(loaded);
  const [focused, setFocused] = useState(false);
  const [arrived, setArrived] = useState(loaded);
  useEffect(() => {
    if (loaded) return;
    let live = true;
    import('./monaco-field').then(
      () => {
        loaded = true;
        if (live) setArrived(true);
      },
      () => {
        // It could not be fetched; the plain field stays and does its work.
      },
    );
    return () => {
      live = false;
    };
  }, []);
  useEffect(() => {
    if (arrived && !focused) setRich(true);
  }, [arrived, focused]);
  if (rich) return <MonacoField {...props} />;
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
      onFocus={() => setFocused(true)}
      onBlur={() => {
        setFocused(false);
        onBlur();
      }}
    />
  );
}
