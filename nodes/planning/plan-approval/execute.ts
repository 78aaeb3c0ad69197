import { type AskAnswer, type AskInput, timeoutChoice } from '@/harness/contract/ask';
import { type ExecuteContext, implementNode } from '@/harness/contract/execute';
import type { Json } from '@/harness/contract/json';
import type { ConfigOf } from '@/harness/contract/node';
import { type Advanced, advanceApproval } from '@/harness/planning/approval/advance';
import { carryOver } from '@/harness/planning/approval/carry-over';
import { editPlan } from '@/harness/planning/approval/plan-edits';
import { type ApprovalEvent, type ApprovalState, initialApproval, isFinal } from '@/harness/planning/approval/state';
import type { ExecutionPlan } from '@/harness/planning/artefacts/execution-plan';
import { renderExecutionPlan } from '@/harness/planning/artefacts/render-execution-plan';
import { routeMessage } from '@/harness/planning/control-loop/route-message';
import { takeIn } from '@/harness/planning/memory/curate';
import type { MemoryRow } from '@/harness/planning/memory/row';
import { defaultVerificationConfig } from '@/harness/planning/verification-steps/config';
import { decideAll } from '../../control/support/helpers';
import { designOf, requirePlan } from '../support/material';
import { type PlanningChannels, planningState, planningWrites } from '../support/state';
import { approvalForm, editsOf, feedbackOf } from './form';
import { planApprovalNode } from './node';

type Context = ExecuteContext<ConfigOf<typeof planApprovalNode>>;

const portOf: Readonly<Record<ApprovalState['status'], string>> = {
  AWAITING: 'feedback',
  REVISING: 'feedback',
  APPROVED: 'approved',
  CANCELLED: 'cancelled',
  EXHAUSTED: 'exhausted',
};

export const executePlanApproval = implementNode(planApprovalNode, async (context) => {
  const channels = planningState(context);
  const shown = requirePlan(context, channels);
  const { answer, advanced } = await decidedBy(context, channels, shown);
  const { state, effects } = advanced;
  const plan = state.status === 'APPROVED' || state.status === 'REVISING' ? edited(context, channels, shown, answer) : shown;
  const error = effects.flatMap((effect) => (effect.event === 'error' ? [effect.message] : []))[0] ?? '';
  if (error !== '') context.log('warning', error);
  return {
    port: portOf[state.status],
    output: {
      status: state.status,
      plan: { ...plan },
      feedback: state.status === 'REVISING' ? (state.feedback.at(-1) ?? '') : '',
      revision_count: state.revision_count,
      error,
      by: answer.by,
    },
    writes: planningWrites({
      approvalState: state,
      executionPlan: plan === shown ? undefined : plan,
      workspaceMemories: learned(context, channels, advanced),
    }),
  };
});

/** Asks until the answer moves the protocol; feedback without words asks for nothing and is asked for again. */
async function decidedBy(
  context: Context,
  channels: PlanningChannels,
  plan: ExecutionPlan,
): Promise<{ answer: AskAnswer; advanced: Advanced }> {
  const { config } = context;
  // whoever leads back here with a plan of their own means a plan to be decided about
  let state = opened(context, channels.approvalState);
  const early = config.chatIsFeedback ? await saidEarlier(context) : null;
  if (early !== null) {
    const advanced = advanceApproval(state, eventOf(early), config);
    context.decide(advanced.decision);
    if (advanced.state.status !== 'AWAITING') return { answer: early, advanced };
  }
  const expiresAt = config.timeoutMs === null ? null : (await context.now()) + config.timeoutMs;
  let note = '';
  for (let number = 1; ; number += 1) {
    const answer = await context.ask(`plan-${number}`, {
      ...askFor(context, channels, { plan, state, note }),
      ...(expiresAt === null ? {} : { expiresAt }),
    });
    const advanced = advanceApproval(state, eventOf(answer), config);
    context.decide(advanced.decision);
    state = advanced.state;
    if (state.status !== 'AWAITING') return { answer, advanced };
    note = '**Say what should be different** in “Feedback”, then send the plan back.';
  }
}

/** Messages that came before the plan was shown: before execution they are feedback, not interrupts (planning.md §11). */
async function saidEarlier(context: Context): Promise<AskAnswer | null> {
  const messages = await context.inbox();
  for (const [at, { text }] of messages.entries()) {
    const facts = { executing: false, waiting: { approval: at, interrupt: 0 } };
    context.decide(routeMessage({ type: 'user_message', content: text }, facts).decision);
  }
  if (messages.length === 0) return null;
  return { choice: 'feedback', comment: messages.map(({ text }) => text).join('\n\n'), by: 'person' };
}

function opened(context: Context, state: ApprovalState): ApprovalState {
  if (isFinal(state)) return initialApproval;
  if (state.status === 'AWAITING') return state;
  // something other than “Revise plan” has revised it
  const { state: awaiting, decision } = advanceApproval(state, { type: 'revised' }, context.config);
  context.decide(decision);
  return awaiting;
}

function eventOf(answer: AskAnswer): ApprovalEvent {
  if (answer.choice === 'approve') return { type: 'approve' };
  if (answer.choice === 'feedback') return { type: 'user_message', content: feedbackOf(answer) };
  return answer.choice === timeoutChoice ? { type: 'disconnect' } : { type: 'cancel' };
}

interface Shown {
  plan: ExecutionPlan;
  state: ApprovalState;
  note: string;
}

function askFor(context: Context, { planWarnings }: PlanningChannels, { plan, state, note }: Shown): AskInput {
  const { config } = context;
  const warnings = [...plan.plan_validation_warnings, ...planWarnings];
  const left = Math.max(0, config.maxRevisions - state.revision_count);
  const body = [
    plan.user_summary.trim() === '' ? plan.scope : plan.user_summary,
    warnings.length === 0 ? '' : `**Warnings**\n\n${warnings.map((warning) => `- ${warning}`).join('\n')}`,
    `${state.revision_count === 0 ? 'First version' : `Revision ${state.revision_count}`}; ${left} ${left === 1 ? 'revision' : 'revisions'} left.`,
    note,
  ];
  return {
    kind: 'approval',
    title: context.text(config.title),
    body: body.filter((part) => part.trim() !== '').join('\n\n'),
    shown: {
      plan: renderExecutionPlan(plan),
      // artefacts are plain JSON by their schemas
      plan_object: plan as unknown as Json,
      warnings,
      core_functionality: plan.core_functionality.map((tag) => ({ ...tag })),
      // a step is plain JSON by its schema
      tdd_preview: plan.tdd_test_steps as unknown as Json,
      revision: state.revision_count,
      max_revisions: config.maxRevisions,
    },
    choices: [
      { id: 'approve', label: 'Approve', tone: 'accept' },
      { id: 'feedback', label: 'Send back with feedback', tone: 'neutral' },
      { id: 'cancel', label: 'Cancel', tone: 'reject' },
    ],
    form: approvalForm(plan, config.editing),
  };
}

/** The plan with the person's edits, checked again; the plan itself when there are none. */
function edited(context: Context, channels: PlanningChannels, shown: ExecutionPlan, answer: AskAnswer): ExecutionPlan {
  const { editing, validators, strictContract, humanLoop } = context.config;
  const edits = editing ? editsOf(shown, answer) : [];
  if (edits.length === 0) return shown;
  const result = editPlan(shown, edits, validators.minConfidence);
  const { plan, decisions } = carryOver({
    previous: result.plan,
    revised: result.plan,
    fileSummary: channels.fileSummary,
    design: designOf(channels),
    validators,
    verification: { ...defaultVerificationConfig, strictContract, humanLoop },
  });
  decideAll(context, [...result.decisions, ...decisions]);
  return plan;
}

/** What a rejection that led to an approval teaches; the row that is new or was seen again. */
function learned(context: Context, { workspaceMemories }: PlanningChannels, { effects }: Advanced): MemoryRow[] | undefined {
  const memory = effects.find((effect) => effect.event === 'memory');
  if (!context.config.learn || memory === undefined) return undefined;
  const candidate = {
    id: `${context.run.id}-${context.visit.id}-rejection`,
    content: memory.content,
    category: memory.category,
    tags: [],
    source_phase: 'approval',
    confidence: 0.5,
  };
  const { row, decision } = takeIn(workspaceMemories, candidate, context.config.memory);
  context.decide(decision);
  return row === null ? undefined : [row];
}
