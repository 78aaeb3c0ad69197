import { z } from 'zod';
import type { Json } from '@/harness/contract/json';
import { jsonSchema } from '@/harness/contract/json';
import type { CalledTool } from '@/harness/layers/evidence/tool-evidence';

const callsSchema = z.object({
  toolCalls: z.array(z.object({ tool: z.string(), input: jsonSchema, status: z.string(), output: jsonSchema })),
});

/** The tool calls in the output of an agent. Calls that were never made (unknown, invalid, repeated, skipped) say nothing of the world. */
export function callsIn(received: Json, base: { prefix: string; taskId: string | null; at: string }): CalledTool[] {
  const parsed = callsSchema.safeParse(received);
  if (!parsed.success) return [];
  return parsed.data.toolCalls.flatMap(({ tool, input, status, output }, index) =>
    status === 'ok' || status === 'denied' || status === 'failed'
      ? [{ id: `${base.prefix}-${index}`, tool, input, status, output, at: base.at, task_id: base.taskId }]
      : [],
  );
}
