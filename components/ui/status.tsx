import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CirclePause,
  CircleSlash,
  CircleX,
  Gauge,
  LoaderCircle,
  type LucideIcon,
  Pin,
  RotateCcw,
  SkipForward,
  TriangleAlert,
  Unplug,
} from 'lucide-react';
import { cn } from './cn';

/** Every state a run, a visit or a check can be shown in. */
export type Status =
  | 'idle'
  | 'queued'
  | 'running'
  | 'succeeded'
  | 'done'
  | 'failed'
  | 'cancelled'
  | 'limit'
  | 'waiting'
  | 'interrupted'
  | 'incomplete'
  | 'skipped'
  | 'disabled'
  | 'pinned'
  | 'retrying'
  | 'ok'
  | 'warning'
  | 'problem';

type Tone = 'running' | 'ok' | 'warn' | 'fail' | 'waiting' | 'skipped';

interface Look {
  label: string;
  tone: Tone;
  icon: LucideIcon;
}

const looks: Record<Status, Look> = {
  idle: { label: 'Not run', tone: 'skipped', icon: CircleDashed },
  queued: { label: 'Queued', tone: 'skipped', icon: CircleDashed },
  running: { label: 'Running', tone: 'running', icon: LoaderCircle },
  succeeded: { label: 'Succeeded', tone: 'ok', icon: CircleCheck },
  done: { label: 'Done', tone: 'ok', icon: CircleCheck },
  failed: { label: 'Failed', tone: 'fail', icon: CircleX },
  cancelled: { label: 'Cancelled', tone: 'skipped', icon: Ban },
  limit: { label: 'Limit reached', tone: 'warn', icon: Gauge },
  waiting: { label: 'Waiting for you', tone: 'waiting', icon: CirclePause },
  interrupted: { label: 'Interrupted', tone: 'warn', icon: Unplug },
  incomplete: { label: 'Incomplete', tone: 'warn', icon: CircleSlash },
  skipped: { label: 'Skipped', tone: 'skipped', icon: SkipForward },
  disabled: { label: 'Disabled', tone: 'skipped', icon: CircleSlash },
  pinned: { label: 'Pinned', tone: 'waiting', icon: Pin },
  retrying: { label: 'Retrying', tone: 'warn', icon: RotateCcw },
  ok: { label: 'OK', tone: 'ok', icon: CircleCheck },
  warning: { label: 'Warning', tone: 'warn', icon: TriangleAlert },
  problem: { label: 'Problem', tone: 'fail', icon: CircleX },
};

const text: Record<Tone, string> = {
  running: 'text-running',
  ok: 'text-ok',
  warn: 'text-warn',
  fail: 'text-fail',
  waiting: 'text-waiting',
  skipped: 'text-skipped',
};
const soft: Record<Tone, string> = {
  running: 'bg-running-soft',
  ok: 'bg-ok-soft',
  warn: 'bg-warn-soft',
  fail: 'bg-fail-soft',
  waiting: 'bg-waiting-soft',
  skipped: 'bg-skipped-soft',
};

export const isStatus = (value: string): value is Status => Object.hasOwn(looks, value);
/** A status word that a newer log may carry still shows, as itself. */
const lookOf = (status: string): Look => (isStatus(status) ? looks[status] : { label: status, tone: 'skipped', icon: CircleDot });

export const statusLabel = (status: string): string => lookOf(status).label;

/** A small icon in the status colour; its shape differs by status, and it carries the word for screen readers. */
export function StatusDot({ status, size = 14, className }: { status: string; size?: number; className?: string }) {
  const look = lookOf(status);
  return (
    <span className={cn('inline-flex shrink-0', text[look.tone], className)} title={look.label}>
      <look.icon aria-hidden size={size} className={status === 'running' ? 'animate-spin' : undefined} />
      <span className="sr-only">{look.label}</span>
    </span>
  );
}

/** Icon and word. `label` replaces the word where the place needs its own ("Waiting for an approval"). */
export function StatusBadge({ status, label, className }: { status: string; label?: string; className?: string }) {
  const look = lookOf(status);
  return (
    <span
      className={cn(
        'inline-flex h-5 shrink-0 items-center gap-1 whitespace-nowrap rounded-sm px-1.5 font-medium text-xs',
        text[look.tone],
        soft[look.tone],
        className,
      )}
    >
      <look.icon aria-hidden size={12} className={status === 'running' ? 'animate-spin' : undefined} />
      {label ?? look.label}
    </span>
  );
}
