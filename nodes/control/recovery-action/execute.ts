import { type ExecuteContext, implementNode } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import type { ToolManifest } from '@/harness/layers/evidence/state';
import { consistencyRepair } from '@/harness/layers/recovery/actions/beliefs';
import { runRecoveryActions } from '@/harness/layers/recovery/actions/run';
import type { RecoveryFindings, Repairable } from '@/harness/layers/recovery/actions/types';
import { nextGeneration } from '@/harness/layers/world-model/generation';
import type { Belief } from '@/harness/layers/world-model/state';
import { decideAll, isoNow } from '../support/helpers';
import { type ControlChannels, stateOf } from '../support/state';
import { writesOf } from '../support/writes';
import { recoveryAction } from './node';
import { rereadSources } from './reread';
import { settleConflicts } from './settle';

type Context = ExecuteContext<ConfigOf<typeof recoveryAction>>;

export const executeRecoveryAction = implementNode(recoveryAction, async (context) => {
  const state = stateOf(context);
  const blockMask = state.controlState.block_mask;
  if (blockMask.length === 0) {
    context.decide({ rule: 'recover', outcome: 'nothing is blocked', because: [{ name: 'blocked dimensions', value: [] }] });
    return { port: 'unchanged', output: { dimensions: [], repaired: false, wants: [], escalated: [] } };
  }
  const now = await isoNow(context);
  const before = repairableOf(state);
  const findings = await findingsFor(context, state, before, now);
  const run = runRecoveryActions({ blockMask, state: before, log: state.progress.recovery_log, now, findings }, context.config);
  decideAll(context, run.decisions);
  const { state: after } = run;
  const retired = before.worldModel.beliefs.filter(({ id }) => !after.worldModel.beliefs.some((belief) => belief.id === id));
  return {
    port: run.port,
    output: {
      dimensions: blockMask.map(({ dimension }) => dimension),
      repaired: run.port === 'repaired',
      wants: Object.values(run.wants).flat(),
      escalated: run.escalations.map(({ dimension }) => dimension),
    },
    writes: writesOf(context, {
      // whoever acts next must have control state resolved on what was repaired
      worldModel: run.port === 'repaired' ? nextGeneration(after.worldModel) : undefined,
      beliefDepGraph: after.beliefGraph,
      evidenceStore: after.evidence,
      hypothesisSet: after.hypotheses,
      taskGraph: after.taskGraph,
      strategyState: after.strategy,
      failureDiagnostics: after.failures,
      progress: {
        recovery_log: run.log,
        ...(run.escalations.length === 0 ? {} : { escalations: [...state.progress.escalations, ...run.escalations] }),
        ...(retired.length === 0 ? {} : { retired_belief_ids: [...state.progress.retired_belief_ids, ...retired.map(({ id }) => id)] }),
      },
    }),
  };
});

const repairableOf = (state: ControlChannels): Repairable => ({
  worldModel: state.worldModel,
  beliefGraph: state.beliefDepGraph,
  evidence: state.evidenceStore,
  hypotheses: state.hypothesisSet,
  taskGraph: state.taskGraph,
  strategy: state.strategyState,
  failures: state.failureDiagnostics,
});

/** What the blocked classes need to know and only the world, a model or a person can say. Nothing else is looked up. */
async function findingsFor(context: Context, state: ControlChannels, repairable: Repairable, now: string): Promise<RecoveryFindings> {
  const classes = new Set(state.controlState.block_mask.map(({ recovery_action_class }) => recovery_action_class));
  const findings: { -readonly [K in keyof RecoveryFindings]: RecoveryFindings[K] } = {};
  const doubted = doubtedBeliefs(state, classes);
  if (doubted.length > 0) findings.rereads = await rereadSources(context, state, doubted);
  if (classes.has('consistency_repair')) {
    const dry = consistencyRepair(repairable, { now, findings, config: context.config });
    const open = state.worldModel.contradictions.filter(({ id }) => dry.wants.includes(id));
    findings.judgements = await settleConflicts(context, state, open);
  }
  if (classes.has('feasibility_check')) findings.tools = toolsNow(context, state);
  return findings;
}

function doubtedBeliefs({ worldModel }: ControlChannels, classes: ReadonlySet<string>): Belief[] {
  const disputed = new Set(
    worldModel.contradictions.filter(({ type }) => type === 'temporal').flatMap(({ involved_belief_ids }) => involved_belief_ids),
  );
  return worldModel.beliefs.filter(
    ({ id }) =>
      (classes.has('belief_refresh') && worldModel.stale_flags[id] === true) || (classes.has('consistency_repair') && disputed.has(id)),
  );
}

/** Tools as they can be used at this visit. What is listed without a ceiling is no tool, so it cannot be looked up here. */
function toolsNow(context: Context, { evidenceStore }: ControlChannels): ToolManifest {
  const offered = new Set(context.tools().map(({ name }) => name));
  const listed = Object.entries(evidenceStore.tool_availability_manifest).filter(
    ([name]) => evidenceStore.tool_reliability_envelopes[name] !== undefined,
  );
  const added = [...offered].map((name) => [name, { available: true, fallback_tool: null }] as const);
  return Object.fromEntries([...added, ...listed.map(([name, entry]) => [name, { ...entry, available: offered.has(name) }] as const)]);
}
