'use client';

import { RotateCcw } from 'lucide-react';
import type { Json, JsonObject } from '@/harness/contract/json';
import { isJsonObject } from '@/harness/contract/json';
import { Field } from '../ui/field';
import { Switch } from '../ui/switch';
import { FieldControl } from './field-control';
import { useForm } from './form-context';
import { type FieldModel, isShown, sectionsOf } from './form-model';
import { ListControl } from './list-control';
import { RecordControl } from './record-control';
import { ReferencePicker } from './reference-picker';

type Path = readonly (string | number)[];

const isSet = (field: FieldModel, value: Json | undefined): boolean =>
  value !== undefined && field.default !== undefined && JSON.stringify(value) !== JSON.stringify(field.default);

function Reset({ field, path }: { field: FieldModel; path: Path }) {
  const { set, settle, disabled } = useForm();
  return (
    <button
      type="button"
      disabled={disabled}
      aria-label={`Reset ${field.title} to its default`}
      title="Back to the default"
      className="flex size-5 items-center justify-center rounded-sm text-faint hover:bg-hover hover:text-ink"
      onClick={() => {
        settle();
        set(path, field.default);
        settle();
      }}
    >
      <RotateCcw aria-hidden size={12} />
    </button>
  );
}

const refers = (field: FieldModel): 'expression' | 'template' | null =>
  field.widget === 'expression' ? 'expression' : field.widget === 'template' || field.widget === 'prompt' ? 'template' : null;

/** One field: label, control, help, error, reset, and a picker of references where its text may hold some. */
export function FieldView({ field, path, value }: { field: FieldModel; path: Path; value: Json | undefined }) {
  const { formId, errors, disabled, set } = useForm();
  const key = path.join('.');
  const id = `${formId}-${key}`;
  const error = errors.get(key);
  const shown = value === undefined ? field.default : value;
  const kind = refers(field);
  const aside = (
    <span className="flex items-center gap-0.5">
      {kind && !disabled ? (
        <ReferencePicker
          kind={kind}
          onPick={(text) => insertAt(id, text, typeof shown === 'string' ? shown : '', (next) => set(path, next))}
        />
      ) : null}
      {isSet(field, value) && !disabled ? <Reset field={field} path={path} /> : null}
    </span>
  );
  const words = { ...(field.help === null ? {} : { help: field.help }), ...(error === undefined ? {} : { error }) };

  if (field.kind === 'boolean') {
    return (
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <label htmlFor={id} className="font-medium text-muted text-xs">
            {field.title}
          </label>
          {field.help ? (
            <p id={`${id}-note`} className="text-faint text-xs">
              {field.help}
            </p>
          ) : null}
        </div>
        <span className="flex shrink-0 items-center gap-1">
          {isSet(field, value) && !disabled ? <Reset field={field} path={path} /> : null}
          <Switch
            id={id}
            checked={shown === true}
            disabled={disabled}
            onCheckedChange={(next) => set(path, next)}
            aria-describedby={`${id}-note`}
          />
        </span>
      </div>
    );
  }
  if (field.kind === 'object') {
    return (
      <fieldset className="rounded-md border border-line p-3">
        <legend className="px-1 font-medium text-muted text-xs">{field.title}</legend>
        <FormFields fields={field.fields} path={path} values={isJsonObject(shown) ? shown : {}} />
      </fieldset>
    );
  }
  if (field.kind === 'list' || field.kind === 'record') {
    return (
      <fieldset aria-labelledby={`${id}-title`} className="flex min-w-0 flex-col gap-1.5">
        <div className="flex min-h-5 items-center justify-between">
          <span id={`${id}-title`} className="font-medium text-muted text-xs">
            {field.title}
          </span>
          {aside}
        </div>
        {field.help ? <p className="text-faint text-xs">{field.help}</p> : null}
        {error ? <p className="text-fail text-xs">{error}</p> : null}
        {field.kind === 'list' ? (
          <ListControl field={field} path={path} value={shown} />
        ) : (
          <RecordControl field={field} path={path} value={shown} />
        )}
      </fieldset>
    );
  }
  return (
    <Field id={id} label={field.title} required={field.required} aside={aside} {...words}>
      <FieldControl field={field} id={id} path={path} value={shown} invalid={error !== undefined} />
    </Field>
  );
}

/** Fields of one level, those that do not apply left out. */
export function FormFields({ fields, path, values }: { fields: readonly FieldModel[]; path: Path; values: JsonObject }) {
  return (
    <div className="flex flex-col gap-3.5">
      {fields
        .filter((field) => isShown(field, values, fields))
        .map((field) => (
          <FieldView
            key={field.key}
            field={field}
            path={[...path, field.key]}
            value={Object.hasOwn(values, field.key) ? values[field.key] : undefined}
          />
        ))}
    </div>
  );
}

/** A whole form by sections. */
export function FormSections({ fields, values }: { fields: readonly FieldModel[]; values: JsonObject }) {
  return (
    <>
      {sectionsOf(fields.filter((field) => isShown(field, values, fields))).map((section) => (
        <section key={section.title ?? ''} className="border-line border-b px-3 py-3 last:border-0">
          {section.title === null ? null : <h3 className="mb-2 font-semibold text-ink text-xs">{section.title}</h3>}
          <FormFields fields={section.fields.map((field) => ({ ...field, when: null }))} path={[]} values={values} />
        </section>
      ))}
    </>
  );
}

/** Puts a reference where the cursor of a control is, or at the end of its text. */
function insertAt(id: string, text: string, value: string, set: (value: string) => void): void {
  const detail = { text, done: false };
  const element = document.getElementById(id);
  element?.dispatchEvent(new CustomEvent('bridle:insert', { detail }));
  if (detail.done) return;
  if (element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement) {
    const start = element.selectionStart ?? value.length;
    const end = element.selectionEnd ?? value.length;
    set(value.slice(0, start) + text + value.slice(end));
    requestAnimationFrame(() => {
      element.focus();
      element.setSelectionRange(start + text.length, start + text.length);
    });
  } else set(value + text);
}
