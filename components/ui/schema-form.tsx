'use client';

import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '@/harness/contract/json';
import { Button } from './button';
import { Checkbox } from './checkbox';
import { Field } from './field';
import { IconButton } from './icon-button';
import { Input } from './input';
import { JsonTextField } from './json-text-field';
import { fieldsOf, type SchemaField, withField } from './schema-form-model';
import { Select } from './select';
import { Switch } from './switch';
import { Textarea } from './textarea';

export interface SchemaFormProps {
  schema: JsonSchema;
  value: JsonObject;
  onChange: (value: JsonObject) => void;
  /** By dotted path, from `problemsOf`. */
  problems?: ReadonlyMap<string, string>;
  disabled?: boolean;
  /** Path of this form inside a larger one. */
  path?: string;
}

const labelOf = (option: Json): string => (typeof option === 'string' ? option : JSON.stringify(option));

interface ControlProps {
  id: string;
  field: SchemaField;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  disabled: boolean;
  invalid: boolean;
}

function ListControl({ id, value, onChange, disabled }: ControlProps) {
  const items = Array.isArray(value) ? value.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))) : [];
  return (
    <div className="flex flex-col gap-1">
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries of a list of texts have no other identity
        <div key={index} className="flex gap-1">
          <Input
            id={index === 0 ? id : undefined}
            aria-label={`Entry ${index + 1}`}
            value={item}
            disabled={disabled}
            onChange={(event) => onChange(items.map((other, at) => (at === index ? event.target.value : other)))}
          />
          <IconButton
            label={`Remove entry ${index + 1}`}
            icon={<X size={14} />}
            disabled={disabled}
            onClick={() => onChange(items.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <Button size="sm" icon={<Plus size={14} />} className="self-start" disabled={disabled} onClick={() => onChange([...items, ''])}>
        Add entry
      </Button>
    </div>
  );
}

function ChoicesControl({ id, field, value, onChange, disabled }: ControlProps) {
  const chosen = Array.isArray(value) ? value.map(labelOf) : [];
  return (
    <div className="flex flex-col gap-1.5 py-1">
      {field.options.map((option, index) => {
        const label = labelOf(option);
        return (
          <div key={label} className="flex items-center gap-2">
            <Checkbox
              id={`${id}-${index}`}
              checked={chosen.includes(label)}
              disabled={disabled}
              onCheckedChange={(checked) =>
                onChange(field.options.filter((other) => (other === option ? checked === true : chosen.includes(labelOf(other)))))
              }
            />
            <label htmlFor={`${id}-${index}`}>{label}</label>
          </div>
        );
      })}
    </div>
  );
}

function Control(props: ControlProps) {
  const { id, field, value, onChange, disabled, invalid } = props;
  const common = { id, disabled, 'aria-invalid': invalid, 'aria-describedby': `${id}-note` };
  switch (field.widget) {
    case 'boolean':
      return (
        <Switch id={id} checked={value === true} disabled={disabled} onCheckedChange={(checked) => onChange(checked)} className="my-1" />
      );
    case 'number':
    case 'integer':
      return (
        <Input
          {...common}
          type="number"
          inputMode={field.widget === 'integer' ? 'numeric' : 'decimal'}
          step={field.widget === 'integer' ? 1 : 'any'}
          value={typeof value === 'number' ? value : ''}
          onChange={(event) => onChange(Number.isNaN(event.target.valueAsNumber) ? undefined : event.target.valueAsNumber)}
        />
      );
    case 'long-text':
      return <Textarea {...common} value={typeof value === 'string' ? value : ''} onChange={(event) => onChange(event.target.value)} />;
    case 'choice':
      return (
        <Select
          {...common}
          value={value === undefined ? '' : String(field.options.findIndex((option) => labelOf(option) === labelOf(value)))}
          onValueChange={(index) => onChange(field.options[Number(index)])}
          options={field.options.map((option, index) => ({ value: String(index), label: labelOf(option) }))}
        />
      );
    case 'choices':
      return <ChoicesControl {...props} />;
    case 'list':
      return <ListControl {...props} />;
    case 'json':
      return <JsonTextField id={id} value={value} onChange={onChange} disabled={disabled} />;
    default:
      return (
        <Input
          {...common}
          type={field.schema.format === 'date' ? 'date' : field.schema.format === 'email' ? 'email' : 'text'}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.target.value === '' && !field.required ? undefined : event.target.value)}
        />
      );
  }
}

/** A form from an object's JSON Schema: labels, help, required marks, and each problem at its field. */
export function SchemaForm({ schema, value, onChange, problems, disabled = false, path = '' }: SchemaFormProps) {
  const prefix = useId();
  return (
    <div className="flex flex-col gap-3">
      {fieldsOf(schema).map((field) => {
        const id = `${prefix}-${field.key}`;
        const at = path === '' ? field.key : `${path}.${field.key}`;
        const own = Object.hasOwn(value, field.key) ? value[field.key] : undefined;
        const problem = problems?.get(at);
        const set = (next: Json | undefined) => onChange(withField(value, field.key, next));
        if (field.widget === 'group') {
          return (
            <fieldset key={field.key} className="rounded-md border border-line p-3">
              <legend className="px-1 font-medium text-muted text-xs">{field.title}</legend>
              <SchemaForm
                schema={field.schema}
                value={isJsonObject(own) ? own : {}}
                onChange={set}
                {...(problems === undefined ? {} : { problems })}
                disabled={disabled}
                path={at}
              />
            </fieldset>
          );
        }
        return (
          <Field
            key={field.key}
            id={id}
            label={field.title}
            required={field.required}
            {...(field.description === undefined ? {} : { help: field.description })}
            {...(problem === undefined ? {} : { error: problem })}
          >
            <Control id={id} field={field} value={own} onChange={set} disabled={disabled} invalid={problem !== undefined} />
          </Field>
        );
      })}
    </div>
  );
}
