import { z } from 'zod';
import { askAnswerSchema } from '@/harness/contract/ask';
import { jsonSchema } from '@/harness/contract/json';
import { flowDocumentSchema } from '@/harness/flow/schema';
import { runOptionsSchema } from '@/harness/trace/events';
import { procedure, router } from '../init';
import { byId, idInput } from '../inputs';

/** Changes that the person has looked at, each with what stood there then. */
const seenInput = z.object({
  id: idInput,
  seen: z.array(z.object({ path: z.string().min(1).max(4096), hash: z.string().max(128).nullable() })).max(2000),
});

export const runsRouter = router({
  start: procedure
    .input(
      z.object({
        flowId: idInput,
        document: flowDocumentSchema.optional(),
        input: jsonSchema,
        sessionId: idInput.optional(),
        workspace: z.string().min(1).max(4096).optional(),
        options: runOptionsSchema.partial().optional(),
      }),
    )
    .mutation(({ ctx, input }) => ctx.services.runs.start(input)),
  list: procedure
    .input(
      z.object({
        flowId: idInput.optional(),
        sessionId: idInput.optional(),
        limit: z.int().min(1).max(200).default(50),
        cursor: z.string().max(300).optional(),
      }),
    )
    .query(({ ctx, input }) => ctx.services.runs.list(input)),
  get: procedure.input(byId).query(({ ctx, input }) => ctx.services.runs.get(input.id)),
  events: procedure
    .input(z.object({ id: idInput, after: z.int().min(0).default(0), limit: z.int().min(1).max(5000).default(1000) }))
    .query(({ ctx, input }) => ctx.services.runs.events(input.id, input.after, input.limit)),
  payload: procedure.input(z.object({ hash: z.string().min(1).max(128) })).query(({ ctx, input }) => ctx.services.runs.payload(input.hash)),
  cancel: procedure.input(byId).mutation(({ ctx, input }) => ctx.services.runs.cancel(input.id)),
  answer: procedure
    .input(z.object({ id: idInput, askId: idInput, hash: z.string().max(200), answer: askAnswerSchema }))
    .mutation(({ ctx, input }) => ctx.services.runs.answer(input.id, input.askId, input.hash, input.answer)),
  resume: procedure.input(byId).mutation(({ ctx, input }) => ctx.services.runs.resume(input.id)),
  continue: procedure
    .input(z.object({ id: idInput, mode: z.enum(['step', 'run']) }))
    .mutation(({ ctx, input }) => ctx.services.runs.continue(input.id, input.mode)),
  fork: procedure
    .input(z.object({ id: idInput, seq: z.int().min(1), document: flowDocumentSchema.optional() }))
    .mutation(({ ctx, input }) => ctx.services.runs.fork(input.id, input.seq, input.document)),
  replay: procedure
    .input(z.object({ id: idInput, document: flowDocumentSchema.optional() }))
    .mutation(({ ctx, input }) => ctx.services.runs.replay(input.id, input.document)),
  export: procedure
    .input(z.object({ id: idInput, format: z.enum(['json', 'otel']) }))
    .query(({ ctx, input }) => ctx.services.runs.export(input.id, input.format)),
  changes: procedure.input(byId).query(({ ctx, input }) => ctx.services.runs.changes(input.id)),
  undo: procedure.input(seenInput).mutation(({ ctx, input }) => ctx.services.runs.undo(input.id, input.seen)),
  takeOver: procedure.input(seenInput).mutation(({ ctx, input }) => ctx.services.runs.takeOver(input.id, input.seen)),
  remove: procedure.input(byId).mutation(({ ctx, input }) => ctx.services.runs.remove(input.id)),
});
