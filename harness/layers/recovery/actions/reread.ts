import { isJsonObject, type Json } from '../../../contract/json';
import type { EvidenceStore } from '../../evidence/state';
import { parseInstant } from '../../shared/instant';
import type { Belief, WorldModel } from '../../world-model/state';

export type RereadStatus = 'same' | 'changed' | 'gone';

export interface Rereading {
  source: string;
  /** What the source says now; `null` when it is no longer there. */
  content: string | null;
  beliefs: readonly Belief[];
  worldModel: WorldModel;
  evidence: EvidenceStore;
}

/** Shorter pieces occur by chance. */
const shortestPiece = 12;

/** Lines that are long enough to be recognised, as they stand in plain text or inside a JSON string. */
const pieces = (text: string): string[] =>
  text
    .split(/\r?\n|\\n/)
    .map((line) => line.replaceAll('\\"', '"').replaceAll('\\t', '\t').trim())
    .filter((line) => line.length >= shortestPiece);

/** The first and the last line may hold the envelope that a tool put around, or be cut. */
const inner = (lines: readonly string[]): readonly string[] => (lines.length > 2 ? lines.slice(1, -1) : lines);

/** The text that a tool's answer on record carries, where the record holds the answer whole: then no line of it is envelope. */
function carried(obs: string): string | null {
  const from = obs.indexOf('}: {');
  if (from === -1) return null;
  try {
    const answer: Json = JSON.parse(obs.slice(from + 3));
    const text = isJsonObject(answer) ? (answer.content ?? answer.text) : null;
    return typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
}

function linesOnRecord(obs: string, source: string): readonly string[] {
  const text = carried(obs);
  if (text !== null) return pieces(text);
  return inner(pieces(obs).filter((piece) => !piece.includes(source)));
}

/**
 * Whether a source still says what the beliefs that rest on it were drawn from: gone when it is not there; else by the text of it that
 * is on record as evidence; else by whether the environment changed it after the beliefs were recorded (D3, belief_refresh).
 */
export function rereadStatus({ source, content, beliefs, worldModel, evidence }: Rereading): RereadStatus {
  if (content === null) return 'gone';
  const resting = beliefs.filter(({ derived_from, supporting_evidence }) => [...derived_from, ...supporting_evidence].includes(source));
  const ids = new Set(resting.flatMap(({ derived_from, supporting_evidence }) => [...derived_from, ...supporting_evidence]));
  const recorded = evidence.observations.filter(({ id, obs }) => ids.has(id) && obs.includes(source));
  const known = recorded.flatMap(({ obs }) => linesOnRecord(obs, source));
  if (known.length > 0) return known.every((piece) => content.includes(piece)) ? 'same' : 'changed';
  const since = Math.min(...resting.map(({ recorded_at }) => parseInstant(recorded_at)));
  const touched = worldModel.environment_change_log.some(
    ({ affected_paths, timestamp }) => affected_paths.includes(source) && parseInstant(timestamp) > since,
  );
  return touched ? 'changed' : 'same';
}

/** What stale or disputed beliefs rest on and can only be looked up outside: names that are no evidence, observation or belief. */
export function outsideSources(beliefs: readonly Belief[], worldModel: WorldModel, evidence: EvidenceStore): string[] {
  const onRecord = new Set<string>();
  for (const { id } of evidence.observations) onRecord.add(id);
  for (const { id } of worldModel.observations) onRecord.add(id);
  for (const { id } of worldModel.beliefs) onRecord.add(id);
  const sources = beliefs.flatMap(({ derived_from, supporting_evidence }) => [...derived_from, ...supporting_evidence]);
  return [...new Set(sources)].filter((source) => !onRecord.has(source));
}
