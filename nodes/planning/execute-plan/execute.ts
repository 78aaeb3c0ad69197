import { type ExecuteContext, implementNode } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import type { ExecutionPlan } from '@/harness/planning/artefacts/execution-plan';
import { uniquePaths } from '@/harness/planning/artefacts/paths';
import type { PlanStep } from '@/harness/planning/artefacts/plan-step';
import type { StepResult } from '@/harness/planning/artefacts/results';
import { type ArtefactStore, artefactBudget, emptyArtefactStore, storeFiles } from '@/harness/planning/execution/artefact-store';
import { executionHalted, skippedResults } from '@/harness/planning/execution/step-outcome';
import { executionChecklist } from '@/harness/planning/execution/step-prompt';
import { groupSteps } from '@/harness/planning/grouping/group-steps';
import { finaliseRegressions } from '@/harness/planning/guards/regression-files';
import { decideAll } from '../../control/support/helpers';
import type { StepResultRow } from '../channels';
import { windowOf } from '../support/config';
import { requirePlan } from '../support/material';
import { readBack } from '../support/read-back';
import { type PlanningChannels, planningState, planningWrites } from '../support/state';
import type { ExecutionPhase } from '../support/step-item';
import { type GroupRun, runGroup } from './group';
import { noteIncomplete } from './incomplete';
import { executePlanNode } from './node';

export type ExecutionContext = ExecuteContext<ConfigOf<typeof executePlanNode>>;

export const executeExecutePlan = implementNode(executePlanNode, async (context) => {
  const { config } = context;
  const channels = planningState(context);
  const plan = requirePlan(context, channels);
  const phase = phaseOf(context, channels);
  const steps = stepsOf(plan, phase);
  const earlier = earlierResults(context, channels, steps);
  tellChecklist(context, steps);
  const { groups, decisions } = groupSteps(
    steps.filter(({ step_number }) => !earlier.some((result) => result.step_number === step_number)),
    config,
  );
  decideAll(context, decisions);
  const staleFailures = channels.stepResults.filter(({ status }) => status === 'failed').map(({ step_number }) => step_number);
  const run: GroupRun = {
    phase,
    tests: new Set(plan.tdd_test_steps),
    completed: earlier,
    store: await firstStore(context, earlier),
    staleFailures,
  };
  const results: StepResult[] = [];
  for (const group of groups) {
    const members = await runGroup(context, group, run);
    results.push(...members.map(({ result }) => result));
    run.completed = [...run.completed, ...members.map(({ result }) => result)];
    for (const { result, files } of members) run.store = stored(context, run.store, result.step_number, files);
    if (executionHalted(results)) break;
  }
  return finish(context, { steps, results, earlier, phase });
});

/** The controller of tests first says what is next; outside of it everything is carried out. */
function phaseOf(context: ExecutionContext, { tddState }: PlanningChannels): ExecutionPhase {
  if (context.config.steps !== 'auto') return context.config.steps;
  if (tddState.state === 'WRITE_TESTS') return 'tests';
  return tddState.state === 'IMPLEMENT' ? 'implementation' : 'all';
}

const stepsOf = ({ tdd_test_steps, steps }: ExecutionPlan, phase: ExecutionPhase): PlanStep[] => [
  ...(phase === 'implementation' ? [] : tdd_test_steps),
  ...(phase === 'tests' ? [] : steps),
];

const isSame = (step: PlanStep, row: StepResultRow): boolean =>
  row.step_number === step.step_number && row.tool === step.tool && row.file_path === step.file_path;

/** Completed steps that stand before these, and those of a halted execution that are not repeated. */
function earlierResults(context: ExecutionContext, { stepResults }: PlanningChannels, steps: readonly PlanStep[]): StepResult[] {
  const completed = stepResults.filter(({ status }) => status === 'completed');
  const own = new Set(steps.map(({ step_number }) => step_number));
  const before = completed.filter(({ step_number }) => !own.has(step_number));
  const halted = stepResults.some((row) => row.status === 'failed' && steps.some((step) => isSame(step, row)));
  const kept = context.config.continueAfterHalt && halted ? completed.filter((row) => steps.some((step) => isSame(step, row))) : [];
  if (kept.length > 0) {
    context.decide({
      rule: 'continue after a halt',
      outcome: `${kept.length} completed steps are not repeated`,
      because: [{ name: 'steps', value: kept.map(({ step_number }) => step_number) }],
    });
  }
  return [...before, ...kept].map(({ id: _id, ...result }) => result);
}

function tellChecklist(context: ExecutionContext, steps: readonly PlanStep[]): void {
  const checklist = executionChecklist({ tdd_test_steps: [], steps: [...steps] }, context.config);
  context.decide({
    rule: 'execution_checklist',
    outcome: `${checklist.total} steps`,
    because: checklist.steps.map((entry) => ({ name: `step ${entry.step_index}`, value: { ...entry } })),
  });
}

/** Files of steps that an earlier visit carried out, as they are now. */
async function firstStore(context: ExecutionContext, earlier: readonly StepResult[]): Promise<ArtefactStore> {
  const store = emptyArtefactStore(artefactBudget(windowOf(context.config), context.config));
  const last = earlier.at(-1);
  if (last === undefined) return store;
  const files = await readBack(context, uniquePaths(earlier.flatMap(({ changed_files }) => changed_files)));
  return stored(context, store, last.step_number, files);
}

function stored(context: ExecutionContext, store: ArtefactStore, step: number, files: Parameters<typeof storeFiles>[2]): ArtefactStore {
  if (files.length === 0) return store;
  const result = storeFiles(store, step, files);
  context.decide(result.decision);
  return result.store;
}

interface Finished {
  steps: readonly PlanStep[];
  results: readonly StepResult[];
  earlier: readonly StepResult[];
  phase: ExecutionPhase;
}

async function finish(context: ExecutionContext, { steps, results, earlier, phase }: Finished) {
  const halted = executionHalted(results);
  const own = new Set(steps.map(({ step_number }) => step_number));
  const done = [...earlier.filter(({ step_number }) => own.has(step_number)), ...results];
  const all = [...done, ...skippedResults(steps, done)].sort((left, right) => left.step_number - right.step_number);
  const failed = results.filter(({ status }) => status === 'failed');
  if (halted) await noteIncomplete(context, failed);
  // the tests of the first phase are final only when the change they are for is made
  const finalised = halted || phase === 'tests' ? [] : finalise(context);
  return {
    port: halted ? 'halted' : 'done',
    output: {
      status: halted ? ('halted' as const) : ('done' as const),
      results: all.map((result) => ({ ...result })),
      completed: all.filter(({ status }) => status === 'completed').length,
      total: steps.length,
      failed: failed.map(({ step_number }) => step_number),
      changed_files: uniquePaths(all.flatMap(({ changed_files }) => changed_files)),
      finalised,
    },
    writes: planningWrites({ stepResults: all.map((result) => ({ ...result, id: String(result.step_number) })) }),
  };
}

/** What the steps created is guarded from now on: the guard reads that every step is completed. Read now, since the steps wrote it meanwhile. */
function finalise(context: ExecutionContext): string[] {
  const { createdRegressionFiles } = planningState(context);
  if (createdRegressionFiles.length === 0) return [];
  const { finalised, decision } = finaliseRegressions({ session_created_regression_files: uniquePaths(createdRegressionFiles) });
  context.decide(decision);
  return finalised;
}
