import { type ExecuteContext, implementNode } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import { type VerificationPlan, verificationPlanSchema } from '@/harness/planning/artefacts/execution-plan';
import { renderExecutionPlan } from '@/harness/planning/artefacts/render-execution-plan';
import { contextTier, defaultTierConfig } from '@/harness/planning/context/tier';
import { defaultWindowShares } from '@/harness/planning/context/tokens';
import { addVerification } from '@/harness/planning/verification-steps/add-verification';
import type { VerificationMode } from '@/harness/planning/verification-steps/config';
import { verificationInputs } from '@/harness/planning/verification-steps/targets';
import { decideAll } from '../../control/support/helpers';
import { debugArtefact } from '../support/artefact-file';
import { designOf, requirePlan, taskOf } from '../support/material';
import { planCall } from '../support/plan-call';
import { type PlanningChannels, planningState, planningWrites } from '../support/state';
import { investigate } from './investigate';
import { verificationStepsNode } from './node';
import { type VerificationMaterial, verificationPrompt, verificationSystem } from './prompt';

export type VerificationContext = ExecuteContext<ConfigOf<typeof verificationStepsNode>>;

export const executeVerificationSteps = implementNode(verificationStepsNode, async (context) => {
  const { config } = context;
  const channels = planningState(context);
  const plan = requirePlan(context, channels);
  const testCommand = testCommandOf(context, channels);
  const mode = modeOf(context);
  const inputs = verificationInputs(designOf(channels), channels.fileSummary, plan.core_functionality);
  const material = { task: taskOf(context, channels), plan, testCommand, inputs, findings: '' };
  const findings = config.investigation === 0 ? '' : await investigate(context, verificationPrompt(material));
  const verification = await ask(context, { ...material, findings }, mode);
  const verified = addVerification({
    plan,
    verification,
    testCommand,
    fileSummary: channels.fileSummary,
    design: designOf(channels),
    config: { ...config, mode },
    validators: config.validators,
  });
  decideAll(context, verified.decisions);
  context.log('info', verified.status);
  await debugArtefact(context, 'phase_5_plan.md', renderExecutionPlan(verified.plan));
  return {
    output: {
      plan: { ...verified.plan },
      added: verified.added.map((step) => ({ ...step })),
      status: verified.status,
      mode,
      findings: verified.findings.map((finding) => ({ ...finding })),
      warnings: verified.plan.plan_validation_warnings,
    },
    writes: planningWrites({ executionPlan: verified.plan }),
  };
});

const testCommandOf = (context: VerificationContext, { commandSet }: PlanningChannels): string => {
  const given = context.text(context.config.testCommand).trim();
  return given === '' ? commandSet.test.trim() : given;
};

/** Tests first needs more than a small window. */
function modeOf(context: VerificationContext): VerificationMode {
  const { mode, contextWindow, toolLimits } = context.config;
  const { smallWindow } = toolLimits;
  if (mode !== 'tdd' || contextTier(contextWindow, { ...defaultTierConfig, smallWindow }).tdd) return mode;
  context.decide({
    rule: 'small window',
    outcome: 'tests are not written first',
    because: [{ name: 'context window', value: contextWindow, operator: '>', threshold: smallWindow, holds: false }],
  });
  return 'normal';
}

/** A share of an unknown window would be a guess. */
const outputLimit = ({ maxOutputTokens, contextWindow }: VerificationContext['config']): number | null =>
  maxOutputTokens ?? (contextWindow === null ? null : Math.floor(contextWindow * defaultWindowShares.output));

/** A reply that cannot be used leaves the plan without tests of its own, which the test contract then tells; it does not stop the plan. */
async function ask(context: VerificationContext, material: VerificationMaterial, mode: VerificationMode): Promise<VerificationPlan> {
  const { config } = context;
  const reply = await planCall(context, {
    role: config.role,
    name: 'verification-plan',
    schema: verificationPlanSchema,
    system: verificationSystem({ mode, strict: config.strictContract, instructions: context.text(config.instructions) }),
    prompt: verificationPrompt(material),
    corrections: config.corrections,
    maxOutputTokens: outputLimit(config),
  });
  if (reply.ok) return reply.value;
  context.decide({
    rule: 'verification steps',
    outcome: 'none: the reply could not be used',
    because: [{ name: 'problem', value: reply.problem }],
  });
  return { steps: [] };
}
