import { z } from 'zod';
import { jsonSchema } from '@/harness/contract/json';
import { turnPolicySchema } from '@/harness/layers/adaptive-control/state';
import { beliefDepGraphSchema, emptyBeliefDepGraph } from '@/harness/layers/belief-graph/state';
import { callerStateSchema, emptyCallerState } from '@/harness/layers/caller-updates/state';
import { emptyMemoryState, memoryStateSchema } from '@/harness/layers/context-compression/state';
import { controlStateSchema, initialControlState } from '@/harness/layers/control-state/state';
import { diagnosticsSchema, initialDiagnostics } from '@/harness/layers/diagnostics/state';
import { emptyEvidenceStore, evidenceStoreSchema } from '@/harness/layers/evidence/state';
import { emptyHypothesisSet, hypothesisSetSchema } from '@/harness/layers/hypothesis/state';
import { emptyOutputContract, outputContractSchema } from '@/harness/layers/output-validation/state';
import { emptyTaskGraph, taskGraphSchema } from '@/harness/layers/planning/state';
import { blockerSchema } from '@/harness/layers/recovery/blocker';
import {
  emptyFailureDiagnostics,
  emptyRecoveryLog,
  experienceStoreSchema,
  failureDiagnosticsSchema,
  initialStrategyState,
  recoveryLogSchema,
  strategyStateSchema,
  unavailableExperience,
} from '@/harness/layers/recovery/state';
import { reviewerVerdictSchema } from '@/harness/layers/reviewer/state';
import { riskLevelSchema } from '@/harness/layers/shared/levels';
import { verificationSchema } from '@/harness/layers/verification/state';
import { emptyWorldModel, worldModelSchema } from '@/harness/layers/world-model/state';
import { type ChannelSpec, defineChannel } from '@/harness/state/channel';

// The state objects of layers.md R0 as run channels, and what the loop carries besides them. Inside they are snake_case, as there.

/** What the run is for; written before the loop. */
export const goalSchema = z.object({
  objective: z.string().default(''),
  risk: riskLevelSchema.default('MEDIUM'),
  max_steps: z.int().min(1).default(50),
});
export type Goal = z.output<typeof goalSchema>;

/** What is about to be done: first the task itself, then each concrete write that the agent proposes (D13). */
export const proposalSchema = z.object({
  task_id: z.string(),
  kind: z.enum(['task', 'tool']),
  /** What the gates read: the description, or tool, arguments and diff as text. */
  text: z.string(),
  tool: z.string().nullable().default(null),
  call_id: z.string().nullable().default(null),
  arguments: jsonSchema.default(null),
  diff: z.string().nullable().default(null),
  /** Null until the action gate has decided. */
  gate: z.enum(['PASS', 'BLOCK', 'ESCALATE']).nullable().default(null),
});
export type Proposal = z.output<typeof proposalSchema>;

/** One call of a tool that has not become evidence yet. */
export const toolResultSchema = z.object({
  id: z.string(),
  task_id: z.string().nullable(),
  tool: z.string(),
  input: jsonSchema,
  status: z.enum(['ok', 'denied', 'failed']),
  output: jsonSchema,
  effect: z.enum(['read', 'idempotent', 'write']),
  /** Workspace paths that the call wrote, relative to its root. */
  paths: z.array(z.string()).default([]),
  at: z.string(),
});
export type ToolResult = z.output<typeof toolResultSchema>;

/** How the last visit of `act` left its task. */
export const taskResultSchema = z.object({
  status: z.enum(['done', 'continue', 'failed']),
  output: jsonSchema.default(null),
  error: z.string().nullable().default(null),
  /** Why it failed, as `recovery` tells failures apart; a failed verification is not known here. */
  failure: z.enum(['system_error', 'exhausted', 'not_accomplished']).nullable().default(null),
  /** Model calls for this task. */
  turns: z.int().min(0).default(0),
  step: z.int().min(0).default(0),
  /** Set once its evidence has been recorded. */
  recorded: z.boolean().default(false),
  changed_paths: z.array(z.string()).default([]),
});
export type TaskResult = z.output<typeof taskResultSchema>;

/** One message of the conversation a task is worked on in. */
export const workMessageSchema = z.object({
  role: z.enum(['user', 'assistant', 'tool']),
  content: z.string().default(''),
  tool_calls: z.array(z.object({ id: z.string(), name: z.string(), arguments: jsonSchema })).optional(),
  tool_call_id: z.string().optional(),
  tool: z.string().optional(),
});
export type WorkMessage = z.output<typeof workMessageSchema>;

/** Counters and one-shot notes between layers. */
export const progressSchema = z.object({
  steps_used: z.int().min(0).default(0),
  /** Steps granted by a person beyond `goal.max_steps`. */
  extra_steps: z.int().min(0).default(0),
  consecutive_review_failures: z.record(z.string(), z.int().min(0)).default({}),
  /** Every gate decision of the run, for INV-15. */
  gates: z.array(z.object({ task_id: z.string(), result: z.enum(['PASS', 'BLOCK', 'ESCALATE']) })).default([]),
  should_gather: z.boolean().default(false),
  /** Dimensions or rules for which a person is needed; read by the next resolve. */
  escalations: z.array(z.object({ source: z.string(), dimension: z.string() })).default([]),
  recovery_log: recoveryLogSchema.prefault(emptyRecoveryLog()),
  supervisor: z.object({ gathers: z.int().min(0).default(0), asks: z.int().min(0).default(0) }).prefault({}),
  /** Beliefs that the contradiction model check has seen. */
  checked_belief_ids: z.array(z.string()).default([]),
  blocker: blockerSchema.nullable().default(null),
  final_result: jsonSchema.default(null),
  reviewer_passes: z.int().min(0).default(0),
  reopened_task_ids: z.array(z.string()).default([]),
  /** Tasks at high risk whose best hypothesis did not survive the result (D10); the reviewer reads them. */
  adversarial_failures: z.array(z.string()).default([]),
  /** How often recovery has rebuilt the plan. */
  plan_revisions: z.int().min(0).default(0),
  /** How often the result was sent back by its validation. */
  output_revisions: z.int().min(0).default(0),
  /** Beliefs that recovery has given up; their evidence does not become beliefs again. */
  retired_belief_ids: z.array(z.string()).default([]),
  /** True once a model was asked for hypotheses; asked once per run. */
  hypotheses_asked: z.boolean().default(false),
  /** How many pieces of evidence the hypothesis judge has seen. */
  judged_evidence: z.int().min(0).default(0),
  /** Layers and checks that an adaptive layer policy leaves out of this turn. */
  skipped_layers: z.array(z.string()).default([]),
  /** Messages of people that this run did not take up; each is run as a turn of its own, in this order. */
  handed_back: z.array(z.object({ id: z.string(), text: z.string() })).default([]),
});
export type Progress = z.output<typeof progressSchema>;

interface Parts {
  id: string;
  title: string;
  summary: string;
  schema: z.ZodType;
  initial: ChannelSpec['initial'];
  /** What is missing in a flow where no node writes it; told at the nodes that read it. */
  missing?: string;
}

const state = (parts: Parts): ChannelSpec => defineChannel({ ...parts, reducer: 'replace', scope: 'run', writers: 'many' });

export const controlChannels: readonly ChannelSpec[] = [
  state({
    id: 'turnPolicy',
    title: 'Turn policy',
    summary: 'How much of the harness this turn needs, judged once before the loop.',
    schema: turnPolicySchema.nullable(),
    initial: null,
  }),
  state({
    id: 'goal',
    title: 'Goal',
    summary: 'Objective, risk and step limit of the run.',
    schema: goalSchema,
    initial: goalSchema.parse({}),
    missing: 'the loop has no objective and at most 50 steps',
  }),
  state({
    id: 'worldModel',
    title: 'World model',
    summary: 'Observations, beliefs, contradictions and changes of the environment.',
    schema: worldModelSchema,
    initial: emptyWorldModel(),
    missing: 'there are no beliefs to judge by',
  }),
  state({
    id: 'callerState',
    title: 'Caller',
    summary: 'What the person wants, as it stands now.',
    schema: callerStateSchema,
    initial: emptyCallerState(),
    missing: 'there are no success criteria and no constraints',
  }),
  defineChannel({
    id: 'controlState',
    title: 'Control state',
    summary: 'What may happen next, and why not more.',
    schema: controlStateSchema,
    reducer: 'replace',
    scope: 'run',
    initial: initialControlState(),
    writers: 'one',
    missing: 'nothing is ever blocked',
  }),
  state({
    id: 'diagnostics',
    title: 'Diagnostics',
    summary: 'Ten health dimensions, each from 0 to 1.',
    schema: diagnosticsSchema,
    initial: initialDiagnostics(),
    missing: 'the ten dimensions keep their first values, so none of them blocks',
  }),
  state({
    id: 'taskGraph',
    title: 'Tasks',
    summary: 'Tasks with their states, dependencies and write domains.',
    schema: taskGraphSchema,
    initial: emptyTaskGraph(),
    missing: 'there are no tasks to choose from',
  }),
  state({
    id: 'outputContract',
    title: 'Output contract',
    summary: 'What the result must look like.',
    schema: outputContractSchema,
    initial: emptyOutputContract(),
  }),
  state({
    id: 'evidenceStore',
    title: 'Evidence',
    summary: 'Evidence so far, which sources may give any, and how far each is trusted.',
    schema: evidenceStoreSchema,
    initial: emptyEvidenceStore(),
    missing: 'nothing that tools found is kept, so checks have no evidence',
  }),
  state({
    id: 'hypothesisSet',
    title: 'Hypotheses',
    summary: 'Rival explanations, live and eliminated.',
    schema: hypothesisSetSchema,
    initial: emptyHypothesisSet(),
    missing: 'there are no hypotheses, so coverage cannot be judged',
  }),
  state({
    id: 'memoryState',
    title: 'Journal',
    summary: 'What is kept of earlier work when the context is folded.',
    schema: memoryStateSchema,
    initial: emptyMemoryState(),
  }),
  state({
    id: 'strategyState',
    title: 'Strategy',
    summary: 'The rung of the strategy ladder, its switches, and the history the stall rule reads.',
    schema: strategyStateSchema,
    initial: initialStrategyState(),
  }),
  state({
    id: 'failureDiagnostics',
    title: 'Failures',
    summary: 'Failures so far, the failure library and the pattern that matches.',
    schema: failureDiagnosticsSchema,
    initial: emptyFailureDiagnostics(),
  }),
  defineChannel({
    id: 'experienceStore',
    title: 'Experience',
    summary: 'What earlier runs of this flow learned about strategies.',
    schema: experienceStoreSchema,
    reducer: 'replace',
    scope: 'flow',
    initial: unavailableExperience(),
    writers: 'many',
  }),
  state({
    id: 'beliefDepGraph',
    title: 'Belief dependencies',
    summary: 'Which belief rests on what, how firmly, and whether that was verified.',
    schema: beliefDepGraphSchema,
    initial: emptyBeliefDepGraph(),
  }),
  state({
    id: 'currentTask',
    title: 'Current task',
    summary: 'Id of the task this branch works on.',
    schema: z.string().nullable(),
    initial: null,
    missing: 'no task is chosen, so the objective itself is worked on until the run reaches one of its limits',
  }),
  state({
    id: 'proposal',
    title: 'Proposal',
    summary: 'What is about to be done and what the gates said of it.',
    schema: proposalSchema.nullable(),
    initial: null,
  }),
  state({
    id: 'toolResults',
    title: 'Tool results',
    summary: 'Calls of tools that have not become evidence yet.',
    schema: z.array(toolResultSchema),
    initial: [],
    missing: 'no tool results come in',
  }),
  defineChannel({
    id: 'taskResults',
    title: 'Results',
    summary: 'What each task has produced, by task id.',
    schema: z.record(z.string(), taskResultSchema),
    reducer: 'merge',
    scope: 'run',
    initial: {},
    writers: 'many',
    missing: 'there are no results to check',
  }),
  defineChannel({
    id: 'conversation',
    title: 'Working conversation',
    summary: 'Messages between the harness and the model, by task id.',
    schema: z.record(z.string(), z.array(workMessageSchema)),
    reducer: 'merge',
    scope: 'run',
    initial: {},
    writers: 'many',
  }),
  state({
    id: 'verification',
    title: 'Verification',
    summary: 'The nine checks of the last result.',
    schema: verificationSchema.nullable(),
    initial: null,
    missing: 'results count as they come, nothing is verified',
  }),
  state({
    id: 'verdict',
    title: 'Reviewer verdict',
    summary: 'The finding that the next resolve reads, once.',
    schema: reviewerVerdictSchema.nullable(),
    initial: null,
  }),
  defineChannel({
    id: 'progress',
    title: 'Progress',
    summary: 'Counters and one-shot notes between the layers.',
    schema: progressSchema,
    reducer: 'merge',
    scope: 'run',
    initial: progressSchema.parse({}),
    writers: 'many',
  }),
];
