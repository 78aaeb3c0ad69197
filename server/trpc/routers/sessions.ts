import { z } from 'zod';
import { flowDocumentSchema } from '@/harness/flow/schema';
import { runOptionsSchema } from '@/harness/trace/events';
import { procedure, router } from '../init';
import { byId, idInput, nameInput } from '../inputs';

const attachmentSchema = z.object({
  name: z.string().min(1).max(300),
  mediaType: z.string().max(200),
  text: z.string().max(1_000_000),
});

export const sessionsRouter = router({
  list: procedure.input(z.object({ flowId: idInput })).query(({ ctx, input }) => ctx.services.sessions.list(input.flowId)),
  create: procedure
    .input(z.object({ flowId: idInput, title: nameInput.optional() }))
    .mutation(({ ctx, input }) => ctx.services.sessions.create(input.flowId, input.title)),
  rename: procedure
    .input(z.object({ id: idInput, title: nameInput }))
    .mutation(({ ctx, input }) => ctx.services.sessions.rename(input.id, input.title)),
  remove: procedure.input(byId).mutation(({ ctx, input }) => ctx.services.sessions.remove(input.id)),
  get: procedure.input(byId).query(({ ctx, input }) => ctx.services.sessions.get(input.id)),
});

export const chatRouter = router({
  send: procedure
    .input(
      z.object({
        sessionId: idInput,
        text: z.string().min(1).max(1_000_000),
        attachments: z.array(attachmentSchema).max(20).optional(),
        workspace: z.string().min(1).max(4096).optional(),
        workspaceMode: runOptionsSchema.shape.workspaceMode,
        document: flowDocumentSchema.optional(),
        replaces: idInput.optional(),
      }),
    )
    .mutation(({ ctx, input }) => ctx.services.sessions.send(input)),
  removeMessage: procedure
    .input(z.object({ sessionId: idInput, messageId: idInput }))
    .mutation(({ ctx, input }) => ctx.services.sessions.removeMessage(input.sessionId, input.messageId)),
});
