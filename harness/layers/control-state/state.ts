import { z } from 'zod';

export const blockEntrySchema = z.object({ dimension: z.string(), value: z.number(), recovery_action_class: z.string() });
export type BlockEntry = z.output<typeof blockEntrySchema>;

/** The only input for choosing what may happen next; only the resolver writes it (layers.md R6, INV-06). */
export const controlStateSchema = z.object({
  generation_id: z.number().int().min(0).default(0),
  permission: z.enum(['ALLOW', 'DENY']).default('ALLOW'),
  execution_mode: z.enum(['NORMAL', 'CAUTIOUS', 'RECOVERY']).default('NORMAL'),
  escalation: z.enum(['NONE', 'HUMAN_REQUIRED', 'SYSTEM_BREAKING']).default('NONE'),
  risk_estimate: z.number().min(0).max(1).default(0),
  confidence_estimate: z.number().min(0).max(1).default(1),
  escalation_reason: z.string().nullable().default(null),
  block_mask: z.array(blockEntrySchema).default([]),
  notes: z.array(z.string()).default([]),
});
export type ControlState = z.output<typeof controlStateSchema>;
export const initialControlState = (): ControlState => controlStateSchema.parse({});

export const riskSummarySchema = z.enum(['NORMAL', 'CAUTIOUS', 'BLOCKED']);
export type RiskSummary = z.output<typeof riskSummarySchema>;

export const riskSummary = (state: Pick<ControlState, 'permission' | 'execution_mode'>): RiskSummary =>
  state.permission === 'DENY' ? 'BLOCKED' : state.execution_mode === 'CAUTIOUS' ? 'CAUTIOUS' : 'NORMAL';
