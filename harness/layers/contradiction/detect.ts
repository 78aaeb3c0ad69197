import type { Decision } from '../../contract/decision';
import type { BeliefDepGraph } from '../belief-graph/state';
import type { Hypothesis } from '../hypothesis/state';
import { decided, fact } from '../shared/explain';
import type { Lexicon } from '../shared/lexicon';
import { shown } from '../shared/numbers';
import type { Belief, WorldModel } from '../world-model/state';
import { applyContradictions, type ConfidenceChange } from './apply';
import { type ContradictionConfig, defaultContradictionConfig } from './config';
import { abstractionFindings, type Finding, pairwiseFindings, setLevelFindings, temporalFindings } from './detectors';
import { cacheOf, opposedPairs } from './pairs';
import type { Contradiction } from './state';

export interface ContradictionInput {
  worldModel: WorldModel;
  graph: BeliefDepGraph;
  hypotheses: readonly Hypothesis[];
  /** The level the work is at; without it the granularity detector stays silent. */
  abstractionLevel?: string | undefined;
}

export interface ContradictionResult {
  worldModel: WorldModel;
  graph: BeliefDepGraph;
  found: Contradiction[];
  changes: ConfidenceChange[];
  decisions: Decision[];
}

const keyOf = (type: string, ids: readonly string[]): string => `${type}|${[...ids].sort().join('|')}`;

/** Pairs on record, as positions: chains may run through them without comparing old beliefs again. */
function recordedPairs(model: WorldModel): [number, number][] {
  const positions = new Map(model.beliefs.map((belief, position) => [belief.id, position]));
  return model.contradictions.flatMap(({ type, involved_belief_ids: [left = '', right = ''] }): [number, number][] => {
    const [i, j] = [positions.get(left), positions.get(right)];
    return type === 'pairwise' && i !== undefined && j !== undefined ? [i < j ? [i, j] : [j, i]] : [];
  });
}

/** HIGH pairs and sets that a live hypothesis predicted break the system (layers.md R4, upgrade). */
function upgrade<T extends Finding>(finding: T, predicted: ReadonlySet<string>): T {
  const applies = finding.severity === 'HIGH' && (finding.type === 'pairwise' || finding.type === 'set-level');
  return applies && predicted.has([...finding.involved_belief_ids].sort().join('|'))
    ? { ...finding, severity: 'SYSTEM_BREAKING', scope: 'global' }
    : finding;
}

function predictedPairs(hypotheses: readonly Hypothesis[]): Set<string> {
  const pairs = new Set<string>();
  for (const { discriminating_evidence: ids } of hypotheses) {
    for (const [index, left] of ids.entries()) for (const right of ids.slice(index + 1)) pairs.add([left, right].sort().join('|'));
  }
  return pairs;
}

/**
 * Finds, grades, records and applies contradictions (layers.md R4). By default each set of beliefs is recorded once and only
 * beliefs not yet compared are compared (D2); `recordOnce: false` restores the reference.
 */
export function detectContradictions(
  input: ContradictionInput,
  config: ContradictionConfig = defaultContradictionConfig,
): ContradictionResult {
  const { worldModel: model, graph, hypotheses, abstractionLevel } = input;
  const { beliefs } = model;
  const fresh = config.recordOnce ? new Set([...beliefs.keys()].filter((position) => beliefs[position]?.compared !== true)) : null;
  const pairs = config.lexical ? opposedPairs(beliefs, fresh, config.lexicon) : [];
  const pairFindings = pairwiseFindings(beliefs, pairs, config);
  const limit = config.maxPerCheck === 0 ? pairFindings.length : config.maxPerCheck;
  const chains =
    config.lexical && pairs.length > 0
      ? setLevelFindings(beliefs, fresh ? [...recordedPairs(model), ...pairs] : pairs, config, fresh ?? undefined)
      : [];
  const predicted = predictedPairs(hypotheses);
  const findings = [
    ...pairFindings.slice(0, limit),
    ...chains,
    ...temporalFindings(beliefs, model.environment_change_log, config),
    ...(config.lexical ? abstractionFindings(beliefs, abstractionLevel, config) : []),
  ].map((finding) => upgrade(finding, predicted));

  const recorded = new Map<string, number>();
  for (const { type, involved_belief_ids } of model.contradictions) {
    const key = keyOf(type, involved_belief_ids);
    recorded.set(key, (recorded.get(key) ?? 0) + 1);
  }
  const found: Contradiction[] = [];
  for (const finding of findings) {
    const key = keyOf(finding.type, finding.involved_belief_ids);
    const count = recorded.get(key) ?? 0;
    if (config.recordOnce && count > 0) continue;
    recorded.set(key, count + 1);
    const id = `contradiction:${finding.type}:${finding.involved_belief_ids.join('+')}`;
    found.push({ id: count === 0 ? id : `${id}#${count + 1}`, ...finding });
  }

  // What is recorded once is not found again, so a prediction that comes later raises what is on record.
  const raised = config.recordOnce
    ? model.contradictions.map((known) => upgrade(known, predicted)).filter((known, index) => known !== model.contradictions[index])
    : [];
  const raisedById = new Map(raised.map((known) => [known.id, known]));
  const onRecord = raised.length === 0 ? model.contradictions : model.contradictions.map((known) => raisedById.get(known.id) ?? known);

  const marked =
    fresh && fresh.size > 0
      ? { ...model, beliefs: beliefs.map((belief, position) => (fresh.has(position) ? markCompared(belief, config.lexicon) : belief)) }
      : model;
  const applied = applyContradictions(
    found.length + raised.length === 0 ? marked : { ...marked, contradictions: [...onRecord, ...found] },
    graph,
    found,
    config,
  );
  const told = [...raised, ...found];
  return {
    ...applied,
    found: told,
    decisions: explain(told, applied.changes, {
      compared: fresh?.size ?? beliefs.length,
      dropped: Math.max(0, pairFindings.length - limit),
    }),
  };
}

/** Carries the reading of a statement over to the marked copy, so that it is never tokenised twice. */
function markCompared(belief: Belief, lexicon: Lexicon): Belief {
  const copy = { ...belief, compared: true };
  const marks = cacheOf(lexicon).get(belief);
  if (marks) cacheOf(lexicon).set(copy, marks);
  return copy;
}

function explain(
  found: readonly Contradiction[],
  changes: readonly ConfidenceChange[],
  counts: { compared: number; dropped: number },
): Decision[] {
  if (found.length === 0)
    return [decided({ rule: 'contradiction check', outcome: 'no conflict', because: [fact('beliefs compared', counts.compared)] })];
  const byContradiction = new Map<string, ConfidenceChange[]>();
  for (const change of changes) {
    const list = byContradiction.get(change.contradiction);
    if (list) list.push(change);
    else byContradiction.set(change.contradiction, [change]);
  }
  const decisions = found.map((contradiction) =>
    decided({
      rule: `${contradiction.type} contradiction`,
      outcome: `${contradiction.severity} between ${contradiction.involved_belief_ids.join(', ')}`,
      because: (byContradiction.get(contradiction.id) ?? []).map(({ belief, before, after }) =>
        fact(belief, before === after ? 'invalidation frontier' : `${shown(before)} → ${shown(after)}`),
      ),
      note: contradiction.description,
    }),
  );
  if (counts.dropped === 0) return decisions;
  return [
    ...decisions,
    decided({
      rule: 'limit of conflicts per check',
      outcome: `${counts.dropped} more pairs not recorded`,
      because: [fact('recorded', found.length)],
    }),
  ];
}
