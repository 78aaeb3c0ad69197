import { z } from 'zod';
import { jsonSchema } from '@/harness/contract/json';
import type { ModelCaller, ModelRequest } from '@/harness/contract/model';
import { modelRoles } from '@/harness/contract/model';
import type { TraceEvent } from '@/harness/trace/events';
import { rehearsalProvider } from '../roles';
import { readStructured, schemaCheck } from '../structured';
import type { ScriptCursor } from './script';

/** What of a recorded request decides which reply answers it. */
const requestSchema = z.object({
  role: z.enum(modelRoles),
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  schema: z.record(z.string(), jsonSchema).optional(),
});

/**
 * Spends the replies that a run has had before this process took it up: one for each finished try of each rehearsed call, and one more where a
 * structured reply had to be corrected. A call that was cut off by the end of the process is not among them; it will be made again.
 */
export function spendRecorded(cursor: ScriptCursor, events: readonly TraceEvent[]): void {
  const numbers = new Map<string, number>();
  const open = new Map<string, { request: ModelRequest; caller: ModelCaller }>();
  for (const event of events) {
    const visit = event.visit ?? '';
    if (event.kind === 'visit-start') numbers.set(visit, event.number);
    else if (event.kind === 'model-start' && event.provider === rehearsalProvider) {
      const parsed = requestSchema.safeParse(event.request);
      if (!parsed.success) continue;
      const caller: ModelCaller = {
        runId: event.runId,
        flowId: '',
        nodeId: event.nodeId ?? '',
        nodeType: '',
        visit: numbers.get(visit) ?? 1,
        call: Number(/:(\d+)/.exec(event.key)?.[1] ?? 1),
      };
      // Only role, texts and schema are looked at; tool calls in the messages do not matter to a script.
      open.set(`${visit} ${event.key}`, { request: parsed.data as ModelRequest, caller });
    } else if (event.kind === 'model-end' || event.kind === 'model-retry') {
      const call = open.get(`${visit} ${event.key}`);
      const cancelled = event.error?.code === 'CANCELLED';
      if (call !== undefined && !cancelled) spend(cursor, call.request, call.caller);
    }
  }
}

function spend(cursor: ScriptCursor, request: ModelRequest, caller: ModelCaller): void {
  const reply = cursor.take(request, caller);
  if (reply === null || reply.error !== undefined || request.schema === undefined || reply.toolCalls?.length) return;
  const text = reply.text ?? JSON.stringify(reply.object ?? '');
  if (!readStructured(text, schemaCheck(request.schema)).ok) cursor.take(request, caller);
}
