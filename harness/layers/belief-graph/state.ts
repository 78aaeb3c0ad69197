import { z } from 'zod';

export const beliefEdgeSchema = z.object({
  from: z.string(),
  to: z.string(),
  confidence: z.number().min(0).max(1),
  verified: z.boolean(),
});
export type BeliefEdge = z.output<typeof beliefEdgeSchema>;

/** Which belief derives from what, and how far that has been verified (layers.md R1). An edge runs from source to belief. */
export const beliefDepGraphSchema = z.object({
  belief_nodes: z.array(z.object({ belief_id: z.string(), confidence: z.number().min(0).max(1) })).default([]),
  derived_from_edges: z.array(beliefEdgeSchema).default([]),
  unverified_edge_ratio: z.number().min(0).max(1).default(0),
  invalidation_frontier: z.array(z.string()).default([]),
  propagation_queue: z.array(z.object({ source_belief_id: z.string(), target_belief_id: z.string() })).default([]),
});
export type BeliefDepGraph = z.output<typeof beliefDepGraphSchema>;
export const emptyBeliefDepGraph = (): BeliefDepGraph => beliefDepGraphSchema.parse({});

export const depGraphBudgetSchema = z.object({
  max_unverified_edge_ratio: z.number().min(0).max(1).default(0.3).meta({ title: 'Unverified share above which invalidation spreads' }),
});
export type DepGraphBudget = z.output<typeof depGraphBudgetSchema>;
export const defaultDepGraphBudget: DepGraphBudget = depGraphBudgetSchema.parse({});
