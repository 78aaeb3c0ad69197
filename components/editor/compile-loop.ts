import type { Diagnostic } from '@/harness/compiler/diagnostic';
import type { Plan } from '@/harness/compiler/plan';
import type { FlowDocument } from '@/harness/flow/schema';
import type { EditorStore } from './store';

export interface Compiled {
  /** The document the diagnostics are about. */
  document: FlowDocument;
  plan: Plan | null;
  diagnostics: readonly Diagnostic[];
}

export type CompileFunction = (document: FlowDocument) => Omit<Compiled, 'document'>;

const quietMs = 250;

/**
 * Compiles as the flow is edited: after a pause, when the browser is idle, so neither typing nor dragging waits for it. Diagnostics carry functions
 * (fixes), which is why this is not a worker. Moving nodes does not compile again: layout means nothing to a plan.
 */
export function startCompileLoop(store: EditorStore, compile: CompileFunction): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let idle: number | undefined;
  const cancel = (): void => {
    clearTimeout(timer);
    if (idle !== undefined && typeof cancelIdleCallback === 'function') cancelIdleCallback(idle);
    idle = undefined;
  };
  const run = (): void => {
    idle = undefined;
    const { document } = store.getState();
    store.getState().setCompiled({ document, ...compile(document) });
  };
  const schedule = (delay: number): void => {
    cancel();
    timer = setTimeout(() => {
      if (typeof requestIdleCallback === 'function') idle = requestIdleCallback(run, { timeout: 1000 });
      else run();
    }, delay);
  };
  schedule(0);
  const stop = store.subscribe((state, before) => {
    const { document } = state;
    const last = before.document;
    if (document === last) return;
    const compiled = state.compiled;
    if (compiled && document.nodes === last.nodes && document.edges === last.edges && document.settings === last.settings) return;
    schedule(quietMs);
  });
  return () => {
    cancel();
    stop();
  };
}
