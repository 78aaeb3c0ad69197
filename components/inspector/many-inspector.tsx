'use client';

import { useMemo } from 'react';
import type { Json, JsonObject } from '@/harness/contract/json';
import type { AnyManifest } from '@/harness/contract/node';
import { catalogue } from '@/nodes/catalog';
import { type ActionContext, isEnabled, performAction, titleOf } from '../editor/actions/action';
import { ActionIcon } from '../editor/actions/action-icon';
import { actionOf } from '../editor/actions/all-actions';
import { setConfig } from '../editor/change-edits';
import { indexOf } from '../editor/document-index';
import { useEditor, useEditorStore } from '../editor/store-context';
import { Button } from '../ui/button';
import { formatCount } from '../ui/format';
import { FormSections } from './field-view';
import { type FormContextValue, FormProvider } from './form-context';
import { commonFields } from './form-model';

const noErrors: ReadonlyMap<string, string> = new Map();

/** Several nodes: the fields they all have, written to all of them at once. */
export function ManyInspector({ ids, context }: { ids: readonly string[]; context: ActionContext }) {
  const document = useEditor((state) => state.document);
  const readOnly = useEditor((state) => state.readOnly);
  const store = useEditorStore();
  const { nodes } = indexOf(document);
  const chosen = ids.map((id) => nodes.get(id)).filter((node) => node !== undefined);
  const manifests = chosen
    .map((node) => catalogue.nodes.get(node.type))
    .filter((manifest): manifest is AnyManifest => manifest !== undefined);
  const fields =
    manifests.length === chosen.length ? commonFields(manifests).filter((field) => field.kind !== 'list' && field.kind !== 'record') : [];
  // A value shows when all nodes share it; a differing one shows as not set until it is written.
  const values: JsonObject = {};
  const mixed: string[] = [];
  for (const field of fields) {
    const own = chosen.map((node) => (Object.hasOwn(node.config, field.key) ? node.config[field.key] : field.default));
    const first = own[0];
    if (own.every((value) => JSON.stringify(value) === JSON.stringify(first))) {
      if (first !== undefined) values[field.key] = first;
    } else mixed.push(field.title);
  }
  const form: FormContextValue = useMemo(
    () => ({
      formId: 'many',
      disabled: readOnly,
      errors: noErrors,
      scope: [],
      lastValue: () => undefined,
      set: (path: readonly (string | number)[], value: Json | undefined) => {
        store
          .getState()
          .edit(`Edit ${ids.length} nodes`, (current) => setConfig(current, ids, path, value), { burst: `many:${path.join('.')}` });
      },
      settle: () => store.getState().endBurst(),
    }),
    [store, ids, readOnly],
  );
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="shrink-0 border-line border-b p-3">
        <h2 className="font-semibold text-base">{formatCount(ids.length, 'node')} selected</h2>
        <div className="mt-2 flex flex-wrap gap-1.5">
          {['duplicate', 'toggle-disabled', 'frame-selection', 'delete'].map((id) => {
            const action = actionOf(id);
            return (
              <Button
                key={id}
                size="sm"
                variant={action.tone === 'danger' ? 'danger-ghost' : 'secondary'}
                icon={<ActionIcon name={action.icon} size={13} />}
                disabled={!isEnabled(action, context)}
                onClick={() => performAction(action, context)}
              >
                {titleOf(action, context)}
              </Button>
            );
          })}
        </div>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {fields.length === 0 ? (
          <p className="p-3 text-muted text-sm">These nodes share no settings. Select nodes of one type to edit them together.</p>
        ) : (
          <>
            {mixed.length > 0 ? (
              <p className="px-3 pt-3 text-faint text-xs">Differ: {mixed.join(', ')}. Writing one sets it on all.</p>
            ) : null}
            <FormProvider value={form}>
              <FormSections fields={fields} values={values} />
            </FormProvider>
          </>
        )}
      </div>
    </div>
  );
}
