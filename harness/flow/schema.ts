import { z } from 'zod';
import { jsonSchema } from '../contract/json';
import { modelRoles } from '../contract/model';

export const flowFormat = 'bridle/flow';
/** The version of FlowDocument this build writes; a newer document is refused with both versions named. */
export const flowVersion = 1;

/** Ids are free text (quotes, spaces, any script), 1 to 300 characters; handles are never made of them. */
export const idSchema = z.string().min(1).max(300);

const configSchema = z.record(z.string(), jsonSchema);

export const flowNodeSchema = z.object({
  id: idSchema,
  type: z.string().min(1).max(200),
  typeVersion: z.int().min(1),
  label: z.string().max(300),
  config: configSchema,
  /** The container or frame it stands in. */
  parent: idSchema.optional(),
  disabled: z.boolean().optional(),
  note: z.string().max(20_000).optional(),
});
export type FlowNode = z.output<typeof flowNodeSchema>;

export const flowEdgeSchema = z.object({
  id: idSchema,
  kind: z.enum(['flow', 'attach']),
  /** `attach`: source is the policy, target what it is pinned to. */
  source: idSchema,
  /** The port a flow edge leaves from; absent on attach edges. */
  port: z.string().min(1).max(200).optional(),
  target: idSchema,
  /** How often one run may take this edge; required on edges that close a cycle. */
  maxTraversals: z.int().min(1).max(1_000_000).optional(),
});
export type FlowEdge = z.output<typeof flowEdgeSchema>;

/** Which model answers for a role. `provider` is the id of a configured provider, never a key. */
export const modelChoiceSchema = z.object({
  provider: z.string().min(1),
  model: z.string().min(1),
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: z.int().min(1).optional(),
});
export type ModelChoice = z.output<typeof modelChoiceSchema>;

/** Caps of one run; reaching one is the outcome `limit` (design §6). Time in milliseconds, cost in US dollars. */
export const capsSchema = z.object({
  steps: z.int().min(1).max(10_000_000).default(1000).meta({ title: 'Steps' }),
  wallTimeMs: z.int().min(1).default(3_600_000).meta({ title: 'Wall time (ms)' }),
  tokens: z.int().min(1).nullable().default(null).meta({ title: 'Tokens' }),
  cost: z.number().min(0).nullable().default(null).meta({ title: 'Cost (USD)' }),
});
export type Caps = z.output<typeof capsSchema>;

export const flowSettingsSchema = z.object({
  models: z.partialRecord(z.enum(modelRoles), modelChoiceSchema).default({}),
  caps: capsSchema.default(capsSchema.parse({})),
  /** Tools that nodes of this flow may use; `null` grants every registered tool. */
  tools: z.array(z.string()).nullable().default(null),
  /** Names of secrets that may be used as `{{secrets.NAME}}` in outbound headers. Values live in the host. */
  secrets: z.array(z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'a secret name is A-Z, 0-9 and _')).default([]),
});
export type FlowSettings = z.output<typeof flowSettingsSchema>;

const finite = z.number().refine(Number.isFinite, 'must be finite');
export const nodeLayoutSchema = z.object({
  x: finite,
  y: finite,
  width: finite.optional(),
  height: finite.optional(),
  color: z.string().max(40).optional(),
  collapsed: z.boolean().optional(),
  locked: z.boolean().optional(),
});
export type NodeLayout = z.output<typeof nodeLayoutSchema>;

export const layoutSchema = z.object({
  nodes: z.record(z.string(), nodeLayoutSchema).default({}),
  viewport: z.object({ x: finite, y: finite, zoom: finite }).optional(),
});

/**
 * What people own (design §3): plain JSON, versioned; moving nodes changes only `layout`. Node types are open strings here, so an unknown or
 * newer type survives load, edit and export untouched.
 */
export const flowDocumentSchema = z.object({
  format: z.literal(flowFormat),
  version: z.literal(flowVersion),
  id: idSchema,
  name: z.string().min(1).max(300),
  description: z.string().max(20_000).default(''),
  nodes: z.array(flowNodeSchema).max(20_000),
  edges: z.array(flowEdgeSchema).max(60_000),
  settings: flowSettingsSchema.default(flowSettingsSchema.parse({})),
  layout: layoutSchema.default({ nodes: {} }),
});
export type FlowDocument = z.output<typeof flowDocumentSchema>;
