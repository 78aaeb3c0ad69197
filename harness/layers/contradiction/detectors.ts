import { parseInstant } from '../shared/instant';
import type { Belief, EnvironmentChange } from '../world-model/state';
import type { ContradictionConfig } from './config';
import type { Contradiction, Severity } from './state';

export type Finding = Omit<Contradiction, 'id'>;

/** Severity of a pair by the confidence class of both (layers.md R4). */
export function pairSeverity(left: Belief, right: Belief, config: ContradictionConfig): Severity {
  const classOf = ({ confidence }: Belief) => (confidence >= config.highFrom ? 2 : confidence >= config.mediumFrom ? 1 : 0);
  const [a, b] = [classOf(left), classOf(right)];
  if (a === 2 && b === 2) return 'HIGH';
  return a === 0 && b === 0 ? 'LOW' : 'MEDIUM';
}

/** Opposed pairs, by the order of their first and then their second belief. `pairs` holds positions, lower first. */
export function pairwiseFindings(
  beliefs: readonly Belief[],
  pairs: readonly (readonly [number, number])[],
  config: ContradictionConfig,
): Finding[] {
  const findings: Finding[] = [];
  for (const [i, j] of pairs) {
    const [left, right] = [beliefs[i], beliefs[j]];
    if (!left || !right || (left.confidence < config.skipBelow && right.confidence < config.skipBelow)) continue;
    findings.push({
      type: 'pairwise',
      severity: pairSeverity(left, right, config),
      scope: 'local',
      description: `Pairwise contradiction between "${left.id}" and "${right.id}"`,
      involved_belief_ids: [left.id, right.id],
    });
  }
  return findings;
}

/** Chains of three opposed beliefs, each confident enough. With `fresh`, only chains that hold a fresh belief. */
export function setLevelFindings(
  beliefs: readonly Belief[],
  pairs: readonly (readonly [number, number])[],
  config: ContradictionConfig,
  fresh?: ReadonlySet<number>,
): Finding[] {
  const confident = (position: number) => (beliefs[position]?.confidence ?? 0) >= config.setLevelFrom;
  const neighbours = new Map<number, number[]>();
  const link = (from: number, to: number) => {
    const list = neighbours.get(from);
    if (list) list.push(to);
    else neighbours.set(from, [to]);
  };
  for (const [i, j] of pairs) {
    if (!confident(i) || !confident(j)) continue;
    link(i, j);
    link(j, i);
  }
  const findings: Finding[] = [];
  const reported = new Set<string>();
  // Chains multiply: ten statements with "not" among a thousand give millions. The walk ends at the limit.
  const limit = config.maxPerCheck === 0 ? Number.POSITIVE_INFINITY : config.maxPerCheck;
  for (const a of [...neighbours.keys()].sort((left, right) => left - right)) {
    for (const b of neighbours.get(a) ?? []) {
      for (const c of neighbours.get(b) ?? []) {
        if (c === a || (fresh && !fresh.has(a) && !fresh.has(b) && !fresh.has(c))) continue;
        const key = [a, b, c].sort((left, right) => left - right).join('|');
        if (reported.has(key)) continue;
        reported.add(key);
        if (findings.length >= limit) return findings;
        const ids = [a, b, c].map((position) => beliefs[position]?.id ?? '');
        findings.push({
          type: 'set-level',
          severity: 'HIGH',
          scope: 'task',
          description: `Set-level contradiction in triple [${ids.join(', ')}]`,
          involved_belief_ids: ids,
        });
      }
    }
  }
  return findings;
}

/**
 * Beliefs whose source changed: MEDIUM when the change came after the belief. A belief recorded after the change was drawn from what is
 * there now; the reference (`earlierChanges`) calls it HIGH, which sets every belief about a file against the edit it describes.
 */
export function temporalFindings(
  beliefs: readonly Belief[],
  log: readonly EnvironmentChange[],
  { earlierChanges }: Pick<ContradictionConfig, 'earlierChanges'>,
): Finding[] {
  const byPath = new Map<string, number[]>();
  const times = log.map(({ timestamp }) => parseInstant(timestamp));
  for (const [index, change] of log.entries()) {
    if (Number.isNaN(times[index])) continue;
    for (const path of new Set(change.affected_paths)) byPath.set(path, [...(byPath.get(path) ?? []), index]);
  }
  if (byPath.size === 0) return [];
  const findings: Finding[] = [];
  for (const belief of beliefs) {
    const touched = new Set([...belief.derived_from, ...belief.supporting_evidence].flatMap((source) => byPath.get(source) ?? []));
    const recorded = parseInstant(belief.recorded_at);
    for (const index of [...touched].sort((left, right) => left - right)) {
      const later = (times[index] ?? Number.NaN) > recorded;
      if (!later && !earlierChanges) continue;
      findings.push({
        type: 'temporal',
        severity: later ? 'MEDIUM' : 'HIGH',
        scope: 'local',
        description: `Temporal contradiction: belief "${belief.id}" invalidated by change "${log[index]?.id ?? ''}"`,
        involved_belief_ids: [belief.id],
      });
    }
  }
  return findings;
}

/** Beliefs stated finer than the level the work is at. Advice: LOW. */
export function abstractionFindings(beliefs: readonly Belief[], level: string | undefined, config: ContradictionConfig): Finding[] {
  if (level === undefined || !config.coarseLevels.includes(level)) return [];
  return beliefs
    .filter(({ statement }) => config.lexicon.statementLevel.some((word) => statement.toLowerCase().includes(word)))
    .map((belief) => ({
      type: 'abstraction' as const,
      severity: 'LOW' as const,
      scope: 'local' as const,
      description: `Abstraction contradiction: belief "${belief.id}" stated at line-level granularity`,
      involved_belief_ids: [belief.id],
    }));
}
