import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { newTask } from '../planning/revalidate';
import type { Task } from '../planning/state';
import { decided, fact } from '../shared/explain';
import { type TurnPolicy, turnPolicySchema } from './state';

export const adaptiveConfigSchema = z.object({
  skipTrivial: z.boolean().default(true).meta({ title: 'Answer trivial turns without the layers' }),
  approvalFrom: z.enum(['MEDIUM', 'HIGH', 'never']).default('HIGH').meta({ title: 'Risk from which a turn needs approval' }),
  planQuestionsOnlyWhenFailed: z
    .boolean()
    .default(true)
    .meta({ title: 'Answer plan questions from the record only while a step has failed' }),
});
export type AdaptiveConfig = z.output<typeof adaptiveConfigSchema>;
export const defaultAdaptiveConfig: AdaptiveConfig = adaptiveConfigSchema.parse({});

/** The plan that is under way, if any. */
export interface PlanSituation {
  active: boolean;
  stepFailed: boolean;
}

/** A judgement that failed or cannot be read is UNKNOWN: treated as HIGH, needing approval (layers.md R14). */
export function readTurnPolicy(answer: unknown): TurnPolicy {
  const parsed = turnPolicySchema.safeParse(answer);
  return parsed.success
    ? parsed.data
    : turnPolicySchema.parse({ riskLevel: 'UNKNOWN', riskReason: 'the judgement failed or could not be read' });
}

/** Drops what a field may not say in this situation: triviality above LOW, plan flags without or with a plan (layers.md R14). */
export function restrainTurnPolicy(policy: TurnPolicy, plan: PlanSituation, config: AdaptiveConfig = defaultAdaptiveConfig): TurnPolicy {
  return {
    ...policy,
    isTrivial: policy.isTrivial && policy.riskLevel === 'LOW',
    isAbandonRequest: policy.isAbandonRequest && plan.active,
    matchedPlanTemplate: plan.active ? null : policy.matchedPlanTemplate,
    needsMultiStepPlan: policy.needsMultiStepPlan && !plan.active,
    isBulkReminderRequest: policy.isBulkReminderRequest && policy.isReminderRequest,
    isPlanQuestion: policy.isPlanQuestion && plan.active && (plan.stepFailed || !config.planQuestionsOnlyWhenFailed),
    continuesPlan: plan.active ? policy.continuesPlan : null,
  };
}

const rank = { LOW: 0, MEDIUM: 1, HIGH: 2, UNKNOWN: 2 } as const;

export interface TurnRouting {
  policy: TurnPolicy;
  port: 'trivial' | 'full' | 'needs-approval';
  tasks: Task[];
  /** The risk the loop works with: UNKNOWN counts as HIGH. */
  risk: 'LOW' | 'MEDIUM' | 'HIGH';
  /** Only an explicit "no" sets a stuck plan aside. */
  setPlanAside: boolean;
  decision: Decision;
}

/** Decides how much of the harness a turn needs (layers.md R14). */
export function routeTurn(
  judged: TurnPolicy,
  plan: PlanSituation,
  message: string,
  config: AdaptiveConfig = defaultAdaptiveConfig,
): TurnRouting {
  const policy = restrainTurnPolicy(judged, plan, config);
  const risk = policy.riskLevel === 'UNKNOWN' ? 'HIGH' : policy.riskLevel;
  const limit = config.approvalFrom === 'never' ? Number.POSITIVE_INFINITY : rank[config.approvalFrom];
  const approval = policy.riskLevel === 'UNKNOWN' || rank[policy.riskLevel] >= limit || policy.isBulkReminderRequest;
  const trivial = policy.isTrivial && config.skipTrivial && !approval;
  const descriptions = policy.decomposedTasks && policy.decomposedTasks.length > 0 ? policy.decomposedTasks : [message];
  const port = trivial ? 'trivial' : approval ? 'needs-approval' : 'full';
  return {
    policy,
    port,
    risk,
    setPlanAside: plan.active && policy.continuesPlan === false,
    tasks: trivial
      ? []
      : descriptions.map((description, index) => newTask({ id: `task-${index}`, description, risk_level: risk, abstraction_level: 1 })),
    decision: decided({
      rule: trivial ? 'trivial turn' : approval ? 'approval first' : 'full turn',
      outcome: port,
      because: [
        fact('risk', policy.riskLevel),
        fact('reason', policy.riskReason),
        fact('trivial', policy.isTrivial),
        fact('tasks', descriptions.length),
        fact('approval from', config.approvalFrom),
      ],
      alternatives: trivial ? [] : [{ outcome: 'trivial', needs: 'LOW risk and a plain one-liner' }],
    }),
  };
}
