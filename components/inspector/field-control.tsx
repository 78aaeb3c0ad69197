'use client';

import { useState } from 'react';
import type { Json } from '@/harness/contract/json';
import { modelRoles } from '@/harness/contract/model';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { Textarea } from '../ui/textarea';
import { CodeField } from './code-field';
import { ColorControl } from './color-control';
import { DurationControl } from './duration-control';
import { FlowControl } from './flow-control';
import { useForm } from './form-context';
import { type FieldModel, titleOf } from './form-model';
import { JsonControl } from './json-control';
import { StringsControl } from './strings-control';
import { ToolControl, ToolsControl } from './tools-control';

export interface ControlProps {
  field: FieldModel;
  id: string;
  path: readonly (string | number)[];
  value: Json | undefined;
  invalid: boolean;
}

const none = 'none';

function NumberControl({ field, id, path, value, invalid }: ControlProps) {
  const { set, settle, disabled } = useForm();
  const [draft, setDraft] = useState<string | null>(null);
  const shown = draft ?? (typeof value === 'number' ? String(value) : '');
  const step = field.step ?? (field.integer ? 1 : 0.01);
  const bounds = { ...(field.min === null ? {} : { min: field.min }), ...(field.max === null ? {} : { max: field.max }) };
  const write = (text: string): void => {
    setDraft(text);
    if (text.trim() === '') {
      if (field.nullable) set(path, null);
      return;
    }
    const number = Number(text);
    if (Number.isFinite(number)) set(path, number);
  };
  return (
    <div className="flex items-center gap-2">
      {field.widget === 'slider' ? (
        <input
          type="range"
          aria-label={`${field.title}, slider`}
          className="min-w-0 flex-1 accent-(--accent)"
          step={step}
          {...bounds}
          value={typeof value === 'number' ? value : (field.min ?? 0)}
          disabled={disabled}
          onChange={(event) => {
            setDraft(null);
            set(path, Number(event.target.value));
          }}
        />
      ) : null}
      <Input
        id={id}
        type="number"
        inputMode={field.integer ? 'numeric' : 'decimal'}
        step={step}
        {...bounds}
        value={shown}
        disabled={disabled}
        placeholder={field.placeholder ?? (field.nullable ? 'not set' : '')}
        aria-invalid={invalid || undefined}
        aria-describedby={`${id}-note`}
        className={field.widget === 'slider' ? 'tabular w-24' : 'tabular'}
        onChange={(event) => write(event.target.value)}
        onBlur={() => {
          setDraft(null);
          settle();
        }}
      />
    </div>
  );
}

function TextControl({ field, id, path, value, invalid }: ControlProps) {
  const { set, settle, disabled } = useForm();
  const text = typeof value === 'string' ? value : '';
  const common = {
    id,
    value: text,
    disabled,
    placeholder: field.placeholder ?? '',
    'aria-invalid': invalid || undefined,
    'aria-describedby': `${id}-note`,
    onBlur: settle,
  };
  return field.rows > 1 ? (
    <Textarea {...common} rows={field.rows} onChange={(event) => set(path, event.target.value)} />
  ) : (
    <Input {...common} onChange={(event) => set(path, event.target.value)} />
  );
}

/** The control of a field, by its kind and the manifest's hint. */
export function FieldControl(props: ControlProps) {
  const { field, id, path, value, invalid } = props;
  const { set, settle, disabled } = useForm();
  switch (field.widget) {
    case 'prompt':
    case 'template':
    case 'expression':
    case 'code':
      return (
        <CodeField
          id={id}
          label={field.title}
          language={field.widget === 'code' ? 'javascript' : field.widget === 'expression' ? 'expression' : 'template'}
          value={typeof value === 'string' ? value : ''}
          rows={field.rows}
          placeholder={field.placeholder ?? ''}
          disabled={disabled}
          invalid={invalid}
          onChange={(next) => set(path, next)}
          onBlur={settle}
        />
      );
    case 'json':
    case 'json-schema':
      return <JsonControl {...props} />;
    case 'model-role':
      return (
        <Select
          id={id}
          value={typeof value === 'string' ? value : ''}
          onValueChange={(next) => set(path, next)}
          options={modelRoles.map((role) => ({ value: role, label: titleOf(role) }))}
          disabled={disabled}
        />
      );
    case 'tools':
      return field.kind === 'text' ? <ToolControl {...props} /> : <ToolsControl {...props} />;
    case 'flow':
      return <FlowControl {...props} />;
    case 'duration':
      return <DurationControl {...props} />;
    case 'color':
      return <ColorControl {...props} />;
    default:
      break;
  }
  switch (field.kind) {
    case 'number':
      return <NumberControl {...props} />;
    case 'choice':
      return (
        <Select
          id={id}
          value={value === null || value === undefined ? (field.nullable ? none : '') : String(value)}
          onValueChange={(next) => set(path, next === none ? null : (field.choices.find((choice) => String(choice) === next) ?? next))}
          options={[
            ...(field.nullable ? [{ value: none, label: 'Not set' }] : []),
            ...field.choices.map((choice) => ({ value: String(choice), label: titleOf(String(choice)) })),
          ]}
          disabled={disabled}
        />
      );
    case 'strings':
      return <StringsControl {...props} />;
    case 'json':
      return <JsonControl {...props} />;
    default:
      return <TextControl {...props} />;
  }
}
