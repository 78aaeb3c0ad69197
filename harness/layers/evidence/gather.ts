import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { decided, fact } from '../shared/explain';
import { capReliability, type ReliabilityLevel, reliabilitySchema } from '../shared/levels';
import { clamp01 } from '../shared/numbers';
import type { Evidence, EvidenceStore, EvidenceType } from './state';

export const evidenceConfigSchema = z.object({
  defaultReliability: reliabilitySchema.default('MEDIUM').meta({ title: 'Reliability when none is given' }),
  systemErrorReliability: reliabilitySchema.default('HIGH').meta({ title: 'Reliability of a system error' }),
  ceilings: z
    .record(z.string(), reliabilitySchema)
    .default({})
    .meta({ title: 'Ceilings by tool', description: 'Overrides the ceiling that a tool declares.' }),
});
export type EvidenceConfig = z.output<typeof evidenceConfigSchema>;
export const defaultEvidenceConfig: EvidenceConfig = evidenceConfigSchema.parse({});

/** Sources of the harness itself; they are always listed as available (layers.md R0). */
export const internalSources = ['execution_engine', 'result_inspection', 'fact_extraction', 'world_model_trail'] as const;

export interface EvidenceInput {
  id: string;
  obs: string;
  source: string;
  evidence_type: EvidenceType;
  reliability?: ReliabilityLevel | null | undefined;
  freshness: string;
  task_id?: string | undefined;
  paths?: readonly string[] | undefined;
}

/** Nothing is collected from a source that is not listed or not available; a system error is always as reliable as configured. */
export function gatherEvidence(
  store: EvidenceStore,
  input: EvidenceInput,
  config: EvidenceConfig = defaultEvidenceConfig,
): { store: EvidenceStore; evidence: Evidence | null; decision: Decision } {
  const listed = store.tool_availability_manifest[input.source];
  if (listed?.available !== true) {
    return {
      store,
      evidence: null,
      decision: decided({
        rule: 'source availability',
        outcome: 'nothing collected',
        because: [fact('source', input.source), fact('state', listed === undefined ? 'not listed' : 'unavailable')],
        alternatives: [{ outcome: 'collected', needs: `list ${input.source} as available` }],
      }),
    };
  }
  const reliability =
    input.evidence_type === 'SYSTEM_ERROR' ? config.systemErrorReliability : (input.reliability ?? config.defaultReliability);
  const evidence: Evidence = {
    id: input.id,
    obs: input.obs,
    reliability,
    source: input.source,
    evidence_type: input.evidence_type,
    freshness: input.freshness,
    ...(input.task_id === undefined ? {} : { task_id: input.task_id }),
    ...(input.paths === undefined || input.paths.length === 0 ? {} : { paths: [...input.paths] }),
  };
  return {
    store: { ...store, observations: [...store.observations, evidence] },
    evidence,
    decision: decided({
      rule: 'gather evidence',
      outcome: `collected ${evidence.id} as ${reliability}`,
      because: [fact('source', input.source), fact('evidence_type', input.evidence_type)],
    }),
  };
}

/** 1 − the share of tools whose conclusions count LOW at best; 1 when no tool has a ceiling (layers.md R2). */
export function feasibilityByCeilings(store: EvidenceStore, config: EvidenceConfig = defaultEvidenceConfig): number {
  const ceilings = Object.entries(store.tool_reliability_envelopes).map(
    ([tool, envelope]) => config.ceilings[tool] ?? envelope.max_conclusion_reliability,
  );
  return ceilings.length === 0 ? 1 : clamp01(1 - ceilings.filter((ceiling) => ceiling === 'LOW').length / ceilings.length);
}

/** Evidence is never more reliable than the ceiling of the tool it came from, whatever its type (layers.md R2). */
export function applyToolReliability(
  store: EvidenceStore,
  evidence: Evidence,
  config: EvidenceConfig = defaultEvidenceConfig,
): { store: EvidenceStore; evidence: Evidence; feasibility: number; decision: Decision } {
  const ceiling = config.ceilings[evidence.source] ?? store.tool_reliability_envelopes[evidence.source]?.max_conclusion_reliability;
  const reliability = ceiling === undefined ? evidence.reliability : capReliability(evidence.reliability, ceiling);
  const capped = reliability === evidence.reliability ? evidence : { ...evidence, reliability };
  const feasibility = feasibilityByCeilings(store, config);
  const outcome =
    capped === evidence
      ? `${evidence.source} stays ${reliability}`
      : `${evidence.source} ${evidence.reliability} capped to ${reliability} by its ceiling`;
  return {
    store:
      capped === evidence ? store : { ...store, observations: store.observations.map((item) => (item.id === evidence.id ? capped : item)) },
    evidence: capped,
    feasibility,
    decision: decided({
      rule: 'tool ceiling',
      outcome,
      because: [
        fact('evidence', evidence.id),
        fact('source', evidence.source),
        fact('reliability', evidence.reliability),
        fact('ceiling', ceiling ?? 'none'),
        fact('verification feasibility', feasibility),
      ],
    }),
  };
}
