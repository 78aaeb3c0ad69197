import type { TraceEvent } from '@/harness/trace/events';
import type { OpenAsk } from '../api-types';

/** Questions that were opened and not answered; none once the run has ended. */
export function openAsks(events: readonly TraceEvent[]): OpenAsk[] {
  const open = new Map<string, OpenAsk>();
  for (const event of events) {
    if (event.kind === 'ask-open') {
      const { askId, hash, ask, runId, at } = event;
      open.set(askId, { askId, runId, nodeId: event.nodeId ?? null, hash, ask, openedAt: at });
    }
    if (event.kind === 'ask-answer') open.delete(event.askId);
    if (event.kind === 'run-end') open.clear();
  }
  return [...open.values()];
}

export const askKinds = ['ask-open', 'ask-answer', 'run-end'] as const satisfies TraceEvent['kind'][];
