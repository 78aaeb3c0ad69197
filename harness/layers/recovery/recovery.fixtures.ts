import { emptyBeliefDepGraph } from '../belief-graph/state';
import { emptyEvidenceStore } from '../evidence/state';
import { emptyHypothesisSet } from '../hypothesis/state';
import { newTask } from '../planning/revalidate';
import type { Task } from '../planning/state';
import { emptyWorldModel } from '../world-model/state';
import type { Repairable } from './actions/types';
import type { RecoverInput } from './recover';
import { emptyFailureDiagnostics, initialStrategyState, unavailableExperience } from './state';

const at = '2026-01-01T11:00:00.000Z';

/** A state in which every dimension has something that its recovery class can repair. */
export function blockedSample(): Repairable {
  const belief = (id: string, statement: string) => ({
    id,
    statement,
    confidence: 0.9,
    derived_from: [`e-${id}`],
    supporting_evidence: [],
    reliability: '',
    recorded_at: at,
  });
  const evidence = (id: string, reliability: 'HIGH' | 'LOW') => ({
    id,
    obs: id,
    reliability,
    source: 's',
    evidence_type: 'OBSERVATION' as const,
    freshness: at,
  });
  return {
    worldModel: {
      ...emptyWorldModel(),
      observations: [
        { id: 'e-b1', content: 'x', source: 's', recorded_at: at },
        { id: 'odd', content: 'odd thing', source: 's', recorded_at: at },
      ],
      beliefs: [
        belief('b1', 'the build passed'),
        belief('b2', 'the build failed'),
        belief('b3', 'the cache is warm'),
        { ...belief('b4', 'the disk is full'), derived_from: ['e-b1'] },
      ],
      contradictions: [
        {
          id: 'c1',
          type: 'pairwise',
          severity: 'HIGH',
          scope: 'local',
          description: 'passed or failed',
          involved_belief_ids: ['b1', 'b2'],
        },
      ],
      stale_flags: { b3: true },
    },
    beliefGraph: {
      ...emptyBeliefDepGraph(),
      belief_nodes: [{ belief_id: 'b3', confidence: 0.5 }],
      derived_from_edges: [
        { from: 'e-b3', to: 'b3', confidence: 0.5, verified: false },
        { from: 'e-b1', to: 'b4', confidence: 0.5, verified: false },
        { from: 'gone', to: 'gone-too', confidence: 1, verified: false },
      ],
      unverified_edge_ratio: 1,
    },
    evidence: {
      ...emptyEvidenceStore(),
      observations: [evidence('e-b1', 'HIGH'), evidence('e-b2', 'LOW'), evidence('e-b3', 'HIGH')],
      tool_availability_manifest: { linter: { available: false, fallback_tool: null } },
    },
    hypotheses: emptyHypothesisSet(),
    taskGraph: { tasks: [newTask({ id: 't1', description: 'do t1', status: 'FAILED' })], conflict_probability_cache: {}, changed: false },
    strategy: initialStrategyState(),
    failures: {
      ...emptyFailureDiagnostics(),
      failure_history: Array.from({ length: 9 }, (_, index) => ({
        id: `f${index}`,
        timestamp: at,
        failure_class: 'SCOPE_CREEP',
        description: 'd',
        context: {},
      })),
      matched_pattern: { failure_class: 'SCOPE_CREEP', confidence: 0.9, matched_pattern: 'scope-creep', strategy_affinity: 'MINIMAL_FIX' },
    },
  };
}

export const failedTask = (fields: Partial<Task> = {}): Task => newTask({ id: 'a', description: 'do a', status: 'RUNNING', ...fields });

export function recoverInput(fields: Partial<RecoverInput> = {}): RecoverInput {
  const task = fields.task ?? failedTask();
  return {
    task,
    kind: 'exhausted',
    at,
    strategy: initialStrategyState(),
    failures: emptyFailureDiagnostics(),
    taskGraph: {
      tasks: [task, newTask({ id: 'b', description: 'do b', depends_on: ['a'] })],
      conflict_probability_cache: {},
      changed: false,
    },
    beliefs: [],
    successCriteria: ['a'],
    experience: unavailableExperience(),
    ...fields,
  };
}
