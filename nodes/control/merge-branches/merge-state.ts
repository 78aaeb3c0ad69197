import type { Decision } from '@/harness/contract/decision';
import { type ContradictionConfig, contradictionConfigSchema } from '@/harness/layers/contradiction/config';
import { detectContradictions } from '@/harness/layers/contradiction/detect';
import type { Contradiction } from '@/harness/layers/contradiction/state';
import { mergeBeliefGraphs, mergeEvidence, mergeHypotheses, mergeKnowledge } from '@/harness/layers/merge/knowledge';
import { appended, lastChanged, mergedBy, mergedRecord, summed, united } from '@/harness/layers/merge/three-way';
import { mergeFailures, mergeMemories, mergeStrategies, mergeTaskGraphs } from '@/harness/layers/merge/work';
import type { Progress, Proposal } from '../channels';
import type { ControlChannels } from '../support/state';

export interface MergeOptions {
  unite: boolean;
  mergeDecay: number;
  recheck: boolean;
  contradiction: ContradictionConfig;
}
export const defaultMergeOptions: MergeOptions = {
  unite: true,
  mergeDecay: 0.9,
  recheck: true,
  contradiction: contradictionConfigSchema.parse({}),
};

/** Every channel of the loop but the control state and what outlives the run. */
export type MergedChannels = Omit<ControlChannels, 'controlState' | 'experienceStore'>;

export interface Merged {
  channels: MergedChannels;
  found: Contradiction[];
  decisions: Decision[];
}

/**
 * Folds the channels of branches into one by the merge rule of layers.md R7, three ways: a change that only one branch made is never undone by
 * another that did not touch it. `base` is what all branches began with.
 */
export function mergeState(
  base: ControlChannels,
  branches: readonly ControlChannels[],
  options: MergeOptions = defaultMergeOptions,
): Merged {
  const each = <K extends keyof ControlChannels>(channel: K): ControlChannels[K][] => branches.map((branch) => branch[channel]);
  const last = <K extends keyof ControlChannels>(channel: K): ControlChannels[K] => lastChanged(base[channel], each(channel));
  const taskGraph = mergeTaskGraphs(base.taskGraph, branches, options.mergeDecay);
  const hypothesisSet = mergeHypotheses(base.hypothesisSet, each('hypothesisSet'));
  const known = mergeKnowledge(base.worldModel, each('worldModel'), { unite: options.unite });
  const graph = mergeBeliefGraphs(base.beliefDepGraph, each('beliefDepGraph'));
  const checked =
    options.recheck && branches.length > 1
      ? detectContradictions({ worldModel: known, graph, hypotheses: hypothesisSet.active }, options.contradiction)
      : { worldModel: known, graph, found: [], decisions: [] };
  return {
    found: checked.found,
    decisions: checked.decisions,
    channels: {
      turnPolicy: last('turnPolicy'),
      goal: last('goal'),
      worldModel: checked.worldModel,
      callerState: last('callerState'),
      diagnostics: last('diagnostics'),
      taskGraph,
      outputContract: last('outputContract'),
      evidenceStore: mergeEvidence(base.evidenceStore, each('evidenceStore')),
      hypothesisSet,
      memoryState: mergeMemories(base.memoryState, each('memoryState')),
      strategyState: mergeStrategies(base.strategyState, each('strategyState'), taskGraph),
      failureDiagnostics: mergeFailures(base.failureDiagnostics, each('failureDiagnostics')),
      beliefDepGraph: checked.graph,
      currentTask: branches.length === 1 ? last('currentTask') : null,
      proposal: oneProposal(each('proposal')),
      toolResults: mergedBy(base.toolResults, each('toolResults'), ({ id }) => id),
      taskResults: mergedRecord(base.taskResults, each('taskResults')),
      conversation: mergedRecord(base.conversation, each('conversation')),
      verification: last('verification'),
      verdict: last('verdict'),
      progress: mergeProgress(base.progress, each('progress')),
    },
  };
}

/** The channel holds one proposal. Where several are open none of them stands; each is found again in its task's conversation. */
function oneProposal(proposals: readonly (Proposal | null)[]): Proposal | null {
  const open = proposals.filter((proposal) => proposal !== null);
  return open.length === 1 ? (open[0] ?? null) : null;
}

/** Counters add up, notes are united, and what calls for a person is never lost. */
export function mergeProgress(base: Progress, branches: readonly Progress[]): Progress {
  const each = <K extends keyof Progress>(key: K): Progress[K][] => branches.map((branch) => branch[key]);
  const last = <K extends keyof Progress>(key: K): Progress[K] => lastChanged(base[key], each(key));
  return {
    steps_used: summed(base.steps_used, each('steps_used')),
    extra_steps: summed(base.extra_steps, each('extra_steps')),
    consecutive_review_failures: mergedRecord(base.consecutive_review_failures, each('consecutive_review_failures')),
    gates: appended(base.gates, each('gates')),
    should_gather: each('should_gather').some(Boolean),
    escalations: mergedBy(base.escalations, each('escalations'), ({ source, dimension }) => JSON.stringify([source, dimension])),
    recovery_log: last('recovery_log'),
    supervisor: {
      gathers: summed(
        base.supervisor.gathers,
        each('supervisor').map(({ gathers }) => gathers),
      ),
      asks: summed(
        base.supervisor.asks,
        each('supervisor').map(({ asks }) => asks),
      ),
    },
    checked_belief_ids: united(base.checked_belief_ids, each('checked_belief_ids')),
    blocker: last('blocker'),
    final_result: last('final_result'),
    reviewer_passes: summed(base.reviewer_passes, each('reviewer_passes')),
    reopened_task_ids: united(base.reopened_task_ids, each('reopened_task_ids')),
    adversarial_failures: mergedBy(base.adversarial_failures, each('adversarial_failures'), (id) => id),
    plan_revisions: summed(base.plan_revisions, each('plan_revisions')),
    output_revisions: summed(base.output_revisions, each('output_revisions')),
    retired_belief_ids: united(base.retired_belief_ids, each('retired_belief_ids')),
    hypotheses_asked: each('hypotheses_asked').some(Boolean),
    judged_evidence: Math.min(...each('judged_evidence')),
    skipped_layers: last('skipped_layers'),
    handed_back: mergedBy(base.handed_back, each('handed_back'), ({ id }) => id),
  };
}
