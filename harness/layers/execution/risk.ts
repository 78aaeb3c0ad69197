import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import type { TaskGraph } from '../planning/state';
import { compared, decided, fact } from '../shared/explain';
import type { RiskLevel } from '../shared/levels';
import { shown } from '../shared/numbers';

const weight = (title: string, initial: number) => z.number().min(0).max(1).default(initial).meta({ title });

export const riskConfigSchema = z.object({
  high: weight('Score from which risk is HIGH', 0.5),
  medium: weight('Score from which risk is MEDIUM', 0.3),
  centralityWeight: weight('Weight of file centrality', 0.3),
  scopeWeight: weight('Weight of change size', 0.4),
  base: weight('Base score of business logic', 0.15),
  maxLines: z.number().int().min(1).default(500).meta({ title: 'Lines that count as a full change' }),
  maxFunctions: z.number().int().min(1).default(20).meta({ title: 'Functions that count as a full change' }),
});
export type RiskConfig = z.output<typeof riskConfigSchema>;
export const defaultRiskConfig: RiskConfig = riskConfigSchema.parse({});

export interface RiskableAction {
  module_type: 'test' | 'business_logic' | 'infrastructure';
  affected_files?: string[];
  lines_affected?: number;
  functions_affected?: number;
}

/** How much of the recorded write domains the touched files occur in, on average per file, in [0, 1]. */
export function fileCentrality(files: readonly string[], domains: readonly string[]): number {
  if (files.length === 0) return 0;
  const hits = files.reduce((sum, file) => sum + domains.filter((domain) => domain.includes(file)).length, 0);
  return hits / (Math.max(1, domains.length) * files.length);
}

export interface RiskResult {
  risk: RiskLevel;
  score: number | null;
  metadata: { reduce_edit_size?: true; increase_verification?: true };
  decision: Decision;
}

/** Infrastructure is HIGH, tests are LOW, anything else by centrality and size of the change (layers.md R8). */
export function estimateRisk(action: RiskableAction, graph: Pick<TaskGraph, 'tasks'>, config: RiskConfig = defaultRiskConfig): RiskResult {
  if (action.module_type !== 'business_logic') {
    const risk = action.module_type === 'infrastructure' ? 'HIGH' : 'LOW';
    return {
      risk,
      score: null,
      metadata: metadataOf(risk),
      decision: decided({ rule: 'risk by kind', outcome: risk, because: [fact('module_type', action.module_type)] }),
    };
  }
  const centrality = fileCentrality(
    action.affected_files ?? [],
    graph.tasks.flatMap(({ parallel_write_domains }) => parallel_write_domains),
  );
  const lines = Math.min(1, (action.lines_affected ?? 0) / config.maxLines);
  const functions = Math.min(1, (action.functions_affected ?? 0) / config.maxFunctions);
  const score = config.centralityWeight * centrality + config.scopeWeight * ((lines + functions) / 2) + config.base;
  const risk = score >= config.high ? 'HIGH' : score >= config.medium ? 'MEDIUM' : 'LOW';
  return {
    risk,
    score,
    metadata: metadataOf(risk),
    decision: decided({
      rule: 'risk by size',
      outcome: risk,
      because: [
        compared('risk score', shown(score), '>=', config.high),
        compared('risk score', shown(score), '>=', config.medium),
        fact('file centrality', shown(centrality)),
        fact('change size', shown((lines + functions) / 2)),
      ],
    }),
  };
}

const metadataOf = (risk: RiskLevel): RiskResult['metadata'] =>
  risk === 'HIGH' ? { reduce_edit_size: true, increase_verification: true } : {};

const rank: Record<RiskLevel, number> = { LOW: 0, MEDIUM: 1, HIGH: 2 };

/** A task is at least as risky as the change it is about to make; what runs alongside and what needs approval follow from it (D10). */
export const raiseTaskRisk = <T extends { id: string; risk_level: RiskLevel }>(tasks: readonly T[], id: string, risk: RiskLevel): T[] =>
  tasks.map((task) => (task.id === id && rank[risk] > rank[task.risk_level] ? { ...task, risk_level: risk } : task));
