import type { DimensionName } from './state';

const titles: Record<DimensionName, string> = {
  belief_freshness: 'Belief freshness',
  belief_consistency: 'Belief consistency',
  belief_support: 'Belief support',
  symptom_coverage: 'Symptom coverage',
  explanation_coverage: 'Explanation coverage',
  verification_strength: 'Verification strength',
  verification_feasibility: 'Verification feasibility',
  progress_rate: 'Progress rate',
  failure_recurrence: 'Failure recurrence',
  oscillation_score: 'Oscillation',
};

export const dimensionTitle = (name: DimensionName): string => titles[name];
