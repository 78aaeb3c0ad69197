import type { TraceEvent, TraceKind } from '@/harness/trace/events';
import { decisionLine, plainValue } from '@/harness/trace/views/decision-words';

export const eventTitles: Readonly<Record<TraceKind, string>> = {
  'run-start': 'Run started',
  'run-resume': 'Run resumed',
  'visit-start': 'Visit started',
  'visit-end': 'Visit ended',
  'visit-retry': 'Retry',
  'join-wait': 'Waiting at join',
  'token-end': 'Token ended',
  'state-patch': 'State changed',
  decision: 'Decision',
  'guard-verdict': 'Guard verdict',
  'model-start': 'Model asked',
  'model-retry': 'Model asked again',
  'model-end': 'Model answered',
  'tool-start': 'Tool called',
  'tool-end': 'Tool answered',
  'effect-end': 'Result stored',
  'ask-open': 'Question opened',
  'ask-answer': 'Question answered',
  'ask-refused': 'Answer refused',
  'sleep-start': 'Wait started',
  'sleep-end': 'Wait ended',
  'branches-open': 'Branches sent out',
  'inbox-read': 'Messages read',
  'inbox-return': 'Messages handed back',
  'scopes-open': 'Bodies opened',
  'scope-start': 'Body started',
  'scope-end': 'Body ended',
  log: 'Log',
  'limit-reached': 'Limit reached',
  'cancel-request': 'Cancel asked',
  'run-end': 'Run ended',
};

/** What an event says, on one line. */
export function eventSummary(event: TraceEvent): string {
  switch (event.kind) {
    case 'run-start':
      return plainValue(event.input, 120);
    case 'run-resume':
      return event.reason;
    case 'visit-start':
      return [event.number > 1 ? `visit ${event.number}` : '', event.attempt > 1 ? `attempt ${event.attempt}` : '']
        .filter(Boolean)
        .join(', ');
    case 'visit-end':
      return event.error === undefined
        ? `${event.outcome}${event.ports.length > 0 ? ` → ${event.ports.join(', ')}` : ''} ${plainValue(event.output, 90)}`
        : `${event.error.code}: ${event.error.message}`;
    case 'visit-retry':
      return `attempt ${event.attempt} after ${event.delayMs} ms: ${event.error.message}`;
    case 'join-wait':
      return `${event.arrived} arrived, ${event.live} under way`;
    case 'token-end':
      return event.port === undefined ? event.reason : `${event.reason} at ${event.port}`;
    case 'state-patch':
      return `${event.channel}: ${event.patches.map((patch) => `${patch.op} ${patch.path.join('.') || 'whole'} ${plainValue(patch.value, 40)}`).join('; ')}`;
    case 'decision':
      return decisionLine(event.decision);
    case 'guard-verdict':
      return `${event.policy} ${event.verdict} ${event.tool ?? event.subject}${event.message === undefined ? '' : `: ${event.message}`}`;
    case 'model-start':
      return `${event.provider === event.model ? event.model : `${event.provider} ${event.model}`} as ${event.role}`;
    case 'model-retry':
      return `after ${event.delayMs} ms: ${event.error.message}`;
    case 'model-end':
      return event.error === undefined ? plainValue(event.reply, 120) : `${event.error.code}: ${event.error.message}`;
    case 'tool-start':
      return `${event.tool} ${plainValue(event.input, 100)}`;
    case 'tool-end':
      return `${event.tool} ${plainValue(event.outcome, 100)}`;
    case 'effect-end':
      return `${event.key} ${plainValue(event.value, 100)}`;
    case 'ask-open':
      return event.ask.title;
    case 'ask-answer':
      return `${event.choice} by ${event.answer.by}`;
    case 'ask-refused':
      return `${event.reason} (by ${event.by})`;
    case 'sleep-start':
    case 'sleep-end':
      return event.key;
    case 'branches-open':
      return `${event.branches.length} branches`;
    case 'inbox-read':
      return plainValue(event.messages.map(({ text }) => text).join(' · '), 120);
    case 'inbox-return':
      return `${event.ids.length} to be turns of their own`;
    case 'scopes-open':
      return `${event.scopes.length} bodies, ${event.concurrency} at once`;
    case 'scope-start':
      return `body ${event.index}`;
    case 'scope-end':
      return `body ${event.index} ${event.outcome}`;
    case 'log':
      return event.message;
    case 'limit-reached':
      return event.message;
    case 'cancel-request':
      return `by ${event.by}`;
    case 'run-end':
      return event.error === undefined ? event.outcome : `${event.outcome}: ${event.error.message}`;
    default: {
      const never: never = event;
      return never;
    }
  }
}
