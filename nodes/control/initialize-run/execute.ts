import { type ExecuteContext, implementNode } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import type { EvidenceStore, ToolManifest } from '@/harness/layers/evidence/state';
import { type InitialiseInput, initialiseRun } from '@/harness/layers/initialise/initialise';
import { deriveContract } from '@/harness/layers/output-validation/validate';
import { messageOf } from '../support/helpers';
import { type ControlChannels, stateOf } from '../support/state';
import { writesOf } from '../support/writes';
import { initializeRun } from './node';

type Context = ExecuteContext<ConfigOf<typeof initializeRun>>;

export const executeInitializeRun = implementNode(initializeRun, (context) => {
  const { config } = context;
  const state = stateOf(context);
  if (isInitialised(state)) return again(context, state);
  const objective = state.goal.objective || messageOf(context.input);
  const wanted = wantedOf(context, state);
  const contract = deriveContract(config.contract, [...config.contract.caller_specific_constraints, ...wanted.constraints]);
  const input: InitialiseInput = {
    successCriteria: wanted.criteria,
    constraints: wanted.constraints,
    contract,
    tasks: tasksOf(context, state, { objective, criteria: wanted.criteria }),
    tools: manifestOf(context),
    library: config.library,
    experience: state.experienceStore,
  };
  const { state: fresh, decompositionGate, decision } = initialiseRun(input, config);
  context.decide({
    ...decision,
    because: [...decision.because, { name: 'decomposition gate', value: decompositionGate ? 'open' : 'closed' }],
  });
  // what was learned before, such as facts of the message, is kept; the generation only grows
  const worldModel = { ...fresh.worldModel, ...known(state), generation_id: state.worldModel.generation_id + 1 };
  const evidenceStore: EvidenceStore = {
    ...fresh.evidenceStore,
    observations: state.evidenceStore.observations,
    tool_reliability_envelopes: envelopesOf(context),
  };
  return {
    output: {
      objective,
      criteria: wanted.criteria,
      constraints: wanted.constraints,
      tasks: fresh.taskGraph.tasks.map(({ id }) => id),
      max_steps: config.maxSteps,
    },
    writes: writesOf(context, {
      goal: { ...state.goal, objective, max_steps: config.maxSteps },
      worldModel,
      callerState: fresh.callerState,
      diagnostics: fresh.diagnostics,
      taskGraph: fresh.taskGraph,
      outputContract: fresh.outputContract,
      evidenceStore,
      hypothesisSet: fresh.hypothesisSet,
      memoryState: {
        ...fresh.memoryState,
        journal_retention_policy: config.journal,
        token_budget: { total: config.tokenBudget, used: 0 },
      },
      strategyState: fresh.strategyState,
      failureDiagnostics: fresh.failureDiagnostics,
      beliefDepGraph: state.beliefDepGraph,
    }),
  };
});

/** The sources of the harness itself are listed by the first initialisation and by nothing else. */
const isInitialised = ({ evidenceStore }: ControlChannels): boolean =>
  evidenceStore.tool_availability_manifest.execution_engine !== undefined;

function again(context: Context, { goal, callerState, taskGraph }: ControlChannels) {
  context.decide({
    rule: 'initialise once',
    outcome: 'the run is set up already, everything stays as it is',
    because: [{ name: 'tasks', value: taskGraph.tasks.length }],
  });
  return {
    output: {
      objective: goal.objective,
      criteria: callerState.success_criteria,
      constraints: callerState.current_constraints,
      tasks: taskGraph.tasks.map(({ id }) => id),
      max_steps: goal.max_steps,
    },
  };
}

const known = ({ worldModel }: ControlChannels) => ({
  observations: worldModel.observations,
  beliefs: worldModel.beliefs,
  contradictions: worldModel.contradictions,
  completeness_flags: worldModel.completeness_flags,
  environment_change_log: worldModel.environment_change_log,
});

const filled = (context: Context, templates: readonly string[]): string[] =>
  templates.map((template) => context.text(template).trim()).filter((text) => text !== '');

function wantedOf(context: Context, { turnPolicy }: ControlChannels): { criteria: string[]; constraints: string[] } {
  const lifted = turnPolicy?.liftedConstraints ?? [];
  const constraints = [...filled(context, context.config.constraints), ...(turnPolicy?.statedConstraints ?? [])];
  return {
    criteria: filled(context, context.config.criteria),
    constraints: [...new Set(constraints)].filter((constraint) => !lifted.includes(constraint)),
  };
}

/** The seeded plan, else what the judged message was decomposed into, else (by the layer) the criteria, else the objective. */
function tasksOf(context: Context, state: ControlChannels, wanted: { objective: string; criteria: string[] }): InitialiseInput['tasks'] {
  const seeded = context.config.tasks.map(({ id, description, risk, depends_on, write_domains, level }) => ({
    id,
    description: context.text(description),
    risk_level: risk,
    depends_on,
    parallel_write_domains: write_domains,
    abstraction_level: level,
  }));
  if (seeded.length > 0) return seeded;
  const { tasks } = state.taskGraph;
  // one task that is just the message says less than the criteria do
  const whole = tasks.length === 1 && tasks[0]?.description === wanted.objective;
  if (tasks.length > 0 && !(whole && wanted.criteria.length > 0)) return tasks;
  if (wanted.criteria.length > 0 || wanted.objective.trim() === '') return [];
  return [
    {
      id: 'task-0',
      description: wanted.objective,
      risk_level: state.goal.risk,
      abstraction_level: context.config.abstractionLevel,
    },
  ];
}

function manifestOf(context: Context): ToolManifest {
  const names = [...context.tools().map(({ name }) => name), ...context.config.sources.map((source) => source.trim())];
  return Object.fromEntries(names.filter((name) => name !== '').map((name) => [name, { available: true, fallback_tool: null }]));
}

function envelopesOf(context: Context): EvidenceStore['tool_reliability_envelopes'] {
  const declared = context.tools().map(({ name, ceiling }) => [name, ceiling] as const);
  const ceilings = { ...Object.fromEntries(declared), ...context.config.ceilings };
  return Object.fromEntries(
    Object.entries(ceilings).map(([tool, ceiling]) => [
      tool,
      { tool, max_observation_reliability: ceiling, max_conclusion_reliability: ceiling },
    ]),
  );
}
