import { z } from 'zod';
import { userError } from '@/harness/contract/errors';
import { defineTool } from './define-tool';

export const currentTime = defineTool({
  name: 'current_time',
  title: 'Current time',
  description: "Tells the time by the run's clock, in UTC and, if asked, in a time zone.",
  effect: 'read',
  ceiling: 'HIGH',
  input: z.strictObject({ timeZone: z.string().max(100).optional().describe('IANA name such as "Europe/Berlin".') }),
  output: z.object({ utc: z.string(), epochMs: z.number(), local: z.string().optional(), timeZone: z.string().optional() }),
  async run({ timeZone }, context) {
    const epochMs = context.now();
    const utc = new Date(epochMs).toISOString();
    if (timeZone === undefined) return { utc, epochMs };
    try {
      const local = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'long' }).format(epochMs);
      return { utc, epochMs, local, timeZone };
    } catch {
      throw userError('TOOL_INPUT', `"${timeZone}" is not a known time zone. Use an IANA name such as "Europe/Berlin".`);
    }
  },
});
