import { operationalError } from '@/harness/contract/errors';
import { type ExecuteContext, implementNode } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import { initialApproval } from '@/harness/planning/approval/state';
import type { ExecutionPlan } from '@/harness/planning/artefacts/execution-plan';
import { renderExecutionPlan } from '@/harness/planning/artefacts/render-execution-plan';
import { type Assembled, assemblePlan } from '@/harness/planning/assembly/assemble';
import { defaultTierConfig, reinjectsScope } from '@/harness/planning/context/tier';
import { decideAll } from '../../control/support/helpers';
import { debugArtefact } from '../support/artefact-file';
import { designOf, fileSummaryPart, taskOf } from '../support/material';
import { planCall } from '../support/plan-call';
import { planOutputLimit } from '../support/plan-config';
import { modelPlanSchema } from '../support/plan-schema';
import { askForRevision } from '../support/revise';
import { type PlanningChannels, planningState, planningWrites } from '../support/state';
import { assemblePlanNode } from './node';
import { planPrompt, planSystem } from './prompt';

type Context = ExecuteContext<ConfigOf<typeof assemblePlanNode>>;

export const executeAssemblePlan = implementNode(assemblePlanNode, async (context) => {
  const channels = planningState(context);
  const task = taskOf(context, channels);
  const instructions = context.text(context.config.instructions);
  let plan = await firstPlan(context, channels, { task, instructions });
  let revisions = 0;
  let assembled = checked(context, channels, plan, revisions);
  while (assembled.feedback !== null) {
    plan = await revised(context, assembled, { task, instructions });
    revisions += 1;
    assembled = checked(context, channels, plan, revisions);
  }
  await debugArtefact(context, 'phase_4_plan.json', JSON.stringify(assembled.plan, null, 2));
  await debugArtefact(context, 'phase_4_plan.md', renderExecutionPlan(assembled.plan));
  return {
    output: {
      plan: { ...assembled.plan },
      warnings: assembled.plan.plan_validation_warnings,
      outcome: assembled.report.outcome,
      revisions,
    },
    // a new plan is a new approval
    writes: planningWrites({ executionPlan: assembled.plan, approvalState: initialApproval }),
  };
});

async function firstPlan(
  context: Context,
  channels: PlanningChannels,
  { task, instructions }: { task: string; instructions: string },
): Promise<ExecutionPlan> {
  const { config } = context;
  const whole = reinjectsScope(config.contextWindow, { ...defaultTierConfig, smallWindow: config.smallWindow });
  if (!whole) {
    context.decide({
      rule: 'small window',
      outcome: 'scope and project context are left out of the prompt',
      because: [{ name: 'context window', value: config.contextWindow, operator: '>', threshold: config.smallWindow, holds: false }],
    });
  }
  const files = await fileSummaryPart(context, channels, { tokens: config.contextWindow, small: config.smallWindow });
  const reply = await planCall(context, {
    role: config.role,
    name: 'execution-plan',
    schema: modelPlanSchema({ contracts: config.stepContracts, testsFirst: false }),
    system: planSystem({ testability: config.testability, contracts: config.stepContracts, instructions }),
    prompt: planPrompt(channels, { task, files, whole }),
    corrections: config.corrections,
    maxOutputTokens: planOutputLimit(config),
  });
  if (reply.ok) return reply.value;
  throw operationalError(
    'PLAN_FAILED',
    `The model gave no usable plan: ${reply.problem}. Try again, or use a stronger model for "${context.node.label}".`,
  );
}

function checked(context: Context, channels: PlanningChannels, plan: ExecutionPlan, revisions: number): Assembled {
  const { autoRevise, coreFunctionality, testability, validators } = context.config;
  const assembled = assemblePlan({
    plan,
    design: designOf(channels),
    fileSummary: channels.fileSummary,
    validators,
    config: { autoRevise, coreFunctionality, testability },
    commands: channels.commandSet,
    revisions,
  });
  decideAll(context, assembled.decisions);
  return assembled;
}

/** A revision that cannot be used leaves the plan as it was; what is uncovered stays a warning. */
async function revised(
  context: Context,
  { plan, feedback }: Assembled,
  about: { task: string; instructions: string },
): Promise<ExecutionPlan> {
  const { config } = context;
  const reply = await askForRevision(context, {
    previous: plan,
    feedback: feedback ?? '',
    ...about,
    role: config.role,
    corrections: config.corrections,
    contracts: config.stepContracts,
    maxOutputTokens: planOutputLimit(config),
  });
  if (reply.ok) return reply.value;
  context.log('warning', `The automatic revision gave no usable plan, the first one stays: ${reply.problem}`);
  return plan;
}
