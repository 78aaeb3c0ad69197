import { implementNode } from '@/harness/contract/execute';
import { resolveControlState } from '@/harness/layers/control-state/resolve';
import { type ControlState, riskSummary } from '@/harness/layers/control-state/state';
import { acknowledgeEscalations } from '@/harness/layers/recovery/actions/acknowledge';
import { stateOf } from '../support/state';
import { writesOf } from '../support/writes';
import { controlState as manifest } from './node';

/** The only node that writes control state (INV-06). It reads the reviewer's verdict and the calls for a person once and clears them. */
export const executeControlState = implementNode(manifest, (context) => {
  const { config } = context;
  const { diagnostics, worldModel, failureDiagnostics, verdict, progress } = stateOf(context);
  const { escalations, recovery_log } = progress;
  const { controlState, decision } = resolveControlState(
    {
      diagnostics,
      contradictions: worldModel.contradictions,
      generation: worldModel.generation_id,
      matchedPattern: failureDiagnostics.matched_pattern,
      pendingVerdict: verdict,
      escalations,
    },
    config,
  );
  context.decide(decision);
  const { block_mask } = controlState;
  return {
    port: portOf(controlState),
    output: {
      permission: controlState.permission,
      mode: controlState.execution_mode,
      escalation: controlState.escalation,
      blocked: block_mask.map(({ dimension }) => dimension),
      recover_by: [...new Set(block_mask.map(({ recovery_action_class }) => recovery_action_class))],
      risk: controlState.risk_estimate,
      confidence: controlState.confidence_estimate,
      reason: controlState.notes.join(' · ') || (controlState.escalation_reason ?? ''),
      generation: controlState.generation_id,
    },
    writes: writesOf(context, {
      controlState,
      verdict: null,
      ...(escalations.length === 0
        ? {}
        : { progress: { escalations: [], recovery_log: acknowledgeEscalations(recovery_log, escalations) } }),
    }),
  };
});

function portOf(state: ControlState): string {
  if (state.escalation === 'HUMAN_REQUIRED') return 'human';
  return { BLOCKED: 'blocked', CAUTIOUS: 'cautious', NORMAL: 'normal' }[riskSummary(state)];
}
