import { z } from 'zod';
import { reliabilitySchema } from '../shared/levels';

export const evidenceTypeSchema = z.enum(['OBSERVATION', 'INFERENCE', 'SYSTEM_ERROR']);
export type EvidenceType = z.output<typeof evidenceTypeSchema>;

export const evidenceSchema = z.object({
  id: z.string(),
  obs: z.string(),
  reliability: reliabilitySchema,
  source: z.string(),
  evidence_type: evidenceTypeSchema,
  /** ISO time at which it was gathered. */
  freshness: z.string(),
  /** The task it was gathered for. */
  task_id: z.string().optional(),
  /** Workspace paths it is about; beliefs that rest on it go stale when one of them changes. */
  paths: z.array(z.string()).optional(),
});
export type Evidence = z.output<typeof evidenceSchema>;

export const toolAvailabilitySchema = z.object({ available: z.boolean(), fallback_tool: z.string().nullable().default(null) });
export const toolManifestSchema = z.record(z.string(), toolAvailabilitySchema);
export type ToolManifest = z.output<typeof toolManifestSchema>;

export const reliabilityEnvelopeSchema = z.object({
  tool: z.string(),
  max_observation_reliability: reliabilitySchema,
  max_conclusion_reliability: reliabilitySchema,
});

/** Evidence gathered so far, which sources may give any, and how far each may be trusted (layers.md R2). */
export const evidenceStoreSchema = z.object({
  observations: z.array(evidenceSchema).default([]),
  tool_availability_manifest: toolManifestSchema.default({}),
  tool_reliability_envelopes: z.record(z.string(), reliabilityEnvelopeSchema).default({}),
});
export type EvidenceStore = z.output<typeof evidenceStoreSchema>;
export const emptyEvidenceStore = (): EvidenceStore => evidenceStoreSchema.parse({});
