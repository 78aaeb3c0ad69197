import type { Decision } from '../../contract/decision';
import type { BeliefDepGraph } from '../belief-graph/state';
import { decided, fact } from '../shared/explain';
import type { Belief, WorldModel } from '../world-model/state';
import { applyContradictions, type ConfidenceChange } from './apply';
import { type ContradictionConfig, defaultContradictionConfig } from './config';
import type { Contradiction, Severity } from './state';

export interface ExternalContradiction {
  beliefIds: string[];
  description: string;
  severity?: Severity | undefined;
}

export interface ExternalResult {
  worldModel: WorldModel;
  graph: BeliefDepGraph;
  recorded: Contradiction | null;
  changes: ConfidenceChange[];
  decision: Decision;
}

/** Records a conflict that a model check found: MEDIUM unless graded, once per set of beliefs whatever found it (layers.md R4). */
export function recordExternalContradiction(
  state: { worldModel: WorldModel; graph: BeliefDepGraph },
  input: ExternalContradiction,
  config: ContradictionConfig = defaultContradictionConfig,
): ExternalResult {
  const key = [...input.beliefIds].sort().join('|');
  const known = state.worldModel.contradictions.find(({ involved_belief_ids }) => [...involved_belief_ids].sort().join('|') === key);
  if (known) {
    const decision = decided({ rule: 'model check', outcome: 'already on record', because: [fact('contradiction', known.id)] });
    return { ...state, recorded: null, changes: [], decision };
  }
  const recorded: Contradiction = {
    id: `contradiction:external:${input.beliefIds.join('+')}`,
    type: 'pairwise',
    severity: input.severity ?? 'MEDIUM',
    scope: input.severity === 'SYSTEM_BREAKING' ? 'global' : 'local',
    description: input.description,
    involved_belief_ids: [...input.beliefIds],
  };
  const model = { ...state.worldModel, contradictions: [...state.worldModel.contradictions, recorded] };
  const applied = applyContradictions(model, state.graph, [recorded], config);
  return {
    ...applied,
    recorded,
    decision: decided({
      rule: 'model check',
      outcome: `${recorded.severity} between ${recorded.involved_belief_ids.join(', ')}`,
      because: applied.changes.map(({ belief, before, after }) => fact(belief, `${before} → ${after}`)),
      note: recorded.description,
    }),
  };
}

/** Beliefs of the trail of finished tasks are never checked for meaning: they say what was done, not what is so. */
export const isCompletionTrail = ({ statement }: Pick<Belief, 'statement'>): boolean => statement.startsWith('Completed: ');

/** What a contradiction model check is asked about: new beliefs against old, only when there is something to compare (layers.md R0). */
export function beliefsToCheck(beliefs: readonly Belief[], checkedIds: ReadonlySet<string>): { fresh: Belief[]; known: Belief[] } | null {
  const fresh = beliefs.filter(({ id }) => !checkedIds.has(id));
  const known = beliefs.filter(({ id }) => checkedIds.has(id));
  return fresh.length >= 1 && (known.length > 0 || fresh.length >= 2) ? { fresh, known } : null;
}
