import type { Decision } from '../../contract/decision';
import { compared, decided, fact } from '../../layers/shared/explain';
import { type ApprovalConfig, type ApprovalEffect, type ApprovalEvent, type ApprovalState, defaultApprovalConfig, isFinal } from './state';

export interface Advanced {
  state: ApprovalState;
  effects: ApprovalEffect[];
  decision: Decision;
}

const ignored = (state: ApprovalState, event: ApprovalEvent, why: string): Advanced => ({
  state,
  effects: [],
  decision: decided({
    rule: 'approval',
    outcome: 'ignored',
    because: [fact('status', state.status), fact('message', event.type)],
    note: why,
  }),
});

function moved(state: ApprovalState, next: Partial<ApprovalState>, effects: ApprovalEffect[], because: Decision['because']): Advanced {
  const to = { ...state, ...next };
  return { state: to, effects, decision: decided({ rule: 'approval', outcome: `${state.status} → ${to.status}`, because }) };
}

function onFeedback(state: ApprovalState, content: string, config: ApprovalConfig): Advanced {
  const revision_count = state.revision_count + 1;
  const feedback = [...state.feedback, content];
  const because = [compared('revisions asked for', revision_count, '<=', config.maxRevisions)];
  if (revision_count <= config.maxRevisions) {
    const effects: ApprovalEffect[] = [
      { event: 'plan_rejected', feedback: content },
      { event: 'revise_plan', feedback: content },
    ];
    return moved(state, { status: 'REVISING', revision_count, feedback }, effects, because);
  }
  const message = `The plan was revised ${config.maxRevisions} times, which is the limit. Nothing was changed. Start again with what the feedback asked for.`;
  return moved(state, { status: 'EXHAUSTED', revision_count, feedback }, [{ event: 'error', message, recoverable: false }], because);
}

/** What a rejection that was approved later teaches (planning.md §11). */
export const rejectionMemory = (feedback: readonly string[]): string =>
  `A plan was approved only after this feedback: ${feedback.join(' · ')}`;

function whileAwaiting(state: ApprovalState, event: ApprovalEvent, config: ApprovalConfig): Advanced {
  if (event.type === 'approve') {
    const learned: ApprovalEffect[] =
      state.feedback.length === 0 ? [] : [{ event: 'memory', category: 'rejection', content: rejectionMemory(state.feedback) }];
    return moved(state, { status: 'APPROVED' }, [{ event: 'approved' }, ...learned], [fact('revisions', state.revision_count)]);
  }
  if (event.type !== 'user_message') return ignored(state, event, 'No revision is under way.');
  const content = event.content.trim();
  return content === '' ? ignored(state, event, 'Feedback without words asks for nothing.') : onFeedback(state, content, config);
}

function whileRevising(state: ApprovalState, event: ApprovalEvent): Advanced {
  if (event.type === 'revised') {
    const effects: ApprovalEffect[] = [{ event: 'plan_revision', revision: state.revision_count }, { event: 'approval_required' }];
    return moved(state, { status: 'AWAITING' }, effects, [fact('revision', state.revision_count)]);
  }
  if (event.type === 'revision_failed') {
    const message = `The revision failed, the plan is as it was: ${event.error}`;
    return moved(
      state,
      { status: 'AWAITING' },
      [{ event: 'error', message, recoverable: true }, { event: 'approval_required' }],
      [fact('error', event.error)],
    );
  }
  // Approving now would approve a plan that nobody has seen.
  return ignored(state, event, 'A revision is under way.');
}

/**
 * The approval protocol (planning.md §11). Final states never change; cancelling and losing the client end it from wherever it stands; the
 * feedback after the last allowed revision exhausts it, and no file is touched.
 */
export function advanceApproval(state: ApprovalState, event: ApprovalEvent, config: ApprovalConfig = defaultApprovalConfig): Advanced {
  if (isFinal(state)) return ignored(state, event, 'The approval is closed.');
  if (event.type === 'cancel' || event.type === 'disconnect') {
    return moved(state, { status: 'CANCELLED' }, [{ event: 'cancelled' }], [fact('message', event.type)]);
  }
  return state.status === 'REVISING' ? whileRevising(state, event) : whileAwaiting(state, event, config);
}
