import { z } from 'zod';
import { approvalStateSchema, initialApproval } from '@/harness/planning/approval/state';
import { designAndRisksSchema } from '@/harness/planning/artefacts/design';
import { executionPlanSchema } from '@/harness/planning/artefacts/execution-plan';
import { fileObservationSchema, fileSummarySchema } from '@/harness/planning/artefacts/file-summary';
import { phase1SummarySchema } from '@/harness/planning/artefacts/phase1-summary';
import { commandSetSchema, stepResultSchema, validationResultsSchema } from '@/harness/planning/artefacts/results';
import { scopeDocumentSchema } from '@/harness/planning/artefacts/scope-document';
import { memoryRowSchema } from '@/harness/planning/memory/row';
import { validationAttemptSchema } from '@/harness/planning/post-validation/attempts';
import { haltReasons, tddStates } from '@/harness/planning/tdd/machine';
import { type ChannelSpec, defineChannel, type Reducer } from '@/harness/state/channel';

// The artefacts of planning.md as run channels. Inside they are snake_case, as there.

/** What is to be done, and what is known of the project beforehand. */
export const planTaskSchema = z.object({ task: z.string().default(''), context: z.string().default('') });
export type PlanTask = z.output<typeof planTaskSchema>;

/** An observation under its identity. */
export const observationRowSchema = fileObservationSchema.extend({ id: z.string().min(1) });
export type ObservationRow = z.output<typeof observationRowSchema>;

/** One entry of the journal; `phase` is the label of the node that wrote it. */
export const journalEntrySchema = z.object({ phase: z.string().default(''), text: z.string() });
export type JournalEntry = z.output<typeof journalEntrySchema>;

/** `id` is the number of the step as text. */
export const stepResultRowSchema = stepResultSchema.extend({ id: z.string().min(1) });
export type StepResultRow = z.output<typeof stepResultRowSchema>;

/** Where the tests-first machine stands (planning.md §14). */
export const tddProgressSchema = z.object({
  state: z.enum(tddStates).default('ELIGIBILITY'),
  halt: z.enum(haltReasons).nullable().default(null),
  /** Authored tests with the command that runs each alone. */
  targeted: z.array(z.object({ step_number: z.int(), command: z.string() })).default([]),
  problem: z.string().default(''),
});
export type TddProgress = z.output<typeof tddProgressSchema>;

/** What a chat session keeps of its latest task, so that `/resume` can take it up in a later run (planning.md §3). */
export const sessionWorkSchema = z.object({
  task: z.string().default(''),
  context: z.string().default(''),
  scratchpad: z.string().default(''),
  journal: z.array(journalEntrySchema).default([]),
});
export type SessionWork = z.output<typeof sessionWorkSchema>;

interface Parts {
  id: string;
  title: string;
  summary: string;
  schema: z.ZodType;
  initial: ChannelSpec['initial'];
  reducer?: Reducer;
  /** What is missing in a flow where no node writes it; told at the nodes that read it. */
  missing?: string;
}

const run = ({ reducer = 'replace', ...parts }: Parts): ChannelSpec => defineChannel({ ...parts, reducer, scope: 'run', writers: 'many' });

export const planningChannels: readonly ChannelSpec[] = [
  run({
    id: 'planTask',
    title: 'Task to plan',
    summary: 'What is to be done, and what is known of the project beforehand.',
    schema: planTaskSchema,
    initial: planTaskSchema.parse({}),
  }),
  run({
    id: 'phase1Summary',
    title: 'Clarification',
    summary: 'The task as understood, with the questions that were put and their answers.',
    schema: phase1SummarySchema.nullable(),
    initial: null,
    missing: 'the task is taken as it was typed',
  }),
  run({
    id: 'scopeDocument',
    title: 'Scope',
    summary: 'What the task is and is not.',
    schema: scopeDocumentSchema.nullable(),
    initial: null,
    missing: 'nothing says what is in scope and what is not',
  }),
  run({
    id: 'observations',
    title: 'File observations',
    summary: 'What exploration recorded of each file; a later record of a path replaces the earlier one.',
    schema: z.array(observationRowSchema),
    initial: [],
    reducer: 'upsert',
  }),
  run({
    id: 'scratchpad',
    title: 'Scratchpad',
    summary: 'Working notes that survive a rebuilt context.',
    schema: z.string(),
    initial: '',
  }),
  run({
    id: 'journal',
    title: 'Work journal',
    summary: 'What was done and found, in order.',
    schema: z.array(journalEntrySchema),
    initial: [],
    reducer: 'append',
  }),
  run({
    id: 'fileSummary',
    title: 'File summary',
    summary: 'What exploration found: files to change, to create and to know, and how the workspace tests.',
    schema: fileSummarySchema.nullable(),
    initial: null,
    missing: 'paths of the plan cannot be held against what was found',
  }),
  run({
    id: 'designAndRisks',
    title: 'Design and risks',
    summary: 'Naming, designs, missing files, risks and core functionality.',
    schema: designAndRisksSchema.nullable(),
    initial: null,
    missing: 'the plan is made without a design, and no core functionality is tagged',
  }),
  run({
    id: 'executionPlan',
    title: 'Execution plan',
    summary: 'The steps that a person approves and that are then carried out.',
    schema: executionPlanSchema.nullable(),
    initial: null,
    missing: 'there is no plan to approve or carry out',
  }),
  run({
    id: 'commandSet',
    title: 'Commands',
    summary: 'How this workspace formats, lints and tests.',
    schema: commandSetSchema,
    initial: commandSetSchema.parse({}),
    missing: 'no command is known, so nothing is formatted, linted or tested',
  }),
  run({
    id: 'stepResults',
    title: 'Step results',
    summary: 'What each step came to.',
    schema: z.array(stepResultRowSchema),
    initial: [],
    reducer: 'upsert',
  }),
  run({
    id: 'validationResults',
    title: 'Validation results',
    summary: 'What formatter, linter and tests said after execution.',
    schema: validationResultsSchema.nullable(),
    initial: null,
    missing: 'nothing was validated, so there is nothing to repair',
  }),
  run({
    id: 'validationAttempts',
    title: 'Validation attempts',
    summary: 'One row for each attempt at repairing what failed.',
    schema: z.array(validationAttemptSchema),
    initial: [],
    reducer: 'append',
  }),
  run({
    id: 'createdRegressionFiles',
    title: 'Regression files of this run',
    summary: 'Regression tests that were created in this run and may still be changed.',
    schema: z.array(z.string()),
    initial: [],
    reducer: 'append',
  }),
  run({
    id: 'modifiedFiles',
    title: 'Modified files',
    summary: 'Paths that were written, in order.',
    schema: z.array(z.string()),
    initial: [],
    reducer: 'append',
  }),
  run({
    id: 'approvalState',
    title: 'Approval',
    summary: 'Where the approval of the plan stands.',
    schema: approvalStateSchema,
    initial: initialApproval,
  }),
  run({
    id: 'tddState',
    title: 'Tests first',
    summary: 'Where the tests-first machine stands, and why it halted.',
    schema: tddProgressSchema,
    initial: tddProgressSchema.parse({}),
  }),
  run({
    id: 'planWarnings',
    title: 'Planning warnings',
    summary: 'What the phases before the plan want a person to know.',
    schema: z.array(z.string()),
    initial: [],
    reducer: 'append',
  }),
  defineChannel({
    id: 'sessionWork',
    title: 'Work of the session',
    summary: 'Task, scratchpad and journal of the latest run of this chat session, for taking it up again.',
    schema: sessionWorkSchema,
    initial: sessionWorkSchema.parse({}),
    reducer: 'merge',
    scope: 'session',
    writers: 'many',
  }),
  defineChannel({
    id: 'workspaceMemories',
    title: 'Memories',
    summary: 'What earlier runs learned; only curated ones are shown to a model.',
    schema: z.array(memoryRowSchema),
    initial: [],
    reducer: 'upsert',
    scope: 'flow',
    writers: 'many',
  }),
];
