import { z } from 'zod';

const count = z.int().min(0).default(0);

/** What one loop remembers from turn to turn (planning.md §12). */
export const loopStateSchema = z.object({
  consecutive_text_only: count,
  consecutive_truncated: count,
  /** Name and sorted arguments of the latest call; equal calls have equal text. */
  prev_tool_hash: z.string().nullable().default(null),
  consecutive_same_tool: count,
  /** Failing test and lint runs in a row, by their exit and never by their text (P8). */
  recent_test_failures: count,
  consecutive_budget_interrupts: count,
  pre_refresh_nudge_sent: z.boolean().default(false),
});
export type LoopState = z.output<typeof loopStateSchema>;
export const newLoopState = (): LoopState => loopStateSchema.parse({});
