import { z } from 'zod';
import { jsonSchema } from '../contract/json';
import { capsSchema, flowSettingsSchema } from '../flow/schema';

export const planVersion = 1;

/** Where a port leads. `loop` is present on edges that close a cycle and carries the cap of one run. */
export const planTargetSchema = z.object({
  edge: z.string(),
  node: z.string(),
  loop: z.object({ max: z.int().min(1) }).optional(),
});
export type PlanTarget = z.output<typeof planTargetSchema>;

export const planNodeSchema = z.object({
  id: z.string(),
  type: z.string(),
  typeVersion: z.int(),
  label: z.string(),
  role: z.enum(['start', 'end', 'step', 'fork', 'join', 'merge', 'container']),
  layer: z.string(),
  /** Parsed: defaults filled in. */
  config: z.record(z.string(), jsonSchema),
  /** Ports in order; the first is the one taken by default and by a disabled node. */
  ports: z.array(z.string()),
  next: z.record(z.string(), z.array(planTargetSchema)),
  /** Attached policy node ids, in the order they are asked (by id). */
  policies: z.array(z.string()),
  /** The container it stands in. */
  parent: z.string().optional(),
  disabled: z.boolean().optional(),
  /** Containers: the node a body starts at. Subflow nodes have none: their body is another plan. */
  entry: z.string().optional(),
  /** Subflow nodes: key into `Plan.subplans`. */
  subplan: z.string().optional(),
  /**
   * Joins: fork points it closes (`nodeId`, whatever port forks), by balanced depth: walking from the fork, each further fork is one
   * level down and each join one level up; the join met at level zero closes it.
   */
  closes: z.array(z.string()).optional(),
  /** Joins: every node from which this join can be reached inside the same body. */
  reachableFrom: z.array(z.string()).optional(),
  /** Which channels its type reads and writes. */
  reads: z.array(z.string()),
  writes: z.array(z.string()),
});
export type PlanNode = z.output<typeof planNodeSchema>;

export const planPolicySchema = z.object({ id: z.string(), type: z.string(), label: z.string(), config: z.record(z.string(), jsonSchema) });
export type PlanPolicy = z.output<typeof planPolicySchema>;

export interface Plan {
  format: 'bridle/plan';
  version: number;
  flowId: string;
  flowName: string;
  /** Hash of everything below; same document + same catalogue = same hash, whatever the drawing order. */
  hash: string;
  nodes: Record<string, PlanNode>;
  policies: Record<string, PlanPolicy>;
  /** Start nodes outside any container, in id order. */
  starts: string[];
  /** End (`output`) nodes outside any container; `required` ones must be reached for success. */
  outputs: { id: string; required: boolean }[];
  caps: z.output<typeof capsSchema>;
  settings: z.output<typeof flowSettingsSchema>;
  /** Plans of the flows that subflow nodes name. */
  subplans: Record<string, Plan>;
}

export const planSchema: z.ZodType<Plan> = z.lazy(() =>
  z.object({
    format: z.literal('bridle/plan'),
    version: z.number(),
    flowId: z.string(),
    flowName: z.string(),
    hash: z.string(),
    nodes: z.record(z.string(), planNodeSchema),
    policies: z.record(z.string(), planPolicySchema),
    starts: z.array(z.string()),
    outputs: z.array(z.object({ id: z.string(), required: z.boolean() })),
    caps: capsSchema,
    settings: flowSettingsSchema,
    subplans: z.record(z.string(), planSchema),
  }),
);
