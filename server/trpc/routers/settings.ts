import { z } from 'zod';
import { modelRoles } from '@/harness/contract/model';
import { modelChoiceSchema } from '@/harness/flow/schema';
import { procedure, router } from '../init';
import { byId, idInput } from '../inputs';

const secretName = z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'A secret name is capital letters, digits and _, and begins with a letter.');

const providerInput = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'A provider id is small letters, digits and -.'),
  kind: z.enum(['openai', 'anthropic', 'google', 'openai-compatible', 'ollama']),
  title: z.string().max(200).optional(),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional(),
  key: z.string().max(10_000).optional(),
  models: z.array(z.string().min(1).max(300)).max(500).optional(),
});

export const settingsRouter = router({
  get: procedure.query(({ ctx }) => ctx.services.settings.get()),
  saveProvider: procedure.input(providerInput).mutation(({ ctx, input }) => ctx.services.settings.saveProvider(input)),
  removeProvider: procedure.input(byId).mutation(({ ctx, input }) => ctx.services.settings.removeProvider(input.id)),
  testProvider: procedure
    .input(z.object({ id: idInput, model: z.string().min(1).max(300) }))
    .mutation(({ ctx, input }) => ctx.services.settings.testProvider(input.id, input.model)),
  saveRoles: procedure
    .input(z.object({ roles: z.partialRecord(z.enum(modelRoles), modelChoiceSchema) }))
    .mutation(({ ctx, input }) => ctx.services.settings.saveRoles(input.roles)),
  setSecret: procedure
    .input(z.object({ name: secretName, value: z.string().min(1).max(100_000) }))
    .mutation(({ ctx, input }) => ctx.services.settings.setSecret(input.name, input.value)),
  removeSecret: procedure
    .input(z.object({ name: secretName }))
    .mutation(({ ctx, input }) => ctx.services.settings.removeSecret(input.name)),
});
