import type { Decision } from '../../contract/decision';
import type { ControlState } from '../control-state/state';
import { decided, fact } from '../shared/explain';

export type GateResult = 'PASS' | 'BLOCK' | 'ESCALATE';

/**
 * The only gate before an action: a person required → ESCALATE; DENY or a required resource in the block mask → BLOCK; else
 * PASS (layers.md R8). It reads nothing but the control state (INV-06).
 */
export function actionGate(
  control: Pick<ControlState, 'permission' | 'escalation_reason' | 'block_mask'>,
  requiredResources: readonly string[] = [],
): { result: GateResult; decision: Decision } {
  const masked = control.block_mask.map(({ dimension }) => dimension);
  const missing = requiredResources.filter((resource) => masked.includes(resource));
  const [result, rule] =
    control.escalation_reason === 'HUMAN_REQUIRED'
      ? (['ESCALATE', 'a person is required'] as const)
      : control.permission === 'DENY'
        ? (['BLOCK', 'permission DENY'] as const)
        : missing.length > 0
          ? (['BLOCK', 'required resource is blocked'] as const)
          : (['PASS', 'permission ALLOW'] as const);
  return {
    result,
    decision: decided({
      rule,
      outcome: result,
      because: [
        fact('permission', control.permission),
        ...control.block_mask.map(({ dimension, value, recovery_action_class }) =>
          fact(dimension, `${value}, recover by ${recovery_action_class}`),
        ),
        ...(missing.length > 0 ? [fact('blocked resources', missing)] : []),
      ],
      alternatives:
        result === 'PASS'
          ? []
          : [{ outcome: 'PASS', needs: result === 'ESCALATE' ? 'the answer of a person' : 'every blocked dimension above its threshold' }],
    }),
  };
}
