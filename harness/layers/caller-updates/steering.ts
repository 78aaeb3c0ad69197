import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { decided, fact } from '../shared/explain';

/** How a message sent while a run is under way is understood (around-the-loop.md §3). */
export const steeringClasses = ['SAME_TASK', 'SAME_GOAL_NEW_TASK', 'NEW_GOAL', 'CANCEL_CURRENT'] as const;
export const steeringSchema = z.object({
  scope: z.enum(steeringClasses),
  urgency: z.enum(['immediate', 'deferred']).default('deferred'),
  reason: z.string().default(''),
  /** Constraints that the message adds, and of those in force, word for word, the ones it lifts. */
  addedConstraints: z.array(z.string()).default([]),
  liftedConstraints: z.array(z.string()).default([]),
  /** What is asked for instead of what is cancelled; empty when nothing is. */
  instead: z.string().default(''),
});
export type Steering = z.output<typeof steeringSchema>;

/** Any doubt is the same goal, a new task, deferred (INV-41). */
export const doubtful = (reason: string): Steering => steeringSchema.parse({ scope: 'SAME_GOAL_NEW_TASK', urgency: 'deferred', reason });

const words = (title: string, initial: string[]) => z.array(z.string().min(1)).default(initial).meta({ title });

export const steeringRulesSchema = z.object({
  cancel: words('Words that cancel', ['stop', 'cancel', 'never mind', 'forget it', 'abandon this']),
  constraint: words('Starts of a constraint', ['do not', "don't", 'must not', 'must', 'never', 'without', 'only', 'always', 'required:']),
  sameTask: words('Starts of a note on the work at hand', [
    'note:',
    'also',
    'and ',
    'use ',
    'i meant',
    'correction',
    'please also',
    'hint',
  ]),
  newGoal: words('Starts of something else', ['new task', 'something else', 'instead', 'different question', 'unrelated', 'by the way']),
});
export type SteeringRules = z.output<typeof steeringRulesSchema>;
export const defaultSteeringRules: SteeringRules = steeringRulesSchema.parse({});

/** Judges a message by how it begins; what no list knows is doubtful. */
export function steeringByRules(text: string, rules: SteeringRules = defaultSteeringRules): Steering {
  const lower = text.toLowerCase().trim();
  const starts = (list: readonly string[]) =>
    list.find((start) => lower.startsWith(start) && !/[a-z]/.test(start.endsWith(' ') ? '' : (lower[start.length] ?? '')));
  const cancel = starts(rules.cancel);
  if (cancel !== undefined) {
    const instead = /\b(?:and|instead|then)\b[,:]?\s+(.+)$/is.exec(text.trim())?.[1]?.trim() ?? '';
    return steeringSchema.parse({ scope: 'CANCEL_CURRENT', urgency: 'immediate', reason: `begins with "${cancel}"`, instead });
  }
  const constraint = starts(rules.constraint);
  if (constraint !== undefined) {
    const addedConstraints = [text.trim()];
    return steeringSchema.parse({ scope: 'SAME_TASK', urgency: 'immediate', reason: `begins with "${constraint}"`, addedConstraints });
  }
  const goal = starts(rules.newGoal);
  if (goal !== undefined) return steeringSchema.parse({ scope: 'NEW_GOAL', reason: `begins with "${goal}"` });
  const note = starts(rules.sameTask);
  if (note !== undefined) return steeringSchema.parse({ scope: 'SAME_TASK', urgency: 'immediate', reason: `begins with "${note.trim()}"` });
  return doubtful('no rule knows how it begins');
}

/** Where a message ends: exactly one place. */
export type SteeringDestination = 'note' | 'task' | 'next-turn' | 'cancel';

export interface Routed {
  destination: SteeringDestination;
  /** Text to run as the next turn, or `null`. */
  handedBack: string | null;
  decision: Decision;
}

export interface SteeringSituation {
  text: string;
  /** The open task whose next model call would read a note; `null` when there is none. */
  openTask: string | null;
  /** Where deferred work of the same goal goes: a turn of its own, or a task of this run. */
  deferred: 'next-turn' | 'task';
}

/** Decides where a message goes; without an open task a note has nobody to read it and is handed back (around-the-loop.md §3). */
export function routeSteering(steering: Steering, { text, openTask, deferred }: SteeringSituation): Routed {
  const spliced = steering.scope === 'SAME_TASK' || (steering.scope === 'SAME_GOAL_NEW_TASK' && steering.urgency === 'immediate');
  const later = steering.scope === 'SAME_GOAL_NEW_TASK' && deferred === 'task' ? 'task' : 'next-turn';
  const destination: SteeringDestination =
    steering.scope === 'CANCEL_CURRENT' ? 'cancel' : spliced ? (openTask === null ? 'next-turn' : 'note') : later;
  const handedBack =
    destination === 'next-turn' ? text : destination === 'cancel' && steering.instead.trim() !== '' ? steering.instead.trim() : null;
  const outcomes: Record<SteeringDestination, string> = {
    note: `a note for task "${openTask}", read by its next model call`,
    task: 'a new task of this run',
    'next-turn': 'runs as a turn of its own',
    cancel: handedBack === null ? 'the open tasks are cancelled' : 'the open tasks are cancelled, what is asked instead runs next',
  };
  return {
    destination,
    handedBack,
    decision: decided({
      rule: `steering: ${steering.scope}, ${steering.urgency}`,
      outcome: outcomes[destination],
      because: [fact('message', text), fact('open task', openTask), fact('constraints added', steering.addedConstraints)],
      alternatives:
        destination === 'note' || destination === 'cancel'
          ? []
          : [{ outcome: 'note', needs: openTask === null ? 'an open task' : 'a message about the work at hand' }],
      note: steering.reason || undefined,
    }),
  };
}
