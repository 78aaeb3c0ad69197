import type { Decision } from '../../contract/decision';
import type { BeliefDepGraph } from '../belief-graph/state';
import { sourceDiversity } from '../hypothesis/diversity';
import type { Hypothesis } from '../hypothesis/state';
import type { TaskGraph } from '../planning/state';
import { matchFailurePattern } from '../recovery/failure-library';
import type { FailureDiagnostics, PatternMatch } from '../recovery/state';
import { compared, decided, fact } from '../shared/explain';
import { mean, shown } from '../shared/numbers';
import type { WorldModel } from '../world-model/state';
import { abstractionFit, gapAnnotation } from './abstraction';
import { type DiagnosticsConfig, defaultDiagnosticsConfig } from './config';
import { assertUnit, normalise } from './normalise';
import { type Diagnostics, dimensionNames, healthOf, invertedDimensions } from './state';
import { unexplainedObservations } from './unexplained';

export interface DiagnosticsInput {
  worldModel: WorldModel;
  hypotheses: readonly Hypothesis[];
  taskGraph: TaskGraph;
  failures: FailureDiagnostics;
  beliefGraph: BeliefDepGraph;
  /** Recompute abstraction fit although no task changed. */
  force?: boolean;
}

const ratio = (raw: number): number => normalise({ type: 'ratio', raw });

function beliefHealth({ worldModel }: DiagnosticsInput, config: DiagnosticsConfig): Diagnostics['belief_health'] {
  const count = worldModel.beliefs.length;
  const stale = Object.values(worldModel.stale_flags).filter(Boolean).length;
  const weights: Record<string, number> = { HIGH: config.supportHigh, MEDIUM: config.supportMedium, LOW: config.supportLow };
  return {
    freshness: ratio(1 - stale / Math.max(1, count)),
    consistency: count === 0 ? 1 : ratio(1 - Math.min(1, worldModel.contradictions.length / count)),
    support: count === 0 ? 1 : ratio(mean(worldModel.beliefs.map(({ reliability }) => weights[reliability] ?? config.supportMedium))),
  };
}

function symptomCoverage(active: number, toExplain: number, config: DiagnosticsConfig): number {
  if (config.counting === 'unexplained' && toExplain === 0) return 1;
  return active > 0 ? ratio(active / Math.max(1, toExplain)) : 0;
}

function executionHealth({ taskGraph, failures }: DiagnosticsInput, config: DiagnosticsConfig): Diagnostics['execution_health'] {
  const complete = taskGraph.tasks.filter(({ status }) => status === 'COMPLETE').length;
  const failed = taskGraph.tasks.filter(({ status }) => status === 'FAILED').length;
  const enough = complete + failed >= config.minimumAttempts;
  return {
    progress_rate: enough ? ratio(complete / (complete + failed)) : 1,
    failure_recurrence: ratio(failures.failure_history.filter(({ handled }) => handled !== true).length / config.failuresForWorst),
    oscillation_score: enough ? ratio(failed / taskGraph.tasks.length) : 0,
  };
}

/** Recomputes the ten dimensions and the pattern match from the state as it is (layers.md R5). */
export function updateDiagnostics(
  input: DiagnosticsInput,
  config: DiagnosticsConfig = defaultDiagnosticsConfig,
): { diagnostics: Diagnostics; matchedPattern: PatternMatch | null; decision: Decision } {
  const { worldModel, hypotheses, taskGraph, failures, beliefGraph } = input;
  const toExplain = config.counting === 'all' ? worldModel.observations.length : unexplainedObservations(worldModel, taskGraph).length;
  const known = Object.keys(worldModel.completeness_flags).length > 0;
  const diagnostics: Diagnostics = {
    belief_health: beliefHealth(input, config),
    coverage_health: {
      symptom_coverage: symptomCoverage(hypotheses.length, toExplain, config),
      explanation_coverage: ratio(sourceDiversity(hypotheses)),
    },
    verification_health: {
      strength: beliefGraph.derived_from_edges.length < config.minimumEdges ? 1 : ratio(1 - beliefGraph.unverified_edge_ratio),
      feasibility: normalise({
        type: 'composite',
        raw: {
          components: [
            known ? config.toolAdequacyKnown : config.toolAdequacyUnknown,
            worldModel.observations.length > 0 ? config.evidenceAdequacyKnown : config.evidenceAdequacyUnknown,
            abstractionFit(taskGraph, worldModel.beliefs, config, input.force),
          ],
          weights: [1, 1, config.fitWeight],
        },
      }),
    },
    execution_health: executionHealth(input, config),
    dep_class_gap_annotation: gapAnnotation(taskGraph),
  };
  const match = config.lexicalMatching
    ? matchFailurePattern(
        worldModel.observations.map(({ content }) => content),
        failures.failure_mode_library.entries,
      )
    : null;
  const health = healthOf(diagnostics);
  for (const name of dimensionNames) assertUnit(health[name], name);
  return { diagnostics, matchedPattern: match, decision: explain(diagnostics, toExplain, match) };
}

/** Thresholds for reporting only: a healthy-style dimension below 0.4 or an inverted one above 0.6 has crossed caution. */
function explain(diagnostics: Diagnostics, toExplain: number, match: PatternMatch | null): Decision {
  const health = healthOf(diagnostics);
  const crossed = dimensionNames.filter((name) => health[name] < 0.4);
  return decided({
    rule: 'ten dimensions',
    outcome: crossed.length === 0 ? 'no dimension in caution' : `in caution: ${crossed.join(', ')}`,
    because: [
      ...dimensionNames.map((name) => ({
        ...compared(name, shown(health[name]), '<', 0.4),
        ...(invertedDimensions.includes(name) ? { name: `1 − ${name}` } : {}),
      })),
      fact('observations to explain', toExplain),
      ...(match ? [fact('failure pattern', `${match.failure_class} at ${shown(match.confidence)}`)] : []),
    ],
    note: diagnostics.dep_class_gap_annotation || undefined,
  });
}
