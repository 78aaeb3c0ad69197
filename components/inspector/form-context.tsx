'use client';

import { createContext, useContext } from 'react';
import type { Json } from '@/harness/contract/json';
import type { ScopeEntry } from './upstream';

/** What the controls of a config form share. Paths are keys and indexes from the config's root. */
export interface FormContextValue {
  /** Makes ids of labels and burst keys unique. */
  formId: string;
  disabled: boolean;
  /** Problems by dotted path. */
  errors: ReadonlyMap<string, string>;
  scope: readonly ScopeEntry[];
  /** Latest output of a node in the run on view, or undefined. */
  lastValue(nodeId: string): Json | undefined;
  set(path: readonly (string | number)[], value: Json | undefined): void;
  /** A field was left: what is typed next is a new undo step. */
  settle(): void;
}

const FormContext = createContext<FormContextValue | null>(null);
export const FormProvider = FormContext;

export function useForm(): FormContextValue {
  const value = useContext(FormContext);
  if (!value) throw new Error('A field needs a FormProvider around it.');
  return value;
}
