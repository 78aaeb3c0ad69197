import type { Decision } from '../../contract/decision';
import { decided, fact } from '../shared/explain';
import { clamp01 } from '../shared/numbers';
import type { Hypothesis, HypothesisSet } from './state';

export const proposedSource = 'semantic';

export interface HypothesisProposal {
  explanation: string;
  confidence?: number | undefined;
  predicted_observations?: string[] | undefined;
  separating_check?: string | undefined;
  /** Ids of beliefs that could not all hold if it were true; a severe conflict of exactly two of them breaks the system (layers.md R4). */
  conflicting_beliefs?: string[] | undefined;
}

/** Explanations proposed by a model check, once per run: `sem_<n>` with the confidence given or an even share (layers.md R3). */
export function addProposedHypotheses(
  set: HypothesisSet,
  proposals: readonly HypothesisProposal[],
): { set: HypothesisSet; added: Hypothesis[] } {
  if (set.active.some(({ generation_sources }) => generation_sources.includes(proposedSource))) return { set, added: [] };
  const added = proposals.map(
    (proposal, index): Hypothesis => ({
      id: `sem_${index + 1}`,
      explanation: proposal.explanation,
      confidence: clamp01(proposal.confidence ?? 1 / proposals.length),
      predicted_observations: proposal.predicted_observations ?? [],
      discriminating_evidence: proposal.conflicting_beliefs ?? [],
      generation_sources: [proposedSource],
      diversity_score: 0,
      ...(proposal.separating_check ? { separating_check: proposal.separating_check } : {}),
    }),
  );
  return { set: { ...set, active: [...set.active, ...added] }, added };
}

/** Eliminates proposed hypotheses that a judge found contradicted by fresh observations. */
export function eliminateContradicted(
  set: HypothesisSet,
  verdicts: readonly { id: string; reason?: string }[],
): { set: HypothesisSet; decision: Decision } {
  const reasons = new Map(verdicts.map(({ id, reason }) => [id, reason ?? 'contradicted by a fresh observation']));
  const gone = set.active.filter(({ id, generation_sources }) => reasons.has(id) && generation_sources.includes(proposedSource));
  const eliminated = [...set.eliminated, ...gone];
  return {
    set: {
      ...set,
      active: set.active.filter((hypothesis) => !gone.includes(hypothesis)),
      eliminated: eliminated.slice(Math.max(0, eliminated.length - set.elimination_policy.retention_k)),
    },
    decision: decided({
      rule: 'hypothesis judge',
      outcome: gone.length === 0 ? 'none eliminated' : `eliminated ${gone.map(({ id }) => id).join(', ')}`,
      because: gone.map(({ id }) => fact(id, reasons.get(id) ?? '')),
    }),
  };
}
