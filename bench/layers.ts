import { addDerivations } from '@/harness/layers/belief-graph/derivations';
import { emptyBeliefDepGraph } from '@/harness/layers/belief-graph/state';
import { detectContradictions } from '@/harness/layers/contradiction/detect';
import { resolveControlState } from '@/harness/layers/control-state/resolve';
import { updateDiagnostics } from '@/harness/layers/diagnostics/update';
import { recordEvidence } from '@/harness/layers/evidence/record';
import { type EvidenceStore, emptyEvidenceStore } from '@/harness/layers/evidence/state';
import { actionGate } from '@/harness/layers/execution/action-gate';
import { estimateVoi } from '@/harness/layers/execution/voi';
import { emptyHypothesisSet } from '@/harness/layers/hypothesis/state';
import { updateHypotheses } from '@/harness/layers/hypothesis/update';
import { newTask } from '@/harness/layers/planning/revalidate';
import { selectTask } from '@/harness/layers/planning/select';
import type { TaskGraph } from '@/harness/layers/planning/state';
import { setTaskStatus } from '@/harness/layers/planning/transitions';
import { updateTaskGraph } from '@/harness/layers/planning/update';
import { emptyFailureDiagnostics } from '@/harness/layers/recovery/state';
import { verify } from '@/harness/layers/verification/verify';
import { sweepStaleness } from '@/harness/layers/world-model/staleness';
import { emptyWorldModel, type WorldModel } from '@/harness/layers/world-model/state';
import { median, rounded, timeOf } from './measure';

/*
 * Milliseconds of one iteration of the loop's rules at 10 to 10,000 beliefs and as many tasks, beside one plain walk over the same state
 * (JSON out and in). Quote the ratios and the growth; the machine decides the milliseconds.
 */

const start = Date.parse('2026-01-01T12:00:00Z');
const iso = (offset: number): string => new Date(start + offset).toISOString();
const words = ['cache', 'queue', 'relay', 'parser', 'ledger', 'index', 'cursor', 'socket', 'filter', 'router'];
const word = (seed: number): string => `${words[seed % words.length]}${Math.floor(seed / words.length)}`;

/** A state as a long run leaves it: each belief about a subject of its own, compared already, every third task open. */
function stateOf(size: number) {
  const beliefs = Array.from({ length: size }, (_, index) => ({
    id: `belief-${index}`,
    statement: `${word(index)} ${word(index + 7)} answers in time`,
    confidence: 0.8,
    derived_from: [`exec-${index}`],
    supporting_evidence: [],
    reliability: 'MEDIUM',
    recorded_at: iso(index),
    compared: true,
  }));
  const worldModel: WorldModel = {
    ...emptyWorldModel(),
    generation_id: size,
    beliefs,
    observations: beliefs.map(({ id }, index) => ({
      id: `obs-${id}`,
      content: `seen ${index}`,
      source: 'read_file',
      recorded_at: iso(index),
    })),
  };
  const graph = worldModel.beliefs.reduce(addDerivations, emptyBeliefDepGraph());
  const taskGraph: TaskGraph = {
    tasks: Array.from({ length: size }, (_, index) =>
      newTask({ id: `task-${index}`, description: `do ${word(index)}`, status: index % 3 === 0 ? 'PENDING' : 'COMPLETE' }),
    ),
    conflict_probability_cache: {},
    changed: true,
  };
  const store: EvidenceStore = {
    ...emptyEvidenceStore(),
    tool_availability_manifest: {
      read_file: { available: true, fallback_tool: null },
      fact_extraction: { available: true, fallback_tool: null },
    },
  };
  return { worldModel, graph, taskGraph, store, hypotheses: emptyHypothesisSet(), failures: emptyFailureDiagnostics() };
}
type State = ReturnType<typeof stateOf>;

/** What the rules do once around: sense, judge, plan, gate, take in what came, check. A batch of `batch` new beliefs comes in. */
function iteration(state: State, batch: number): void {
  const swept = sweepStaleness(state.worldModel, start + 60_000);
  const found = detectContradictions({ worldModel: swept.worldModel, graph: state.graph, hypotheses: state.hypotheses.active });
  const hypotheses = updateHypotheses(state.hypotheses, {
    evidence: state.store.observations,
    beliefs: found.worldModel.beliefs,
    contradictions: found.worldModel.contradictions,
    library: state.failures.failure_mode_library.entries,
  });
  const { diagnostics } = updateDiagnostics({
    worldModel: found.worldModel,
    hypotheses: hypotheses.set.active,
    taskGraph: state.taskGraph,
    failures: state.failures,
    beliefGraph: found.graph,
  });
  const { controlState } = resolveControlState({ diagnostics, contradictions: [], generation: found.worldModel.generation_id });
  const updated = updateTaskGraph(state.taskGraph);
  const { task } = selectTask(updated.taskGraph, controlState);
  if (task === null) throw new Error('nothing was selected');
  estimateVoi({ activeHypotheses: hypotheses.set.active.length, verificationStrength: 1, tools: state.store.tool_availability_manifest });
  actionGate(controlState);
  let taken = { store: state.store, worldModel: found.worldModel };
  for (let index = 0; index < batch; index += 1) {
    taken = recordEvidence(taken, {
      id: `fact-${index}`,
      obs: `${word(index + 3)} was seen`,
      source: 'fact_extraction',
      evidence_type: 'INFERENCE',
      freshness: iso(0),
      belief: { statement: `${word(index + 3)} was seen`, derived_from: ['exec-0'] },
      taskId: task.id,
    });
  }
  verify({
    result: 'done',
    successCriteria: [],
    assumptions: [],
    evidence: taken.store.observations,
    tools: {},
    contradictions: taken.worldModel.contradictions,
    requiredSections: null,
  });
  setTaskStatus(updated.taskGraph, task.id, { status: 'COMPLETE' });
}

/** D2: a batch of new beliefs against all known ones. */
function contradictionBatch(state: State, batch: number): () => void {
  const fresh = Array.from({ length: batch }, (_, index) => ({
    id: `new-${index}`,
    statement: `${word(index)} ${word(index + 7)} is not available`,
    confidence: 0.8,
    derived_from: ['exec-0'],
    supporting_evidence: [],
    reliability: 'MEDIUM',
    recorded_at: iso(0),
  }));
  const worldModel: WorldModel = { ...state.worldModel, beliefs: [...state.worldModel.beliefs, ...fresh] };
  return () => void detectContradictions({ worldModel, graph: state.graph, hypotheses: [] });
}

const batch = 5;
const rows: {
  beliefsAndTasks: number;
  iterationMs: number;
  walkMs: number;
  ratioToWalk: number;
  newBeliefBatchMs: number;
  growth: number | null;
}[] = [];
for (const size of [10, 100, 1_000, 10_000]) {
  const state = stateOf(size);
  const rounds = size >= 10_000 ? 5 : size >= 1_000 ? 15 : 40;
  const walk = median(await timeOf(() => void JSON.parse(JSON.stringify(state)), rounds)) / 1000;
  const whole = median(await timeOf(() => iteration(state, batch), rounds)) / 1000;
  const check = median(await timeOf(contradictionBatch(state, batch), rounds)) / 1000;
  const before = rows.at(-1);
  rows.push({
    beliefsAndTasks: size,
    iterationMs: rounded(whole),
    walkMs: rounded(walk),
    ratioToWalk: rounded(whole / walk),
    newBeliefBatchMs: rounded(check),
    growth: before ? rounded(whole / before.iterationMs) : null,
  });
}

if (process.argv.includes('--json')) console.log(JSON.stringify({ batch, rows }));
else {
  console.log(`One iteration of the loop's rules with ${batch} new beliefs (growth: beside the row before, which is a tenth the size)`);
  for (const row of rows) {
    const growth = row.growth === null ? '' : ` · growth ${row.growth}×`;
    console.log(
      `${String(row.beliefsAndTasks).padStart(6)} beliefs and tasks: ${row.iterationMs} ms · ${row.ratioToWalk}× one walk over the state${growth} · new beliefs checked in ${row.newBeliefBatchMs} ms`,
    );
  }
}
