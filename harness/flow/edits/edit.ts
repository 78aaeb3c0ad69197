import type { FlowDocument } from '../schema';

/** The outcome of an edit that may be refused; a refusal says why in words for the person. */
export type Edit = { ok: true; document: FlowDocument } | { ok: false; code: string; message: string };

export const done = (document: FlowDocument): Edit => ({ ok: true, document });
export const refused = (code: string, message: string): Edit => ({ ok: false, code, message });

/** The first of `base`, `base_2`, `base_3`… that is free; it is taken from then on. */
export function takeId(taken: Set<string>, base: string): string {
  const stem = base.replace(/_\d+$/, '');
  let id = base;
  for (let count = 2; taken.has(id); count++) id = `${stem}_${count}`;
  taken.add(id);
  return id;
}

/** The same for labels: `Draft`, `Draft 2`. An empty label stays empty. */
export function takeLabel(taken: Set<string>, base: string): string {
  const stem = base.replace(/ \d+$/, '');
  let label = base;
  for (let count = 2; label !== '' && taken.has(label); count++) label = `${stem} ${count}`;
  taken.add(label);
  return label;
}
