import { userError } from '@/harness/contract/errors';
import { type ExecuteContext, implementNode } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import { advanceApproval } from '@/harness/planning/approval/advance';
import { carryOver } from '@/harness/planning/approval/carry-over';
import type { ApprovalEvent, ApprovalState } from '@/harness/planning/approval/state';
import type { ExecutionPlan } from '@/harness/planning/artefacts/execution-plan';
import { defaultVerificationConfig } from '@/harness/planning/verification-steps/config';
import { decideAll } from '../../control/support/helpers';
import { designOf, requirePlan, taskOf } from '../support/material';
import { planOutputLimit } from '../support/plan-config';
import { askForRevision } from '../support/revise';
import { type PlanningChannels, planningState, planningWrites } from '../support/state';
import { revisePlanNode } from './node';

type Context = ExecuteContext<ConfigOf<typeof revisePlanNode>>;

export const executeRevisePlan = implementNode(revisePlanNode, async (context) => {
  const { config } = context;
  const channels = planningState(context);
  const previous = requirePlan(context, channels);
  const feedback = feedbackOf(context, channels);
  const reply = await askForRevision(context, {
    previous,
    feedback,
    task: taskOf(context, channels),
    role: config.role,
    corrections: config.corrections,
    contracts: config.stepContracts,
    instructions: context.text(config.instructions),
    maxOutputTokens: planOutputLimit(config),
  });
  const plan = reply.ok ? carried(context, channels, { previous, revised: reply.value }) : previous;
  const problem = reply.ok ? '' : reply.problem;
  if (!reply.ok) context.log('warning', `The revision gave no usable plan, the plan is as it was: ${problem}`);
  return {
    output: { plan: { ...plan }, revised: reply.ok, problem, feedback, warnings: plan.plan_validation_warnings },
    writes: planningWrites({
      executionPlan: plan,
      approvalState: approvalAfter(
        context,
        channels.approvalState,
        reply.ok ? { type: 'revised' } : { type: 'revision_failed', error: problem },
      ),
    }),
  };
});

function feedbackOf(context: Context, { approvalState }: PlanningChannels): string {
  const given = context.text(context.config.feedback).trim();
  const feedback = given === '' ? (approvalState.feedback.at(-1) ?? '') : given;
  if (feedback.trim() !== '') return feedback;
  throw userError(
    'PLAN_NO_FEEDBACK',
    `"${context.node.label}" was given nothing to revise by. Fill in “Feedback”, or lead the port “feedback” of the approval here.`,
  );
}

function carried(context: Context, channels: PlanningChannels, plans: { previous: ExecutionPlan; revised: ExecutionPlan }): ExecutionPlan {
  const { validators, strictContract, humanLoop } = context.config;
  const { plan, decisions } = carryOver({
    ...plans,
    fileSummary: channels.fileSummary,
    design: designOf(channels),
    validators,
    verification: { ...defaultVerificationConfig, strictContract, humanLoop },
  });
  decideAll(context, decisions);
  context.decide({
    rule: 'plan_revised',
    outcome: `${plans.previous.steps.length} → ${plan.steps.length} steps`,
    because: [
      { name: 'steps before', value: plans.previous.steps.length },
      { name: 'warnings before', value: plans.previous.plan_validation_warnings.length },
      { name: 'warnings now', value: plan.plan_validation_warnings.length },
    ],
  });
  return plan;
}

/** Outside of an approval there is none to move. */
function approvalAfter(context: Context, approval: ApprovalState, event: ApprovalEvent): ApprovalState | undefined {
  if (approval.status !== 'REVISING') return undefined;
  const { state, decision } = advanceApproval(approval, event);
  context.decide(decision);
  return state;
}
