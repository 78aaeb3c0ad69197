import { z } from 'zod';
import { createCallerFactory, procedure, router } from './init';
import { flowsRouter } from './routers/flows';
import { runsRouter } from './routers/runs';
import { chatRouter, sessionsRouter } from './routers/sessions';
import { settingsRouter } from './routers/settings';
import { streamRouter } from './routers/stream';

/** Everything the browser may ask. Plain JSON on the wire, no transformer. */
export const appRouter = router({
  flows: flowsRouter,
  templates: router({ list: procedure.query(({ ctx }) => ctx.services.templates.list()) }),
  runs: runsRouter,
  sessions: sessionsRouter,
  chat: chatRouter,
  stream: streamRouter,
  settings: settingsRouter,
  doctor: router({ report: procedure.query(({ ctx }) => ctx.services.doctor.report()) }),
  workspaces: router({
    samples: procedure.query(({ ctx }) => ctx.services.workspaces.samples()),
    check: procedure
      .input(z.object({ path: z.string().min(1).max(4096) }))
      .query(({ ctx, input }) => ctx.services.workspaces.check(input.path)),
  }),
});

export type AppRouter = typeof appRouter;

/** Every procedure by its dotted path, with what kind it is. */
export const procedureTypes = (): ReadonlyMap<string, string> => {
  // the declared type is nested like the router; the record itself is flat
  const flat = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
  return new Map(Object.entries(flat).map(([path, procedure]) => [path, procedure._def.type]));
};

export const createCaller = createCallerFactory(appRouter);
