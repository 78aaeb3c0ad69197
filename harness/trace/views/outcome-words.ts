import type { RunStatus } from '../events';
import type { TraceIndex } from './trace-index';

/** A run's standing for people: what it is, why, and what can be done about it. */
export interface OutcomeWords {
  title: string;
  detail: string | null;
  hint: string | null;
}

export const statusTitles: Readonly<Record<RunStatus, string>> = {
  running: 'Running',
  waiting: 'Waiting',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
  limit: 'Stopped at a limit',
  interrupted: 'Interrupted',
  incomplete: 'Incomplete',
};

const capPlaces: Readonly<Record<string, string>> = {
  steps: 'Raise “Steps” under “Limits of one run” in the flow settings, or let the flow end sooner.',
  wallTimeMs: 'Raise “Time” under “Limits of one run” in the flow settings.',
  tokens: 'Raise “Tokens” under “Limits of one run” in the flow settings, or clear it.',
  cost: 'Raise “Cost” under “Limits of one run” in the flow settings, or clear it.',
};

const raiseHint = (cap: string, nodeLabel: string | null): string => {
  if (Object.hasOwn(capPlaces, cap)) return capPlaces[cap] ?? '';
  if (cap.startsWith('edge') || cap.startsWith('loop') || cap.startsWith('maxTraversals')) {
    return 'Select the loop edge on the canvas and raise how often it may be taken, or give the loop a way out.';
  }
  return nodeLabel === null ? `Raise the cap “${cap}” where it is set.` : `Raise the cap “${cap}” of the policy attached to ${nodeLabel}.`;
};

/**
 * Why a run stands where it stands. `titleOf` gives a node's label by id. `status` is how the run stands by a better source than its events:
 * the record of a run whose process died, or one that is ahead of the events that have arrived.
 */
export function outcomeWords(index: TraceIndex, titleOf: (nodeId: string) => string, status: RunStatus = index.run.status): OutcomeWords {
  const { end, limit, cancelledBy } = index.run;
  const title = statusTitles[status];
  if (status === 'limit') {
    if (limit === null) return { title, detail: end?.error?.message ?? null, hint: null };
    // The engine's own messages say how; those of policies may not.
    if (/raise|allow more/i.test(limit.message)) return { title, detail: limit.message, hint: null };
    return { title, detail: limit.message, hint: raiseHint(limit.cap, limit.nodeId === undefined ? null : titleOf(limit.nodeId)) };
  }
  if (status === 'incomplete') {
    const names = (end?.unreached ?? []).map(titleOf);
    const detail = names.length === 0 ? 'No output was reached.' : `Never reached: ${names.join(', ')}.`;
    return { title, detail, hint: 'Every token ended before an output. Connect the port the last visit left by.' };
  }
  if (status === 'failed') return { title, detail: end?.error?.message ?? null, hint: null };
  if (status === 'cancelled') return { title, detail: cancelledBy === null ? null : `By ${cancelledBy}.`, hint: null };
  if (status === 'interrupted') {
    return { title, detail: 'The process that held the run stopped.', hint: 'Resume it: finished model and tool calls are not repeated.' };
  }
  if (status === 'waiting') {
    const open = [...index.asks.values()].filter((ask) => ask.end === null);
    if (open.length === 0) return { title, detail: null, hint: null };
    return { title, detail: open.length === 1 ? `For an answer: ${open[0]?.ask.title ?? ''}` : `For ${open.length} answers.`, hint: null };
  }
  return { title, detail: null, hint: null };
}
