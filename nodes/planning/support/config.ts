import { z } from 'zod';
import { type ModelRole, modelRoles } from '@/harness/contract/model';
import { tierConfigSchema } from '@/harness/planning/context/tier';
import { toolOutputConfigSchema } from '@/harness/planning/context/tool-output';

/** The window of a model that nobody described, in tokens. */
export const usualWindow = 128_000;

export const roleField = (initial: ModelRole, title = 'Model role') =>
  z
    .enum(modelRoles)
    .default(initial)
    .meta({ title, description: 'Which of the flow’s models answers. A role without a model of its own uses the primary one.' });

export const contextWindow = z
  .int()
  .min(1024)
  .max(10_000_000)
  .nullable()
  .default(null)
  .meta({ title: 'Context window (tokens)', description: `Of the model that answers. Empty counts as ${usualWindow}.` });

export const debugPlanning = z
  .boolean()
  .default(false)
  .meta({ title: 'Write the artefact as a file', description: 'Into .bridle in the workspace, through create_file. Meant for debugging.' });

const tools = (names: readonly string[], title = 'Tools') =>
  z
    .array(z.string().min(1).max(200))
    .max(200)
    .default([...names])
    .meta({ title, description: 'Names of the tools that may be called, as far as the flow grants them.' });
export const toolNames = tools;

export const toolLimitsSchema = tierConfigSchema.pick({
  smallWindow: true,
  readFileLines: true,
  grepHits: true,
  listEntries: true,
  listEntriesNormal: true,
  treeEntries: true,
  treeEntriesNormal: true,
});

export const compressionSchema = toolOutputConfigSchema.pick({
  compressTools: true,
  compressOver: true,
  compressedTokens: true,
  acceptedOver: true,
});

/** Config that every node with a tool loop has. Spread into its schema. */
export const loopFields = {
  contextWindow,
  compressOutput: z.boolean().default(true).meta({
    title: 'Compress large tool output',
    description: 'The worker model shortens what would take a large part of the window. Off: it is cut.',
  }),
  compression: compressionSchema.prefault({}).meta({ title: 'Large tool output' }),
  toolLimits: toolLimitsSchema.prefault({}).meta({ title: 'What tools show, by size of the window' }),
};
export type LoopSettings = z.output<z.ZodObject<typeof loopFields>>;

/** Hints for `loopFields`, to be spread into a manifest’s `fields`. */
export const loopHints = {
  contextWindow: { section: 'Context' },
  compressOutput: { section: 'Context' },
  compression: { section: 'Context', when: { field: 'compressOutput', is: true } },
  toolLimits: { section: 'Context' },
} as const;

export const windowOf = (settings: { contextWindow: number | null }): number => settings.contextWindow ?? usualWindow;
