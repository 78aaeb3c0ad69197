import { z } from 'zod';
import { isJsonObject, type Json, jsonSchema } from '../../../contract/json';
import { outputContractSchema } from '../../../layers/output-validation/state';
import { taskSchema } from '../../../layers/planning/state';
import { parseInstant } from '../../../layers/shared/instant';
import { riskLevelSchema } from '../../../layers/shared/levels';
import { plain } from '../compare';
import type { ScriptedOutcome } from '../loop/context';
import { referenceSettings } from '../loop/settings';
import { type LoopOutcome, runReferenceLoop } from '../reference-loop';
import type { Adapter } from '../registry';

const scenario = z.object({
  success_criteria: z.array(z.string()).default([]),
  tasks: z.array(taskSchema.partial({ description: true })).optional(),
  outputs: z.record(z.string(), jsonSchema).default({}),
  fail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  facts: z.array(z.union([z.string(), z.object({ statement: z.string() }).transform(({ statement }) => statement)])).default([]),
  constraints: z.array(z.string()).default([]),
  output_contract: outputContractSchema.partial().optional(),
  signal: z.object({ risk_level: riskLevelSchema.default('LOW'), task_count: z.number().default(1) }).prefault({}),
  max_steps: z.number().int().default(50),
});
type Scenario = z.output<typeof scenario>;

/** How often an executor fails before it succeeds: `always`, `once`, a number. */
function failures(rule: string | number | boolean | undefined): number {
  if (rule === undefined || rule === false) return 0;
  if (rule === true || rule === 'always') return Number.POSITIVE_INFINITY;
  if (typeof rule === 'number') return rule;
  const words: Record<string, number> = { once: 1, first: 1, twice: 2, never: 0 };
  return words[rule] ?? (Number(/\d+/.exec(rule)?.[0] ?? Number.POSITIVE_INFINITY) || 0);
}

/** Executors by task id where a task is named, else one for all (`default`). */
function scriptedExecutor(input: Scenario): { execute: (taskId: string) => ScriptedOutcome; calls: Record<string, number> } {
  const named = new Set([...(input.tasks ?? []).map(({ id }) => id), ...Object.keys(input.outputs), ...Object.keys(input.fail)]);
  const calls: Record<string, number> = {};
  return {
    calls,
    execute(taskId) {
      const key = named.has(taskId) ? taskId : 'default';
      calls[key] = (calls[key] ?? 0) + 1;
      if (calls[key] <= failures(input.fail[key] ?? input.fail.default)) return { status: 'failed', message: 'boom' };
      const output: Json = input.outputs[key] ?? (key in input.outputs ? null : (input.outputs.default ?? { completed: true }));
      const status = isJsonObject(output) ? output.__harnessExecutionStatus : undefined;
      if (status === 'continue') return { status: 'continue' };
      return status === 'failed' ? { status: 'failed', message: 'boom' } : { status: 'ok', output };
    },
  };
}

export interface RanScenario {
  outcome: LoopOutcome;
  executions: Record<string, number>;
}

export function runScenario(raw: unknown, clock: string, settings = referenceSettings): RanScenario {
  const input = scenario.parse(raw);
  const executor = scriptedExecutor(input);
  const outcome = runReferenceLoop(
    {
      successCriteria: input.success_criteria,
      maxSteps: input.max_steps,
      facts: input.facts,
      signal: { risk: input.signal.risk_level, taskCount: input.signal.task_count },
      now: parseInstant(clock),
      execute: executor.execute,
      settings,
    },
    {
      successCriteria: input.success_criteria,
      constraints: input.constraints,
      ...(input.tasks ? { tasks: input.tasks.map((task) => ({ ...task, description: task.description ?? `do ${task.id}` })) } : {}),
      ...(input.output_contract ? { contract: input.output_contract } : {}),
    },
  );
  return { outcome, executions: executor.calls };
}

/** What the cases compare: status, steps, final task states and result; of a halted run its error and reason. */
export const runtimeScenarioCase: Adapter = (raw, { clock }) => {
  const { outcome } = runScenario(raw, clock);
  const { context } = outcome;
  const work = context && {
    steps_used: context.steps,
    task_statuses: Object.fromEntries(context.state.taskGraph.tasks.map(({ id, status }) => [id, status])),
  };
  return outcome.status === 'halted'
    ? plain({ status: 'halted', error: outcome.error, reason: outcome.reason, ...work })
    : plain({ status: 'complete', final_result: outcome.finalResult, ...work });
};
