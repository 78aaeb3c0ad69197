import type { ExecuteContext } from '@/harness/contract/execute';
import { implementNode } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import { abstractionFit } from '@/harness/layers/diagnostics/abstraction';
import { defaultDiagnosticsConfig } from '@/harness/layers/diagnostics/config';
import { retireBeliefs } from '@/harness/layers/recovery/actions/beliefs';
import { learnFromJournal } from '@/harness/layers/recovery/experience';
import { adversarialLensRuns, type ReviewerResult, reviewerPass as review } from '@/harness/layers/reviewer/pass';
import { disputedBeliefs, findingsFor, reopenTasks, unfinishedTasks } from '@/harness/layers/reviewer/reopen';
import type { Finding } from '@/harness/layers/reviewer/state';
import { compared, decided, fact } from '@/harness/layers/shared/explain';
import { nextGeneration } from '@/harness/layers/world-model/generation';
import type { WorkMessage } from '../channels';
import { decideAll, layerSkipped } from '../support/helpers';
import { type ControlChannels, stateOf } from '../support/state';
import { withNote } from '../support/work';
import { writesOf } from '../support/writes';
import { coveredByModel } from './coverage';
import { reviewerPass } from './node';

type Context = ExecuteContext<ConfigOf<typeof reviewerPass>>;
type Known = Pick<ReviewerResult, 'worldModel' | 'beliefGraph'>;

export const executeReviewerPass = implementNode(reviewerPass, async (context) => {
  const { config } = context;
  const state = stateOf(context);
  const { taskGraph, worldModel, callerState, progress, goal, diagnostics } = state;
  const result = review(
    {
      worldModel,
      beliefGraph: state.beliefDepGraph,
      budget: config,
      taskGraph,
      successCriteria: callerState.success_criteria,
      classPriors: state.failureDiagnostics.failure_mode_library.class_priors,
      coveredCriteria: await coveredByModel(context, state),
      adversarialFailures: progress.adversarial_failures,
      runAdversarial:
        config.adversarial &&
        adversarialLensRuns(taskGraph.tasks, goal.risk, config) &&
        !layerSkipped(context, state, 'reviewer_adversarial'),
    },
    config,
  );
  decideAll(context, result.decisions);
  const reopened = allowed(context, state, result.reopenedTaskIds);
  const open = reopenTasks(taskGraph, reopened);
  const known = withdraw(context, result, reopened);
  const unfinished = unfinishedTasks(open);
  return {
    port: reopened.length > 0 ? 'reopen' : 'release',
    output: {
      result: progress.final_result,
      findings: result.findings,
      verdict: result.verdict,
      reopened,
      unfinished,
      summary: [...result.findings.map(({ text }) => text), ...unfinished].join('\n'),
    },
    writes: writesOf(context, {
      worldModel: known.worldModel,
      beliefDepGraph: known.beliefGraph,
      diagnostics: {
        ...diagnostics,
        verification_health: {
          ...diagnostics.verification_health,
          feasibility: abstractionFit(open, known.worldModel.beliefs, defaultDiagnosticsConfig, true),
        },
      },
      verdict: result.verdict,
      ...(reopened.length > 0 ? { taskGraph: open, conversation: notesFor(state, result.findings, reopened) } : learned(context, state)),
      progress: {
        reviewer_passes: progress.reviewer_passes + 1,
        reopened_task_ids: reopened,
        ...(known.withdrawn.length > 0 ? { retired_belief_ids: [...progress.retired_belief_ids, ...known.withdrawn] } : {}),
        ...(reopened.length > 0 ? { adversarial_failures: progress.adversarial_failures.filter((id) => !reopened.includes(id)) } : {}),
      },
    }),
  };
});

/** The tasks that may really be opened again: none once the passes are used up. */
function allowed({ config, decide }: Context, { progress }: ControlChannels, wanted: string[]): string[] {
  if (wanted.length === 0 || progress.reviewer_passes < config.maxPasses) return wanted;
  decide(
    decided({
      rule: 'reviewer passes used up',
      outcome: 'release with findings',
      because: [compared('reviewer passes', progress.reviewer_passes, '<', config.maxPasses), fact('not reopened', wanted)],
      alternatives: [{ outcome: 'reopen', needs: `more than ${config.maxPasses} passes` }],
    }),
  );
  return [];
}

/** What reopened tasks made believed and is in dispute is given up; their work establishes it anew. */
function withdraw(
  { config, decide }: Context,
  { worldModel, beliefGraph }: Known,
  reopened: readonly string[],
): Known & { withdrawn: string[] } {
  const withdrawn = config.withdraw && reopened.length > 0 ? disputedBeliefs(worldModel, reopened) : [];
  if (withdrawn.length === 0) return { worldModel, beliefGraph, withdrawn };
  decide(
    decided({
      rule: 'disputed beliefs of reopened tasks',
      outcome: `${withdrawn.join(', ')} given up`,
      because: [fact('reopened', [...reopened])],
      alternatives: [{ outcome: 'kept', needs: '“Give up disputed beliefs of reopened tasks” switched off' }],
    }),
  );
  const known = retireBeliefs({ worldModel, beliefGraph }, new Set(withdrawn));
  return { ...known, worldModel: nextGeneration(known.worldModel), withdrawn };
}

/** A reopened task is told why, in its own conversation. */
function notesFor(state: ControlChannels, findings: readonly Finding[], ids: readonly string[]): Record<string, WorkMessage[]> {
  return Object.fromEntries(
    ids.map((id) => {
      const why = findingsFor(findings, id).map((text) => `- ${text}`);
      return [id, withNote(state.conversation[id] ?? [], ['A reviewer found:', ...why].join('\n'), null)];
    }),
  );
}

/** Kept for later runs of the flow only (ADR-002: learning changes nothing within a run). */
function learned({ config, decide }: Context, { experienceStore, memoryState }: ControlChannels) {
  if (!config.learn || memoryState.journal.length === 0) return {};
  const next = learnFromJournal({ ...experienceStore, available: true }, memoryState.journal);
  decide(
    decided({
      rule: 'experience',
      outcome: `${Object.keys(next.strategy_weights).length} weights kept for later runs`,
      because: [fact('journal entries', memoryState.journal.length)],
    }),
  );
  return { experienceStore: next };
}
