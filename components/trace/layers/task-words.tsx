import { CircleCheck, CircleDashed, CircleSlash, CircleX, Hourglass, LoaderCircle, type LucideIcon, UserRound } from 'lucide-react';
import type { TaskChange, TaskMove } from '@/harness/trace/views/layers/tasks';
import type { BadgeTone } from '../../ui/badge';

interface Look {
  label: string;
  icon: LucideIcon;
  tone: BadgeTone;
  /** Text colour, for the icon on a card. */
  text: string;
}

const looks: Readonly<Record<string, Look>> = {
  PENDING: { label: 'Pending', icon: CircleDashed, tone: 'neutral', text: 'text-muted' },
  RUNNING: { label: 'Running', icon: LoaderCircle, tone: 'running', text: 'text-running' },
  COMPLETE: { label: 'Complete', icon: CircleCheck, tone: 'ok', text: 'text-ok' },
  FAILED: { label: 'Failed', icon: CircleX, tone: 'fail', text: 'text-fail' },
  BLOCKED: { label: 'Blocked', icon: CircleSlash, tone: 'warn', text: 'text-warn' },
  HUMAN_REQUIRED: { label: 'Needs a person', icon: UserRound, tone: 'waiting', text: 'text-waiting' },
};

/** A status of another version shows as itself. */
export const taskLook = (status: string): Look =>
  looks[status] ?? { label: status || 'Unknown', icon: Hourglass, tone: 'neutral', text: 'text-muted' };

const markWords: Readonly<Partial<Record<TaskMove, string>>> = {
  reopened: 'reopened',
  requeued: 'tried again',
  'sent back': 'sent back',
};

/** What is worth a mark on the card: `reopened`, `tried again ×2`. */
export function marksOf(changes: readonly TaskChange[]): string[] {
  const counts = new Map<string, number>();
  for (const { move } of changes) {
    const word = markWords[move];
    if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => (count === 1 ? word : `${word} ×${count}`));
}

export const changeWords = (change: TaskChange): string => {
  if (change.move === 'added') return `added as ${taskLook(change.to).label}`;
  if (change.move === 'dropped') return `dropped from the plan while ${taskLook(change.from).label}`;
  const way = change.from === change.to ? taskLook(change.to).label : `${taskLook(change.from).label} → ${taskLook(change.to).label}`;
  return change.move === 'moved' ? way : `${markWords[change.move] ?? change.move}: ${way}`;
};
