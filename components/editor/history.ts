import type { FlowDocument } from '@/harness/flow/schema';

/** A step that can be undone: `document` is the whole flow on the other side of it. */
export interface HistoryStep {
  readonly label: string;
  readonly document: FlowDocument;
}

/**
 * The undo history of one open flow. Steps hold whole documents (edits share structure, so a step costs what it changed). `burst` names the run of
 * edits that is still being collected into the newest step.
 */
export interface History {
  readonly past: readonly HistoryStep[];
  readonly future: readonly HistoryStep[];
  readonly burst: { readonly key: string; readonly at: number } | null;
}

export const emptyHistory: History = { past: [], future: [], burst: null };

/** How long a pause may be, in milliseconds, before typing in the same field begins a new step. */
export const burstPauseMs = 1200;
const maxSteps = 300;

export interface Edit {
  label: string;
  /** Edits with the same key that follow each other within the pause are one step. */
  burst?: string | undefined;
  at: number;
}

/** Takes an edit down. Whatever could be redone is gone at once (BR-03). */
export function recordEdit(history: History, before: FlowDocument, edit: Edit): History {
  const joins = edit.burst !== undefined && history.burst?.key === edit.burst && edit.at - history.burst.at <= burstPauseMs;
  const burst = edit.burst === undefined ? null : { key: edit.burst, at: edit.at };
  if (joins && history.past.length > 0) return { past: history.past, future: [], burst };
  const past = [...history.past, { label: edit.label, document: before }];
  return { past: past.length > maxSteps ? past.slice(past.length - maxSteps) : past, future: [], burst };
}

export interface Travel {
  history: History;
  document: FlowDocument;
  label: string;
}

/** One step back, or null when there is none. */
export function undoStep(history: History, current: FlowDocument): Travel | null {
  const step = history.past.at(-1);
  if (!step) return null;
  return {
    document: step.document,
    label: step.label,
    history: { past: history.past.slice(0, -1), future: [{ label: step.label, document: current }, ...history.future], burst: null },
  };
}

/** One step forward again, or null when there is none. */
export function redoStep(history: History, current: FlowDocument): Travel | null {
  const [step, ...rest] = history.future;
  if (!step) return null;
  return {
    document: step.document,
    label: step.label,
    history: { past: [...history.past, { label: step.label, document: current }], future: rest, burst: null },
  };
}

/** Ends the burst, so that the next edit begins a step of its own (a field was left, a drag ended). */
export const endBurst = (history: History): History => (history.burst ? { ...history, burst: null } : history);
