import type { Decision } from '../../contract/decision';
import type { ChatMessage, ToolCall } from '../../contract/model';
import { compared, decided, fact } from '../../layers/shared/explain';
import type { LoopEvent } from './events';

/** What people have sent meanwhile. Several messages are put in as one, oldest first. */
export interface Signals {
  cancelled: boolean;
  messages: readonly string[];
}

export type Steering =
  | { action: 'continue' }
  /** The loop stops: nothing more is called and nothing is added. */
  | { action: 'cancel'; events: LoopEvent[]; decision: Decision; dropped: ToolCall[] }
  /** `text` goes to the model after the results of the turn's calls; `dropped` are not carried out, a pending `task_complete` among them. */
  | { action: 'interrupt'; text: string; events: LoopEvent[]; decision: Decision; dropped: ToolCall[] };

export const interruptPrefix = '[USER INTERRUPT]';

/** The words of a person as the loop puts them to the model. */
export const interruptText = (messages: readonly string[]): string =>
  `${interruptPrefix} ${messages.join('\n\n')}\n\nTake this into account before you do anything else. Calls you had queued were not carried out.`;

/**
 * Looks for a cancel and for messages: at the start of a turn (with no calls left) and after each call (with those that are still to come, a
 * pending `task_complete` included). A cancel beats a message (planning.md §12).
 */
export function steer(signals: Signals, turnIndex: number, remaining: readonly ToolCall[] = []): Steering {
  const dropped = [...remaining];
  const because = [fact('cancelled', signals.cancelled), compared('messages waiting', signals.messages.length, '>', 0)];
  const note = dropped.length === 0 ? undefined : `Not carried out: ${dropped.map(({ name }) => name).join(', ')}.`;
  if (signals.cancelled) {
    return {
      action: 'cancel',
      events: [{ kind: 'cancelled', turn_index: turnIndex, dropped_calls: dropped.length }],
      decision: decided({ rule: 'control loop: cancel', outcome: 'stop', because, note }),
      dropped,
    };
  }
  if (signals.messages.length === 0) return { action: 'continue' };
  return {
    action: 'interrupt',
    text: interruptText(signals.messages),
    events: [{ kind: 'interrupt', turn_index: turnIndex, dropped_calls: dropped.length }],
    decision: decided({
      rule: 'control loop: interrupt',
      outcome: 'inject the message',
      because: [...because, fact('calls not carried out', dropped.length)],
      alternatives: [{ outcome: 'carry out the remaining calls', needs: 'no message from a person' }],
      note,
    }),
    dropped,
  };
}

/** Answers to calls that were not carried out: a provider wants one for each call of a reply. */
export const droppedResults = (dropped: readonly ToolCall[], reason = 'a message of the user came in between'): ChatMessage[] =>
  dropped.map((call) => ({
    role: 'tool',
    toolCallId: call.id,
    toolName: call.name,
    content: `ERROR: not carried out, because ${reason}.`,
    isError: true,
  }));
