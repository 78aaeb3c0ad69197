import { z } from 'zod';
import { flowDocumentSchema } from '@/harness/flow/schema';
import { procedure, router } from '../init';
import { byId, idInput, nameInput } from '../inputs';

const versionInput = z.object({ id: idInput, version: z.int().min(1) });

/** Longest flow text that is taken in, in UTF-16 units. */
const longestImport = 20_000_000;

export const flowsRouter = router({
  list: procedure.query(({ ctx }) => ctx.services.flows.list()),
  get: procedure.input(byId).query(({ ctx, input }) => ctx.services.flows.get(input.id)),
  create: procedure
    .input(z.object({ name: nameInput.optional(), templateId: idInput.optional() }))
    .mutation(({ ctx, input }) => ctx.services.flows.create(input)),
  save: procedure
    .input(z.object({ id: idInput, document: flowDocumentSchema, baseRevision: z.int().min(0) }))
    .mutation(({ ctx, input }) => ctx.services.flows.save(input.id, input.document, input.baseRevision)),
  remove: procedure.input(byId).mutation(({ ctx, input }) => ctx.services.flows.remove(input.id)),
  duplicate: procedure.input(byId).mutation(({ ctx, input }) => ctx.services.flows.duplicate(input.id)),
  import: procedure
    .input(z.object({ text: z.string().max(longestImport), name: nameInput.optional() }))
    .mutation(({ ctx, input }) => ctx.services.flows.import(input.text, input.name)),
  export: procedure.input(byId).query(({ ctx, input }) => ctx.services.flows.export(input.id)),
  versions: procedure.input(byId).query(({ ctx, input }) => ctx.services.flows.versions(input.id)),
  saveVersion: procedure
    .input(z.object({ id: idInput, name: nameInput }))
    .mutation(({ ctx, input }) => ctx.services.flows.saveVersion(input.id, input.name)),
  getVersion: procedure.input(versionInput).query(({ ctx, input }) => ctx.services.flows.getVersion(input.id, input.version)),
  restoreVersion: procedure.input(versionInput).mutation(({ ctx, input }) => ctx.services.flows.restoreVersion(input.id, input.version)),
});
