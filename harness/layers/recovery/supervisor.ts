import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { compared, decided, fact } from '../shared/explain';
import { strategySchema } from './state';

export const supervisorActions = ['CONTINUE', 'REDIRECT_STRATEGY', 'REFRAME_PLAN', 'GATHER_EVIDENCE', 'ASK_USER', 'ABORT'] as const;

export const supervisorConfigSchema = z.object({
  maxGather: z.number().int().min(0).default(3).meta({ title: 'Investigations per run' }),
  maxGatherCalls: z.number().int().min(1).default(20).meta({ title: 'Most calls of an investigation' }),
  gatherCalls: z.number().int().min(1).default(5).meta({ title: 'Calls of an investigation unless told otherwise' }),
  maxAsk: z.number().int().min(0).default(2).meta({ title: 'Questions to a person per run' }),
});
export type SupervisorConfig = z.output<typeof supervisorConfigSchema>;
export const defaultSupervisorConfig: SupervisorConfig = supervisorConfigSchema.parse({});

export const directiveSchema = z.object({
  action: z.enum(supervisorActions),
  rationale: z.string().default(''),
  strategy: strategySchema.optional(),
  calls: z.number().int().min(1).optional(),
  question: z.object({ question: z.string().min(1), options: z.array(z.string()).max(4).default([]) }).optional(),
});
export type Directive = z.output<typeof directiveSchema>;

/** What the supervisor has used up of its caps in this run. */
export interface SupervisorUse {
  gather: number;
  ask: number;
}

/** Reads an answer of the supervisor: anything unreadable or over its cap is CONTINUE (layers.md R10). It never writes control state (INV-21). */
export function readDirective(
  answer: unknown,
  used: SupervisorUse,
  config: SupervisorConfig = defaultSupervisorConfig,
): { directive: Directive; decision: Decision } {
  const parsed = directiveSchema.safeParse(answer);
  const proposed: Directive = parsed.success ? parsed.data : { action: 'CONTINUE', rationale: 'the answer could not be read' };
  const over =
    (proposed.action === 'GATHER_EVIDENCE' && used.gather >= config.maxGather) ||
    (proposed.action === 'ASK_USER' && (used.ask >= config.maxAsk || !proposed.question));
  const directive: Directive = over
    ? { action: 'CONTINUE', rationale: `${proposed.action} refused: its cap is used up or it asks nothing` }
    : proposed.action === 'GATHER_EVIDENCE'
      ? { ...proposed, calls: Math.min(config.maxGatherCalls, proposed.calls ?? config.gatherCalls) }
      : proposed;
  return {
    directive,
    decision: decided({
      rule: 'supervisor',
      outcome: directive.action,
      because: [
        fact('proposed', parsed.success ? proposed.action : 'unreadable'),
        compared('investigations used', used.gather, '<', config.maxGather),
        compared('questions used', used.ask, '<', config.maxAsk),
      ],
      note: directive.rationale || undefined,
    }),
  };
}
