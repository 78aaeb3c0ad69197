import { z } from 'zod';

export const nudgeKeys = [
  'text_only',
  'truncation',
  'pre_refresh',
  'reminder',
  'loop',
  'reasoning_budget',
  'claim',
  'confidence',
  'interrupt',
] as const;
export type NudgeKey = (typeof nudgeKeys)[number];

export const exitReasons = ['task_complete', 'reasoning_budget', 'truncation', 'text_only', 'turn_cap'] as const;
export type ExitReason = (typeof exitReasons)[number];

const turn = z.int().min(0);

/** What happened in a loop (planning.md §12). `turn_index` counts from 0; the trace event around it carries node, visit and time. */
export const loopEventSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('loop_detected'), tool_name: z.string(), count: z.int().min(1), turn_index: turn }),
  z.object({ kind: z.literal('context_refresh'), turn_index: turn, prompt_tokens_before: z.number(), context_window: z.number() }),
  z.object({ kind: z.literal('reminder_injected'), turn_index: turn, reminder_chars: z.int().min(0) }),
  z.object({ kind: z.literal('claim_unverified'), turn_index: turn, recent_test_failures: z.int().min(0) }),
  z.object({ kind: z.literal('nudge'), key: z.enum(nudgeKeys), turn_index: turn }),
  z.object({ kind: z.literal('exit'), reason: z.enum(exitReasons), turn_index: turn }),
  z.object({ kind: z.literal('interrupt'), turn_index: turn, dropped_calls: z.int().min(0) }),
  z.object({ kind: z.literal('cancelled'), turn_index: turn, dropped_calls: z.int().min(0) }),
  z.object({ kind: z.literal('task_complete_rejected'), turn_index: turn, message: z.string() }),
]);
export type LoopEvent = z.output<typeof loopEventSchema>;
