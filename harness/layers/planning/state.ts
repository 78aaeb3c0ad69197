import { z } from 'zod';
import { riskLevelSchema } from '../shared/levels';

export const taskStatusSchema = z.enum(['PENDING', 'RUNNING', 'COMPLETE', 'FAILED', 'BLOCKED', 'HUMAN_REQUIRED']);
export type TaskStatus = z.output<typeof taskStatusSchema>;

export const taskSchema = z.object({
  id: z.string(),
  description: z.string(),
  status: taskStatusSchema.default('PENDING'),
  risk_level: riskLevelSchema.default('MEDIUM'),
  depends_on: z.array(z.string()).default([]),
  parallel_write_domains: z.array(z.string()).default([]),
  abstraction_level: z.number().int().min(0).default(1),
  assigned_strategy: z.string().nullable().default(null),
  block_reason: z.string().nullable().optional(),
  /** The failed task that keeps this one from running. */
  blocked_by: z.string().optional(),
  /** True once the system-error retry has been spent on it. */
  retried: z.boolean().optional(),
  node_kind: z.enum(['task', 'goal_hypothesis']).optional(),
  goal_id: z.string().optional(),
  hypothesis_ids: z.array(z.string()).optional(),
  relation_to_siblings: z.enum(['alternative', 'concurrent']).optional(),
});
export type Task = z.output<typeof taskSchema>;

/** The work of a run (layers.md R7). `changed` is set by any change of status and never reset. */
export const taskGraphSchema = z.object({
  tasks: z.array(taskSchema).default([]),
  conflict_probability_cache: z.record(z.string(), z.number()).default({}),
  changed: z.boolean().default(false),
  /** Set by the oscillation_stabilise recovery: no two tasks run at once. */
  serial: z.boolean().optional(),
});
export type TaskGraph = z.output<typeof taskGraphSchema>;
export const emptyTaskGraph = (): TaskGraph => taskGraphSchema.parse({});

export const taskById = (graph: TaskGraph, id: string): Task | undefined => graph.tasks.find((task) => task.id === id);
