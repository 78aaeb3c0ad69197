import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { userError } from '../../contract/errors';
import { type BeliefDepGraph, emptyBeliefDepGraph } from '../belief-graph/state';
import type { CallerState } from '../caller-updates/state';
import { emptyMemoryState, type MemoryState } from '../context-compression/state';
import { type ControlStateConfig, defaultControlStateConfig } from '../control-state/config';
import { resolveControlState } from '../control-state/resolve';
import type { ControlState } from '../control-state/state';
import { abstractionFit } from '../diagnostics/abstraction';
import { defaultDiagnosticsConfig } from '../diagnostics/config';
import { type Diagnostics, initialDiagnostics } from '../diagnostics/state';
import { internalSources } from '../evidence/gather';
import { type EvidenceStore, emptyEvidenceStore, type ToolManifest } from '../evidence/state';
import { emptyHypothesisSet, type HypothesisSet } from '../hypothesis/state';
import { type OutputContract, outputContractSchema } from '../output-validation/state';
import { newTask } from '../planning/revalidate';
import type { Task, TaskGraph } from '../planning/state';
import { unknownDependencies } from '../planning/update';
import { warmStart } from '../recovery/experience';
import { defaultFailureLibrary } from '../recovery/failure-library';
import {
  type ExperienceStore,
  emptyFailureDiagnostics,
  type FailureDiagnostics,
  type FailurePattern,
  initialStrategyState,
  type StrategyState,
} from '../recovery/state';
import { decided, fact } from '../shared/explain';
import { emptyWorldModel, type WorldModel } from '../world-model/state';

export const initialiseConfigSchema = z.object({
  maxSteps: z.number().int().min(1).default(50).meta({ title: 'Most steps' }),
  taskRisk: z.enum(['LOW', 'MEDIUM', 'HIGH']).default('MEDIUM').meta({ title: 'Risk of a task made from a criterion' }),
  abstractionLevel: z.number().int().min(0).default(1).meta({ title: 'Level of a task made from a criterion' }),
});
export type InitialiseConfig = z.output<typeof initialiseConfigSchema>;
export const defaultInitialiseConfig: InitialiseConfig = initialiseConfigSchema.parse({});

/** All loop objects of a run (layers.md R0). */
export interface RunState {
  worldModel: WorldModel;
  callerState: CallerState;
  controlState: ControlState;
  diagnostics: Diagnostics;
  taskGraph: TaskGraph;
  outputContract: OutputContract;
  evidenceStore: EvidenceStore;
  hypothesisSet: HypothesisSet;
  memoryState: MemoryState;
  strategyState: StrategyState;
  failureDiagnostics: FailureDiagnostics;
  beliefDepGraph: BeliefDepGraph;
}

export interface InitialiseInput {
  successCriteria: string[];
  tasks?: (Pick<Task, 'id' | 'description'> & Partial<Task>)[];
  constraints?: string[];
  contract?: Partial<OutputContract>;
  tools?: ToolManifest;
  library?: FailurePattern[];
  experience?: ExperienceStore;
  controlState?: ControlStateConfig;
}

/** Throws `SELF_REFERENTIAL_DEPENDENCY` when a recovery class needs the dimension it is to repair. */
export function assertRecoveryClasses(config: ControlStateConfig): void {
  const own = Object.entries(config.recoveryClasses).find(([dimension, { needs }]) => needs.includes(dimension));
  if (own) throw userError('SELF_REFERENTIAL_DEPENDENCY', `Recovery class "${own[1].action}" of ${own[0]} needs ${own[0]} itself`);
}

/**
 * Builds the objects of a run in the order of layers.md R0. Throws `TASK_GRAPH_INVALID` for dependencies on unknown tasks.
 * The decomposition gate is open when the first resolve does not deny.
 */
export function initialiseRun(
  input: InitialiseInput,
  config: InitialiseConfig = defaultInitialiseConfig,
): { state: RunState; decompositionGate: boolean; decayRate: number | null; decision: Decision } {
  const control = input.controlState ?? defaultControlStateConfig;
  assertRecoveryClasses(control);
  const given = input.tasks ?? [];
  const tasks =
    given.length > 0
      ? given.map((task) => newTask(task))
      : input.successCriteria.map((criterion, index) =>
          newTask({ id: `task-${index}`, description: criterion, risk_level: config.taskRisk, abstraction_level: config.abstractionLevel }),
        );
  const taskGraph: TaskGraph = { tasks, conflict_probability_cache: {}, changed: false };
  const unknown = unknownDependencies(taskGraph);
  if (unknown.length > 0) throw userError('TASK_GRAPH_INVALID', unknown.join('; '));

  const warm = input.experience?.available ? warmStart(input.experience) : null;
  const worldModel = { ...emptyWorldModel(), generation_id: 1 };
  const failureDiagnostics: FailureDiagnostics = {
    ...emptyFailureDiagnostics(),
    failure_mode_library: { entries: input.library ?? defaultFailureLibrary, class_priors: warm?.classPriors ?? {} },
  };
  const initial = initialDiagnostics();
  const diagnostics = {
    ...initial,
    verification_health: { ...initial.verification_health, feasibility: abstractionFit(taskGraph, [], defaultDiagnosticsConfig) },
  };
  const resolved = resolveControlState({ diagnostics, contradictions: [], generation: worldModel.generation_id }, control);
  const internal = Object.fromEntries(internalSources.map((source) => [source, { available: true, fallback_tool: null }]));
  return {
    state: {
      worldModel,
      callerState: {
        success_criteria: [...input.successCriteria],
        current_constraints: [...(input.constraints ?? [])],
        constraints_changed: false,
      },
      controlState: resolved.controlState,
      diagnostics,
      taskGraph,
      outputContract: outputContractSchema.parse(input.contract ?? {}),
      evidenceStore: { ...emptyEvidenceStore(), tool_availability_manifest: { ...internal, ...input.tools } },
      hypothesisSet: emptyHypothesisSet(),
      memoryState: emptyMemoryState(),
      strategyState: { ...initialStrategyState(), order: warm?.order ?? [] },
      failureDiagnostics,
      beliefDepGraph: emptyBeliefDepGraph(),
    },
    decompositionGate: resolved.controlState.permission !== 'DENY',
    decayRate: warm?.confidenceDecayRate ?? null,
    decision: decided({
      rule: 'initialise',
      outcome: `${tasks.length} tasks, at most ${config.maxSteps} steps`,
      because: [
        fact('tasks from', given.length > 0 ? 'the plan' : 'the success criteria'),
        fact('experience', warm === null ? 'none' : 'warm start'),
      ],
    }),
  };
}
