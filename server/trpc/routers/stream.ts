import { tracked } from '@trpc/server';
import { z } from 'zod';
import { procedure, router } from '../init';
import { idInput } from '../inputs';

const tabInput = z.string().min(8).max(100);

export const streamRouter = router({
  /** One per browser tab. `lastEventId` is sent by the client when it reconnects; nothing is missed or sent twice. */
  open: procedure.input(z.object({ tab: tabInput, lastEventId: z.string().max(20_000).nullish() })).subscription(async function* ({
    ctx,
    input,
    signal,
  }) {
    const stop = signal ?? new AbortController().signal;
    for await (const { id, frame } of ctx.services.stream.open(input.tab, input.lastEventId ?? null, stop)) yield tracked(id, frame);
  }),
  watch: procedure
    .input(z.object({ tab: tabInput, runId: idInput, after: z.int().min(0).default(0) }))
    .mutation(({ ctx, input }) => ctx.services.stream.watch(input.tab, input.runId, input.after)),
  unwatch: procedure
    .input(z.object({ tab: tabInput, runId: idInput }))
    .mutation(({ ctx, input }) => ctx.services.stream.unwatch(input.tab, input.runId)),
});
