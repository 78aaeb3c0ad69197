import type { Decision } from '../../../contract/decision';
import { type Json, jsonSchema } from '../../../contract/json';
import { defaultContradictionConfig } from '../../../layers/contradiction/config';
import { detectContradictions } from '../../../layers/contradiction/detect';
import { resolveControlState } from '../../../layers/control-state/resolve';
import { initialControlState, riskSummary } from '../../../layers/control-state/state';
import { initialDiagnostics } from '../../../layers/diagnostics/state';
import { updateDiagnostics } from '../../../layers/diagnostics/update';
import type { EvidenceInput } from '../../../layers/evidence/gather';
import { recordEvidence } from '../../../layers/evidence/record';
import { emptyEvidenceStore } from '../../../layers/evidence/state';
import { updateHypotheses } from '../../../layers/hypothesis/update';
import { initialiseRun, type RunState } from '../../../layers/initialise/initialise';
import { releaseDependents } from '../../../layers/planning/dependents';
import { selectTask } from '../../../layers/planning/select';
import { emptyTaskGraph, type Task, taskById } from '../../../layers/planning/state';
import { reopenTask, setTaskStatus } from '../../../layers/planning/transitions';
import { retireBeliefs } from '../../../layers/recovery/actions/beliefs';
import { type FailureKind, recover } from '../../../layers/recovery/recover';
import { emptyFailureDiagnostics, initialStrategyState, unavailableExperience } from '../../../layers/recovery/state';
import type { ReliabilityLevel } from '../../../layers/shared/levels';
import type { Verification } from '../../../layers/verification/state';
import { type BackedOutcome, verify } from '../../../layers/verification/verify';
import { emptyWorldModel } from '../../../layers/world-model/state';
import type { BeliefInput } from '../../../layers/world-model/update';
import { patchesBetween } from '../../../state/patch';
import { TestLog } from '../test-log';
import type { LayerChannel } from './history';

type State = RunState & { verification: Verification | null };
type Channels = Partial<State>;

/** Channel values are JSON; the objects of the layers are typed tighter than that. */
const json = (value: unknown): Json => jsonSchema.parse(JSON.parse(JSON.stringify(value ?? null)));

/** What the channels hold before anybody writes them. */
export const layerInitials = {
  diagnostics: json(initialDiagnostics()),
  controlState: json(initialControlState()),
  worldModel: json(emptyWorldModel()),
  taskGraph: json(emptyTaskGraph()),
  evidenceStore: json(emptyEvidenceStore()),
  strategyState: json(initialStrategyState()),
  failureDiagnostics: json(emptyFailureDiagnostics()),
  verification: null,
} as const satisfies Record<LayerChannel, Json>;

/**
 * Logs of the control loop for tests, made by the real rules of the layers: each method is one visit that reads the channels, decides and
 * writes what changed.
 */
export class LayerLog {
  readonly log: TestLog;
  state: State;
  /** Scope of the branch that visits belong to; undefined for the run itself. */
  scope: string | undefined;
  #visits = new Map<string, number>();
  #clock = 0;

  constructor(tasks: readonly (Pick<Task, 'id' | 'description'> & Partial<Task>)[], criteria: readonly string[] = ['The build passes']) {
    this.log = new TestLog().start();
    const initial = initialiseRun({
      successCriteria: [...criteria],
      tasks: [...tasks],
      tools: { web_search: { available: true, fallback_tool: null }, read_file: { available: true, fallback_tool: null } },
    });
    this.state = {
      ...initial.state,
      evidenceStore: {
        ...initial.state.evidenceStore,
        tool_reliability_envelopes: {
          web_search: { tool: 'web_search', max_observation_reliability: 'MEDIUM', max_conclusion_reliability: 'MEDIUM' },
        },
      },
      verification: null,
    };
    const { worldModel, taskGraph, evidenceStore, failureDiagnostics, strategyState } = this.state;
    this.#visit('initialize_run', 'around', [initial.decision]);
    this.#first({ worldModel, taskGraph, evidenceStore, failureDiagnostics, strategyState });
    this.#leave('initialize_run');
  }

  get events() {
    return this.log.events;
  }

  #number(node: string): number {
    return this.#visits.get(node) ?? 0;
  }

  #place(node: string, layer?: string) {
    const number = this.#number(node);
    const scope = this.scope === undefined ? {} : { scope: this.scope };
    return { visit: `v-${node}-${number}`, number, ...scope, ...(layer === undefined ? {} : { layer }) };
  }

  #visit(node: string, layer: string, decisions: readonly Decision[]): void {
    this.#visits.set(node, this.#number(node) + 1);
    const title = node.replaceAll('_', ' ');
    this.log.visitStart(
      node,
      {
        ...this.#place(node, layer),
        type: node.replaceAll('_', '-'),
        label: title.charAt(0).toUpperCase() + title.slice(1),
      },
      5,
    );
    for (const decision of decisions) {
      const { number: _number, ...place } = this.#place(node, layer);
      this.log.add({ kind: 'decision', nodeId: node, ...place, decision });
    }
  }

  #first(writes: Channels): void {
    const before = new Map<string, Json>(Object.entries(layerInitials));
    for (const [channel, value] of Object.entries(writes)) {
      this.#patch('initialize_run', channel, before.get(channel) ?? null, json(value));
    }
  }

  #patch(node: string, channel: string, before: Json, after: Json): void {
    const patches = patchesBetween(before, after);
    const { number: _number, ...place } = this.#place(node);
    if (patches.length > 0) this.log.add({ kind: 'state-patch', nodeId: node, ...place, channel, patches });
  }

  #write(node: string, writes: Channels): void {
    const before = new Map<string, unknown>(Object.entries(this.state));
    for (const [channel, value] of Object.entries(writes)) this.#patch(node, channel, json(before.get(channel)), json(value));
    this.state = { ...this.state, ...writes };
    this.#leave(node);
  }

  #leave(node: string): void {
    this.log.visitEnd(node, this.#place(node), 3);
  }

  #time(): string {
    this.#clock += 1;
    const [hours, minutes, seconds] = [Math.floor(this.#clock / 3600), Math.floor(this.#clock / 60) % 60, this.#clock % 60];
    return `2026-01-01T${[hours, minutes, seconds].map((part) => String(part).padStart(2, '0')).join(':')}.000Z`;
  }

  evidence(input: Omit<EvidenceInput, 'freshness'> & { reliability?: ReliabilityLevel; belief?: BeliefInput; taskId?: string }): this {
    const { store, worldModel, decisions } = recordEvidence(
      { store: this.state.evidenceStore, worldModel: this.state.worldModel },
      { ...input, freshness: this.#time() },
    );
    this.#visit('evidence', 'evidence', decisions);
    this.#write('evidence', { evidenceStore: store, worldModel });
    return this;
  }

  contradiction(): this {
    const found = detectContradictions(
      {
        worldModel: this.state.worldModel,
        graph: this.state.beliefDepGraph,
        hypotheses: this.state.hypothesisSet.active,
        abstractionLevel: 'line',
      },
      defaultContradictionConfig,
    );
    this.#visit('contradiction', 'contradiction', found.decisions);
    this.#write('contradiction', { worldModel: found.worldModel, beliefDepGraph: found.graph });
    return this;
  }

  /** consistency_repair in short: gives up these beliefs, and with them the conflicts they were part of. */
  retire(...ids: string[]): this {
    const { worldModel, beliefDepGraph, evidenceStore, hypothesisSet, taskGraph, strategyState, failureDiagnostics } = this.state;
    const next = retireBeliefs(
      {
        worldModel,
        beliefGraph: beliefDepGraph,
        evidence: evidenceStore,
        hypotheses: hypothesisSet,
        taskGraph,
        strategy: strategyState,
        failures: failureDiagnostics,
      },
      new Set(ids),
    );
    this.#visit('recovery_action', 'control-state', []);
    this.#write('recovery_action', { worldModel: next.worldModel, beliefDepGraph: next.beliefGraph });
    return this;
  }

  /** Marks beliefs stale as the sweep does, or fresh again as belief_refresh does. */
  stale(flags: Record<string, boolean>, node: 'diagnostics' | 'recovery_action'): this {
    const { worldModel } = this.state;
    this.#visit(node, node === 'diagnostics' ? 'diagnostics' : 'control-state', []);
    this.#write(node, { worldModel: { ...worldModel, stale_flags: { ...worldModel.stale_flags, ...flags } } });
    return this;
  }

  /** Takes one conflict off the record and leaves its beliefs. */
  settle(position: number): this {
    const { worldModel } = this.state;
    this.#visit('recovery_action', 'control-state', []);
    this.#write('recovery_action', {
      worldModel: { ...worldModel, contradictions: worldModel.contradictions.filter((_, i) => i !== position) },
    });
    return this;
  }

  hypothesis(): this {
    const { worldModel, hypothesisSet, failureDiagnostics, evidenceStore } = this.state;
    const result = updateHypotheses(hypothesisSet, {
      evidence: evidenceStore.observations,
      beliefs: worldModel.beliefs,
      library: failureDiagnostics.failure_mode_library.entries,
      contradictions: worldModel.contradictions,
    });
    this.#visit('hypothesis', 'hypothesis', [result.decision]);
    this.#write('hypothesis', { hypothesisSet: result.set });
    return this;
  }

  diagnostics(): this {
    const { worldModel, hypothesisSet, taskGraph, failureDiagnostics, beliefDepGraph } = this.state;
    const result = updateDiagnostics({
      worldModel,
      hypotheses: hypothesisSet.active,
      taskGraph,
      failures: failureDiagnostics,
      beliefGraph: beliefDepGraph,
    });
    this.#visit('diagnostics', 'diagnostics', [result.decision]);
    this.#write('diagnostics', {
      diagnostics: result.diagnostics,
      failureDiagnostics: { ...failureDiagnostics, matched_pattern: result.matchedPattern },
    });
    return this;
  }

  control(escalations: readonly { source: string; dimension: string }[] = []): this {
    const { diagnostics, worldModel, failureDiagnostics } = this.state;
    const { controlState, decision } = resolveControlState({
      diagnostics,
      contradictions: worldModel.contradictions,
      generation: worldModel.generation_id,
      matchedPattern: failureDiagnostics.matched_pattern,
      escalations,
    });
    this.#visit('control_state', 'control-state', [decision]);
    this.#write('control_state', { controlState });
    return this;
  }

  /** Chooses the next task and returns its id; '' when none is eligible. */
  plan(): string {
    const { task, decision } = selectTask(this.state.taskGraph, this.state.controlState);
    this.#visit('planning', 'planning', [decision]);
    this.#write('planning', task === null ? {} : { taskGraph: setTaskStatus(this.state.taskGraph, task.id, { status: 'RUNNING' }) });
    return task?.id ?? '';
  }

  /** Moves a task by hand, as a gate or the task update does. */
  move(id: string, status: Task['status'], node = 'task_update'): this {
    const moved = setTaskStatus(this.state.taskGraph, id, { status, fromExecutionLayer: true });
    const taskGraph = status === 'COMPLETE' ? releaseDependents(moved, id) : moved;
    const { strategyState } = this.state;
    const done = taskGraph.tasks.filter((task) => task.status === 'COMPLETE').length;
    this.#visit(node, node === 'task_update' ? 'planning' : 'execution', []);
    this.#write(node, {
      taskGraph,
      strategyState: {
        ...strategyState,
        completion_history: [...strategyState.completion_history, done],
        risk_state_history: [...strategyState.risk_state_history, riskSummary(this.state.controlState)],
      },
    });
    return this;
  }

  reopen(id: string): this {
    this.#visit('reviewer_pass', 'reviewer', []);
    this.#write('reviewer_pass', { taskGraph: reopenTask(this.state.taskGraph, id) });
    return this;
  }

  /** Verifies a task's result; a unit test that was run is given by its exit code and output. */
  verify(taskId: string, unit?: { exitCode: number; output: string; passed: number; failed: number }): this {
    const backing: { unit?: BackedOutcome } =
      unit === undefined
        ? {}
        : {
            unit: {
              status: unit.exitCode === 0 ? 'PASS' : 'FAIL',
              detail: `exit ${unit.exitCode}, ${unit.failed} of ${unit.passed + unit.failed} failed`,
            },
          };
    const { verification, decisions } = verify({
      result: { text: 'done' },
      successCriteria: this.state.callerState.success_criteria,
      assumptions: [],
      evidence: this.state.evidenceStore.observations,
      tools: {},
      contradictions: this.state.worldModel.contradictions,
      requiredSections: null,
      backing,
      taskId,
    });
    this.#visit('verification', 'verification', decisions);
    if (unit !== undefined) this.#command(unit);
    this.#write('verification', { verification });
    return this;
  }

  #command(unit: { exitCode: number; output: string; passed: number; failed: number }): void {
    const { number: _number, ...place } = this.#place('verification');
    this.log.add({
      kind: 'tool-start',
      nodeId: 'verification',
      ...place,
      key: 'unit',
      tool: 'run_check',
      effect: 'idempotent',
      input: { kind: 'unit' },
    });
    this.log.add(
      {
        kind: 'tool-end',
        nodeId: 'verification',
        ...place,
        key: 'unit',
        tool: 'run_check',
        outcome: {
          status: 'ok',
          output: {
            found: true,
            command: 'node --test',
            reason: 'package.json, scripts.test',
            exitCode: unit.exitCode,
            timedOut: false,
            output: unit.output,
            counts: { passed: unit.passed, failed: unit.failed },
          },
        },
        durationMs: 412,
      },
      412,
    );
  }

  recover(taskId: string, kind: FailureKind): this {
    const task = taskById(this.state.taskGraph, taskId);
    if (task === undefined) throw new Error(`no task ${taskId}`);
    const result = recover({
      task,
      kind,
      at: this.#time(),
      strategy: this.state.strategyState,
      failures: this.state.failureDiagnostics,
      taskGraph: this.state.taskGraph,
      beliefs: this.state.worldModel.beliefs,
      successCriteria: this.state.callerState.success_criteria,
      experience: unavailableExperience(),
    });
    this.#visit('recovery', 'recovery', result.decisions);
    this.#write('recovery', { strategyState: result.strategy, failureDiagnostics: result.failures, taskGraph: result.taskGraph });
    return this;
  }

  /** Sends out branches, as a dispatching visit does after its end. */
  dispatch(node: string, scopes: readonly string[]): this {
    const { number: _number, ...place } = this.#place(node);
    this.log.add({
      kind: 'branches-open',
      nodeId: node,
      ...place,
      branches: scopes.map((scope) => ({ scope, port: 'task', edges: ['e'], output: null })),
    });
    return this;
  }

  /** Takes branches in: from here on visits belong to the run itself again, which sees `state`. */
  merge(scopes: readonly string[], state: State): this {
    this.scope = undefined;
    this.#visits.set('merge_branches', this.#number('merge_branches') + 1);
    this.log.visitStart('merge_branches', {
      ...this.#place('merge_branches', 'planning'),
      type: 'merge-branches',
      label: 'Merge branches',
      merged: [...scopes],
    });
    this.#write('merge_branches', state);
    return this;
  }
}

/** A run with everything in it: a conflict that is repaired, a block, a capped source, a failed and a repaired verification, a reopened task. */
export function layerScenario(): LayerLog {
  const run = new LayerLog([
    { id: 't1', description: 'Gather what is known about the failing test', risk_level: 'LOW' },
    { id: 't2', description: 'Reproduce the failure', depends_on: ['t1'] },
    { id: 't3', description: 'Isolate the cause', depends_on: ['t2'], risk_level: 'HIGH' },
    { id: 't4', description: 'Fix the parser', depends_on: ['t3'], risk_level: 'HIGH' },
    { id: 't5', description: 'Verify with the whole suite', depends_on: ['t4', 't2'] },
  ]);
  run
    .evidence({
      id: 'e1',
      obs: 'The cache is enabled',
      source: 'fact_extraction',
      evidence_type: 'INFERENCE',
      reliability: 'HIGH',
      belief: { statement: 'The cache is enabled', derived_from: ['message'] },
    })
    .evidence({
      id: 'e2',
      obs: 'The cache is not enabled',
      source: 'web_search',
      evidence_type: 'INFERENCE',
      reliability: 'HIGH',
      belief: { statement: 'The cache is not enabled', derived_from: ['forum'] },
    })
    .contradiction()
    .hypothesis()
    .diagnostics()
    .control();
  run.retire('e2').stale({ e1: true }, 'diagnostics').diagnostics().control();
  run.stale({ e1: false }, 'recovery_action').diagnostics().control();
  run.plan();
  run
    .evidence({
      id: 'exec-t1-1',
      obs: 'test/parser.test.js: 1 of 3 failed, connection refused',
      source: 'execution_engine',
      evidence_type: 'OBSERVATION',
      taskId: 't1',
    })
    .evidence({
      id: 's1',
      obs: 'A forum says the parser drops the last line',
      source: 'web_search',
      evidence_type: 'OBSERVATION',
      reliability: 'HIGH',
      taskId: 't1',
    })
    .diagnostics()
    .control()
    .verify('t1')
    .move('t1', 'COMPLETE');
  run.plan();
  run
    .evidence({ id: 'exec-t2-1', obs: 'request timed out', source: 'execution_engine', evidence_type: 'SYSTEM_ERROR', taskId: 't2' })
    .diagnostics()
    .control()
    .move('t2', 'FAILED', 'act')
    .recover('t2', 'system_error');
  run.plan();
  run.move('t2', 'PENDING', 'action_gate');
  run.plan();
  run
    .verify('t2', { exitCode: 1, output: 'not ok 2 - keeps the last line\n  expected 3, got 2', passed: 2, failed: 1 })
    .diagnostics()
    .control([{ source: 'consistency_repair changed nothing twice', dimension: 'belief_consistency' }])
    .control()
    .verify('t2', { exitCode: 0, output: 'ok 1\nok 2\nok 3', passed: 3, failed: 0 })
    .move('t2', 'COMPLETE')
    .reopen('t2');
  return run;
}

/** A long run: `rounds` times the loop over `tasks` tasks in chains, with an observation and a belief per round. */
export function longLayerLog(rounds: number, tasks = 40): LayerLog {
  const run = new LayerLog(
    Array.from({ length: tasks }, (_, i) => ({
      id: `t${i + 1}`,
      description: `Task number ${i + 1} of the long run`,
      depends_on: i % 4 === 0 ? [] : [`t${i}`],
      parallel_write_domains: [`src/part-${i % 5}`],
    })),
  );
  for (let round = 0; round < rounds; round += 1) {
    const id = `n${round}`;
    run.evidence({
      id,
      obs: `The value of part ${round % 17} is ${round}`,
      source: round % 3 === 0 ? 'web_search' : 'execution_engine',
      evidence_type: round % 2 === 0 ? 'OBSERVATION' : 'INFERENCE',
      reliability: round % 3 === 0 ? 'HIGH' : 'MEDIUM',
      belief: { statement: `Part ${round % 17} has the value ${round}`, derived_from: [`n${Math.max(0, round - 1)}`] },
    });
    run.hypothesis().diagnostics().control();
    const task = run.plan();
    if (task !== '') run.verify(task).move(task, round % 7 === 5 ? 'PENDING' : 'COMPLETE');
  }
  return run;
}
