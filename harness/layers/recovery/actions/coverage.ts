import { unexplainedObservations } from '../../diagnostics/unexplained';
import type { Hypothesis } from '../../hypothesis/state';
import { type RecoveryAction, repaired, unchanged } from './types';

const raised = (id: string, source: string, explanation: string, confidence: number): Hypothesis => ({
  id,
  explanation,
  confidence,
  predicted_observations: [],
  discriminating_evidence: [],
  generation_sources: [source],
  diversity_score: 0,
});

/** coverage_expand: raises a hypothesis for observations that nothing explains yet (D3). */
export const coverageExpand: RecoveryAction = (state, { config }) => {
  const known = new Set([...state.hypotheses.active, ...state.hypotheses.eliminated].map(({ id }) => id));
  const open = unexplainedObservations(state.worldModel, state.taskGraph).filter(({ id }) => !known.has(`explains_${id}`));
  const added = open
    .slice(0, config.maxNewHypotheses)
    .map(({ id, content }) =>
      raised(`explains_${id}`, 'symptom_inference', `Something explains: ${content.slice(0, 120)}`, config.newHypothesisConfidence),
    );
  if (added.length === 0)
    return unchanged(state, 'every unexplained observation already has a hypothesis', ['evidence for what is unexplained']);
  const hypotheses = { ...state.hypotheses, active: [...state.hypotheses.active, ...added] };
  return repaired({ ...state, hypotheses }, `${added.length} hypotheses for ${open.length} unexplained observations`);
};

const sources = ['symptom_inference', 'counterfactual', 'failure_mode_library', 'analogy'];

/** explanation_expand: raises hypotheses from the sources that the live ones lack, or have least of (D3). */
export const explanationExpand: RecoveryAction = (state, { config }) => {
  const counts = new Map(sources.map((source) => [source, 0]));
  for (const { generation_sources } of state.hypotheses.active)
    for (const source of generation_sources) counts.set(source, (counts.get(source) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const poor = [...counts].filter(([, count]) => count < most || most === 0);
  const ids = new Set(state.hypotheses.active.map(({ id }) => id));
  const added = poor
    .map(([source, count]) =>
      raised(
        `expand_${source}_${count + 1}`,
        source,
        `Another explanation by ${source.replaceAll('_', ' ')}`,
        config.newHypothesisConfidence,
      ),
    )
    .filter(({ id }) => !ids.has(id))
    .slice(0, config.maxNewHypotheses);
  if (added.length === 0) return unchanged(state, 'all sources are drawn on alike', ['explanations by another source']);
  return repaired(
    { ...state, hypotheses: { ...state.hypotheses, active: [...state.hypotheses.active, ...added] } },
    `explanations added by ${added.flatMap(({ generation_sources }) => generation_sources).join(', ')}`,
  );
};
