import type { ExecuteContext, VisitResult } from '@/harness/contract/execute';
import { implementNode } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import { changeOf } from '@/harness/layers/execution/change';
import { riskableChange } from '@/harness/layers/execution/change-risk';
import { type ReviewResult, reviewProposal } from '@/harness/layers/execution/review-gate';
import { estimateRisk, raiseTaskRisk } from '@/harness/layers/execution/risk';
import { setTaskStatus } from '@/harness/layers/planning/transitions';
import type { RiskLevel } from '@/harness/layers/shared/levels';
import type { Progress, Proposal, WorkMessage } from '../channels';
import { isoNow } from '../support/helpers';
import { type ControlChannels, stateOf } from '../support/state';
import { proposalOf, proposalTitle, type Work, withNote, workOf } from '../support/work';
import { writesOf } from '../support/writes';
import { modelReview } from './model-review';
import { reviewGate } from './node';
import { reviewable } from './reviewable';

export type ReviewContext = ExecuteContext<ConfigOf<typeof reviewGate>>;

interface Judged {
  work: Work;
  proposal: Proposal;
  result: ReviewResult;
  advice: string;
}

export const executeReviewGate = implementNode(reviewGate, async (context) => {
  const read = stateOf(context);
  const work = workOf(read, context.input);
  const proposal = proposalOf(read, work);
  const { risk, state } = withRisk(context, read, { work, proposal });
  const judged = await judge(context, state, { work, proposal });
  const { result } = judged;
  context.decide(result.decision);
  const port = result.passed ? 'pass' : result.escalate ? 'halt' : 'revise';
  return {
    port,
    output: {
      passed: result.passed,
      task_id: work.id,
      proposal: proposal.text,
      risk,
      failed: result.failed.map((failure) => ({ ...failure })),
      consecutive_failures: result.consecutiveFailures,
      advice: judged.advice,
    },
    writes: result.passed ? passed(context, state, judged) : await refused(context, state, judged),
  };
});

/** The task is at least as risky as the change it is about to make (D10). */
function withRisk(
  context: ReviewContext,
  state: ControlChannels,
  { work, proposal }: { work: Work; proposal: Proposal },
): { risk: RiskLevel; state: ControlChannels } {
  const { config } = context;
  const change = proposal.kind === 'tool' ? changeOf(proposal.tool ?? '', proposal.arguments) : { paths: [], lines: 0, functions: 0 };
  const { risk, decision } = estimateRisk(riskableChange(change, state.goal.risk, config.kind), state.taskGraph, config.risk);
  context.decide(decision);
  const tasks = raiseTaskRisk(state.taskGraph.tasks, work.id, risk);
  const raised = config.raiseRisk && tasks.some((task, index) => task !== state.taskGraph.tasks[index]);
  return { risk, state: raised ? { ...state, taskGraph: { ...state.taskGraph, tasks } } : state };
}

/** The five dimensions; where they find nothing, a model may be asked as well. */
async function judge(
  context: ReviewContext,
  state: ControlChannels,
  { work, proposal }: { work: Work; proposal: Proposal },
): Promise<Judged> {
  const { config } = context;
  const input = {
    proposal: reviewable(proposal, work, config.subject),
    task: { id: work.id, description: work.description },
    beliefs: state.worldModel.beliefs,
    requiredSections: state.outputContract.required_sections,
    hypotheses: state.hypothesisSet.active,
    tools: state.evidenceStore.tool_availability_manifest,
    failuresSoFar: state.progress.consecutive_review_failures[work.id] ?? 0,
  };
  const result = reviewProposal(input, config);
  const said = result.passed ? await modelReview(context, state, { work, proposal }) : null;
  const advice = said?.advice ?? '';
  if (said === null || config.modelReview !== 'binding') return { work, proposal, result, advice };
  return {
    work,
    proposal,
    result: reviewProposal({ ...input, objection: said.objects ? advice || 'no reason given' : null }, config),
    advice,
  };
}

const countOf = (state: ControlChannels, id: string, count: number): Partial<Progress> => ({
  consecutive_review_failures: { ...state.progress.consecutive_review_failures, [id]: count },
});

/**
 * Only a pass of what was refused ends a row: after a refused call the task is reviewed as a whole once more before the agent proposes again,
 * and that review finds nothing.
 */
function resets({ progress, conversation }: ControlChannels, { id }: Work, { kind }: Proposal): boolean {
  const proposed = (conversation[id] ?? []).some(({ role }) => role === 'assistant');
  return (progress.consecutive_review_failures[id] ?? 0) > 0 && (kind === 'tool' || !proposed);
}

function passed(context: ReviewContext, state: ControlChannels, { work, proposal, advice }: Judged): VisitResult['writes'] {
  const noted: WorkMessage[] = [...(state.conversation[work.id] ?? []), { role: 'user', content: `A reviewer notes: ${advice}` }];
  return writesOf(context, {
    proposal,
    taskGraph: state.taskGraph,
    ...(resets(state, work, proposal) ? { progress: countOf(state, work.id, 0) } : {}),
    ...(advice === '' ? {} : { conversation: { [work.id]: noted } }),
  });
}

/** The task waits again and its conversation says why; the last failure in a row stops for a person (D11). */
async function refused(context: ReviewContext, state: ControlChannels, { work, proposal, result }: Judged): Promise<VisitResult['writes']> {
  const reasons = result.failed.map(({ dimension, reason }) => `${dimension}: ${reason}`);
  const note = `Not carried out: the review refused it. ${reasons.join('; ')}. Propose something that does not run into this, or say why it must.`;
  const halted: Partial<Progress> = result.escalate
    ? {
        // whoever lets the run go on grants a fresh count
        ...countOf(state, work.id, 0),
        blocker: {
          reason: 'review_failure',
          missing_info: reasons,
          current_task_summary: `The review refused "${proposalTitle(proposal)}" ${result.consecutiveFailures} times in a row.`,
          escalated_at: await isoNow(context),
        },
        ...(context.config.callPerson
          ? { escalations: [...state.progress.escalations, { source: 'review gate', dimension: 'review_failure' }] }
          : {}),
      }
    : countOf(state, work.id, result.consecutiveFailures);
  return writesOf(context, {
    proposal: null,
    taskGraph: work.task ? setTaskStatus(state.taskGraph, work.id, { status: 'PENDING' }) : state.taskGraph,
    conversation: { [work.id]: withNote(state.conversation[work.id] ?? [], note, proposal) },
    progress: halted,
  });
}
