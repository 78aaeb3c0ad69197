import { z } from 'zod';
import { jsonSchema } from '@/harness/contract/json';
import { modelScriptSchema } from '@/harness/testing/model-script';
import { runOptionsSchema } from '@/harness/trace/events';

/*
 * A scenario is one JSON document: a flow, what goes in, what the model and people say, what goes wrong, and what must come of it. The format is
 * described for people in docs/scenarios.md; this schema is the same thing for the program.
 */

export const scenarioFormat = 'bridle/scenario';
export const scenarioVersion = 1;

/** Any JSON; inside, `{"$contains": …}` and its like stand for a test instead of a value (`matchers.ts`). */
const pattern = jsonSchema;

/** A moment of the run: the event with this seq, or the `count`-th event that is like this. */
const momentSchema = z.union([
  z.int().min(1),
  z.strictObject({
    kind: z.string(),
    node: z.string().optional(),
    count: z.int().min(1).default(1),
    where: z.record(z.string(), pattern).optional(),
  }),
]);
export type Moment = z.output<typeof momentSchema>;

const faultSchema = z.union([
  /** The process is gone as soon as that event is on disk; another one takes the run up from the log. */
  z.strictObject({ after: momentSchema, kill: z.literal(true) }),
  z.strictObject({ after: momentSchema, cancel: z.literal(true) }),
  /** The clock jumps. */
  z.strictObject({ after: momentSchema, advanceMs: z.number().min(0) }),
  /** A person writes while the run is under way. */
  z.strictObject({ after: momentSchema, message: z.string().min(1) }),
  /** Somebody changes the workspace meanwhile; null removes a file. */
  z.strictObject({ after: momentSchema, files: z.record(z.string(), z.string().nullable()) }),
  /** The tool fails on its `call`-th use (counted over the run, from 1), or on every use. */
  z.strictObject({
    tool: z.string(),
    call: z.int().min(1).optional(),
    error: z.strictObject({ code: z.string().default('TOOL_FAILED'), message: z.string() }),
  }),
]);
export type Fault = z.output<typeof faultSchema>;

const answerSchema = z.strictObject({
  node: z.string().optional(),
  kind: z.enum(['approval', 'question', 'tool-approval', 'unknown-outcome', 'breakpoint']).optional(),
  /** Must be contained in the title of what is asked. */
  title: z.string().optional(),
  choice: z.string(),
  values: z.record(z.string(), jsonSchema).optional(),
  comment: z.string().optional(),
  /** How long the person takes, by the run's clock. */
  afterMs: z.number().min(0).default(0),
  /** How many asks it answers; 0 = any number. */
  times: z.int().min(0).default(1),
  /** Answers with a hash of something else: the answer must be refused. */
  tampered: z.boolean().default(false),
});
export type ScenarioAnswer = z.output<typeof answerSchema>;
export const answersSchema = z.array(answerSchema);

const foundSchema = z.strictObject({
  /** How often it must be found: exactly, at least, at most. Absent: at least once. */
  count: z.int().min(0).optional(),
  min: z.int().min(0).optional(),
  max: z.int().min(0).optional(),
});

const expectSchema = z.strictObject({
  status: z.enum(['succeeded', 'failed', 'cancelled', 'limit', 'waiting', 'interrupted', 'incomplete', 'refused']).optional(),
  output: pattern.optional(),
  outputs: z.record(z.string(), pattern).optional(),
  error: z.record(z.string(), pattern).optional(),
  unreached: z.array(z.string()).optional(),
  /** Each must be found among the run's decisions. `because` names numbers by their name. */
  decisions: z
    .array(
      foundSchema.extend({
        node: z.string().optional(),
        layer: z.string().optional(),
        rule: pattern.optional(),
        outcome: pattern.optional(),
        because: z.record(z.string(), pattern).optional(),
        note: pattern.optional(),
      }),
    )
    .default([]),
  events: z
    .array(foundSchema.extend({ kind: z.string(), node: z.string().optional(), where: z.record(z.string(), pattern).optional() }))
    .default([]),
  /** These node ids are visited in this order, whatever else is visited in between. */
  order: z.array(z.string()).optional(),
  /** How often each node is visited. */
  visits: z.record(z.string(), pattern).default({}),
  channels: z.record(z.string(), pattern).default({}),
  usage: z.record(z.string(), pattern).default({}),
  /** Workspace files after the run; null = must not exist. */
  files: z.record(z.string(), pattern).default({}),
  /** Problems the compiler must report. */
  diagnostics: z
    .array(z.strictObject({ code: z.string(), severity: z.string().optional(), node: z.string().optional(), edge: z.string().optional() }))
    .default([]),
  /** Texts that must not occur anywhere in the events. */
  absent: z.array(z.string().min(1)).default([]),
});
export type Expectations = z.output<typeof expectSchema>;

export const scenarioSchema = z.strictObject({
  format: z.literal(scenarioFormat),
  version: z.literal(scenarioVersion),
  name: z.string().min(1),
  /** The fault that this scenario would catch. */
  catches: z.string().optional(),
  /** Exactly one of the three. */
  flow: z.record(z.string(), jsonSchema).optional(),
  flowFile: z.string().optional(),
  template: z.string().optional(),
  /** What differs from the flow or template, by node id: fields of its config, and whether it is switched off. */
  nodes: z
    .record(z.string(), z.strictObject({ config: z.record(z.string(), jsonSchema).default({}), disabled: z.boolean().optional() }))
    .default({}),
  /** Flows that subflow nodes name, by id. */
  flows: z.array(z.record(z.string(), jsonSchema)).default([]),
  /** Absent: the template's sample input, or {}. */
  input: jsonSchema.optional(),
  options: runOptionsSchema.partial().default({}),
  /** Channel values the run begins with. */
  channels: z.record(z.string(), jsonSchema).default({}),
  secrets: z.record(z.string(), z.string()).default({}),
  /** Commands that the server was given for every workspace, as by its environment. */
  commands: z
    .strictObject({
      format: z.string().optional(),
      lintFix: z.string().optional(),
      lint: z.string().optional(),
      test: z.string().optional(),
    })
    .default({}),
  /** Files of a fresh folder, a sample by id, or a folder beside the scenario that is copied. Absent: the template's sample folder, or none. */
  workspace: z
    .union([
      z.strictObject({ files: z.record(z.string(), z.string()) }),
      z.strictObject({ sample: z.string() }),
      z.strictObject({ folder: z.string() }),
    ])
    .optional(),
  /** What the model says. Absent with a template: the template's own script. */
  script: modelScriptSchema.optional(),
  /** What a call outside of the script means. Default: `fail` where there is a script, else `rehearse`. */
  unscripted: z.enum(['fail', 'rehearse']).optional(),
  answers: answersSchema.default([]),
  faults: z.array(faultSchema).default([]),
  /** Where the clock starts. Between events it jumps to whatever is due next. */
  clock: z.strictObject({ start: z.iso.datetime() }).optional(),
  expect: expectSchema,
});
export type Scenario = z.output<typeof scenarioSchema>;
