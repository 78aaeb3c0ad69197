import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { compared, decided } from '../../layers/shared/explain';
import type { MemoryRow } from './row';

const day = 86_400_000;

export const retentionConfigSchema = z.object({
  retentionDays: z
    .int()
    .min(1)
    .max(36_500)
    .default(365)
    .meta({ title: 'Days a memory is kept', description: 'Counted from when it was taken in.' }),
});
export type RetentionConfig = z.output<typeof retentionConfigSchema>;

/** When a memory taken in at `now` runs out. Times are milliseconds since the epoch. */
export const expiryOf = (now: number, { retentionDays }: RetentionConfig): number => now + retentionDays * day;

/** Archives what has run out (planning.md §16). Rows that a person rejected stay: they keep their content from coming back. */
export function retireExpired(rows: readonly MemoryRow[], now: number): { retired: MemoryRow[]; decision: Decision } {
  const retired = rows
    .filter(({ curation_status, expires_at }) => !['superseded', 'user_rejected'].includes(curation_status) && (expires_at ?? now) < now)
    .map((row): MemoryRow => ({ ...row, curation_status: 'superseded' }));
  return {
    retired,
    decision: decided({
      rule: 'memory: retention',
      outcome: `${retired.length} archived`,
      because: [compared('memories past their time', retired.length, '>', 0)],
    }),
  };
}
