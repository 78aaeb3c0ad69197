import type { Json } from '../../../contract/json';
import type { LayerPoint } from './history';
import { fieldOf, listAt, numberAt, textAt, textsAt } from './read';

export type ControlWord = 'NORMAL' | 'CAUTIOUS' | 'BLOCKED' | 'HUMAN';

/** Why a dimension blocks, and what is to repair it. */
export interface BlockReason {
  dimension: string;
  value: number;
  action: string;
}

export interface ControlReading {
  word: ControlWord;
  mask: BlockReason[];
  /** `HUMAN_REQUIRED`, `SYSTEM_BREAKING_CONTRADICTION` or nothing. */
  escalation: string;
  notes: string[];
  risk: number | null;
  confidence: number | null;
  generation: number | null;
}

/** A stretch in which control state said the same word; `visit` decided it. */
export interface ControlSegment {
  word: ControlWord;
  /** Seq of the decision, and of the next other one; the end of the run for the last. */
  from: number;
  to: number;
  visit: string | undefined;
  /** How often it was decided again without changing the word. */
  confirmed: number;
}

/** A person comes first: a run that needs one is also blocked. */
function wordOf(value: Json): ControlWord {
  if (textAt(value, 'escalation') === 'HUMAN_REQUIRED') return 'HUMAN';
  if (textAt(value, 'permission') === 'DENY') return 'BLOCKED';
  return textAt(value, 'execution_mode') === 'NORMAL' ? 'NORMAL' : 'CAUTIOUS';
}

export function controlReading(value: Json): ControlReading | null {
  if (fieldOf(value, 'permission') === undefined) return null;
  return {
    word: wordOf(value),
    mask: listAt(value, 'block_mask').map((entry) => ({
      dimension: textAt(entry, 'dimension'),
      value: numberAt(entry, 'value') ?? 0,
      action: textAt(entry, 'recovery_action_class'),
    })),
    escalation: textAt(value, 'escalation_reason'),
    notes: textsAt(value, 'notes'),
    risk: numberAt(value, 'risk_estimate'),
    confidence: numberAt(value, 'confidence_estimate'),
    generation: numberAt(value, 'generation_id'),
  };
}

/** The control state over time; the last segment lasts to `end`. */
export function controlSegments(points: readonly LayerPoint[], end: number): ControlSegment[] {
  const segments: ControlSegment[] = [];
  for (const point of points) {
    if (fieldOf(point.value, 'permission') === undefined) continue;
    const word = wordOf(point.value);
    const open = segments[segments.length - 1];
    if (open?.word === word) {
      open.confirmed += 1;
      continue;
    }
    if (open !== undefined) open.to = point.seq;
    segments.push({ word, from: point.seq, to: Math.max(end, point.seq), visit: point.visit, confirmed: 0 });
  }
  return segments;
}

/** The segment a moment falls into. */
export function segmentAt(segments: readonly ControlSegment[], seq: number): ControlSegment | undefined {
  let low = 0;
  let high = segments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((segments[middle]?.from ?? 0) <= seq) low = middle + 1;
    else high = middle;
  }
  return segments[low - 1];
}
