import { clamp01 } from '../shared/numbers';
import type { FailurePattern, PatternMatch } from './state';

/** The four patterns that ship with the library (layers.md R10). The list is config; symptoms are matched as substrings. */
export const defaultFailureLibrary: FailurePattern[] = [
  {
    id: 'circular-dependency',
    failure_class: 'CIRCULAR_DEPENDENCY',
    symptoms: ['circular dependency', 'dependency cycle', 'import cycle', 'depends on itself'],
    pattern_description: 'Pieces of work wait for each other, so none of them can start.',
    strategy_affinity: 'BROADER_SEARCH',
  },
  {
    id: 'tool-unavailable-cascade',
    failure_class: 'TOOL_UNAVAILABLE_CASCADE',
    symptoms: ['tool unavailable', 'service unavailable', 'connection refused', 'not available', 'unreachable', 'timed out'],
    pattern_description: 'A tool keeps refusing; the same call again will hardly do better.',
    strategy_affinity: 'REIMPLEMENT',
  },
  {
    id: 'scope-creep',
    failure_class: 'SCOPE_CREEP',
    symptoms: ['scope grew', 'scope expanded', 'more than was asked', 'beyond the task'],
    pattern_description: 'Every attempt takes on more than the one before.',
    strategy_affinity: 'MINIMAL_FIX',
  },
  {
    id: 'stale-belief-reliance',
    failure_class: 'STALE_BELIEF_RELIANCE',
    symptoms: ['stale belief', 'outdated', 'no longer true', 'changed since'],
    pattern_description: 'The plan leans on a belief whose source has changed.',
    strategy_affinity: 'TRACE_EXEC',
  },
];

/** Whether a symptom occurs in what was observed: substring either way, case ignored. `longest` is the length of the longest symptom asked for. */
export function occurrenceIn(observed: readonly string[], longest: number): (symptom: string) => boolean {
  // One search through all texts instead of one per text; no symptom holds the separator.
  const joined = observed.join(separator).toLowerCase();
  const short = observed.filter((text) => text !== '' && text.length <= longest).map((text) => text.toLowerCase());
  return (symptom) => {
    const wanted = symptom.toLowerCase();
    return joined.includes(wanted) || short.some((text) => wanted.includes(text));
  };
}

/**
 * The pattern whose symptoms overlap most with what was observed. Confidence is the overlap over the larger of both lists; of equals the
 * first wins; `null` without overlap (layers.md R10).
 */
export function matchFailurePattern(observed: readonly string[], library: readonly FailurePattern[]): PatternMatch | null {
  if (library.length === 0 || observed.length === 0) return null;
  const occurs = occurrenceIn(observed, Math.max(0, ...library.flatMap(({ symptoms }) => symptoms.map(({ length }) => length))));
  let best: PatternMatch | null = null;
  for (const pattern of library) {
    const overlap = pattern.symptoms.filter(occurs).length;
    if (overlap === 0) continue;
    const confidence = clamp01(overlap / Math.max(pattern.symptoms.length, observed.length));
    if (best !== null && confidence <= best.confidence) continue;
    best = {
      failure_class: pattern.failure_class,
      confidence,
      matched_pattern: pattern.id,
      ...(pattern.strategy_affinity === undefined ? {} : { strategy_affinity: pattern.strategy_affinity }),
    };
  }
  return best;
}

const separator = '\u0000';
