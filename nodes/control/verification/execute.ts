import { implementNode } from '@/harness/contract/execute';
import type { Json } from '@/harness/contract/json';
import { soundBeliefs, verifyDerivations } from '@/harness/layers/belief-graph/derivations';
import { compared, decided, fact } from '@/harness/layers/shared/explain';
import { postExecutionGate, verify } from '@/harness/layers/verification/verify';
import { decideAll, isoNow } from '../support/helpers';
import { type ControlChannels, stateOf } from '../support/state';
import { workOf } from '../support/work';
import { writesOf } from '../support/writes';
import { runCommands } from './commands';
import { askJudges } from './judges';
import { verification as manifest } from './node';

export const executeVerification = implementNode(manifest, async (context) => {
  const { config } = context;
  const state = stateOf(context);
  const { worldModel, evidenceStore, callerState, outputContract, goal, progress } = state;
  const work = workOf(state, context.input);
  const done = state.taskResults[work.id];
  const result = done ? done.output : state.currentTask === null ? fallbackResult(state, context.received) : null;
  const changedPaths = done?.changed_paths ?? [];
  const commands = await runCommands(context, { taskId: work.id, changedPaths, store: evidenceStore, now: await isoNow(context) });
  const judged = await askJudges(context, {
    task: work.description,
    objective: goal.objective,
    result,
    criteria: callerState.success_criteria,
    assumptions: worldModel.assumptions,
    evidence: commands.store.observations,
  });
  const { verification, decisions } = verify(
    {
      result,
      successCriteria: callerState.success_criteria,
      assumptions: worldModel.assumptions,
      // what the checks themselves showed is cited, and does not make the evidence for the result any more
      evidence: evidenceStore.observations,
      tools: evidenceStore.tool_availability_manifest,
      contradictions: worldModel.contradictions,
      requiredSections: outputContract.required_sections,
      risk: work.task?.risk_level ?? goal.risk,
      hypotheses: state.hypothesisSet.active,
      backing: { ...commands.backing, ...judged },
      taskId: work.id,
    },
    config,
  );
  decideAll(context, decisions);
  const passed = postExecutionGate(result, outputContract.required_sections, verification);
  const derivations = passed ? markDerivations(state) : null;
  if (derivations) context.decide(derivations.decision);
  const failures = progress.adversarial_failures.filter((id) => id !== work.id);
  if (verification.adversarial_passed === false) failures.push(work.id);
  return {
    port: passed ? 'pass' : 'fail',
    output: verification,
    writes: writesOf(context, {
      verification,
      evidenceStore: commands.store,
      ...(derivations ? { beliefDepGraph: derivations.graph } : {}),
      ...(failures.length === progress.adversarial_failures.length ? {} : { progress: { adversarial_failures: failures } }),
    }),
  };
});

/** Where no task was chosen, what came along is checked. */
const fallbackResult = ({ progress }: ControlChannels, received: Json): Json => progress.final_result ?? received;

/** A derivation that holds is marked as verified once a result has passed (D12). */
function markDerivations({ beliefDepGraph, worldModel, evidenceStore }: ControlChannels) {
  const sound = soundBeliefs(worldModel, new Set(evidenceStore.observations.map(({ id }) => id)));
  const { graph, verified } = verifyDerivations(beliefDepGraph, sound);
  if (verified === 0) return null;
  const decision = decided({
    rule: 'derivations verified',
    outcome: `${verified} more`,
    because: [fact('sound beliefs', sound.size), compared('unverified edges', graph.unverified_edge_ratio, '==', 0)],
  });
  return { graph, decision };
}
