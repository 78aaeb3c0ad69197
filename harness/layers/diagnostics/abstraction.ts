import type { TaskGraph } from '../planning/state';
import type { Lexicon } from '../shared/lexicon';
import { clamp01 } from '../shared/numbers';
import type { Belief } from '../world-model/state';
import type { DiagnosticsConfig } from './config';

/** 2 when a statement speaks of statements, 1 when of functions, else 0. */
function levelOf(belief: Belief, lexicon: Lexicon, cache: WeakMap<Belief, number>): number {
  const known = cache.get(belief);
  if (known !== undefined) return known;
  const text = belief.statement.toLowerCase();
  const level = lexicon.statementLevel.some((word) => text.includes(word))
    ? 2
    : lexicon.functionLevel.some((word) => text.includes(word))
      ? 1
      : 0;
  cache.set(belief, level);
  return level;
}

// A statement is read once per belief object and lexicon; the maps hold nothing alive and change no result.
const caches = new WeakMap<Lexicon, WeakMap<Belief, number>>();

/** 2 when most beliefs speak of statements, 1 when most speak of functions, else 0 (layers.md R5). */
export function granularityOf(beliefs: readonly Belief[], config: DiagnosticsConfig): number {
  if (beliefs.length === 0) return 0;
  const cache = caches.get(config.lexicon) ?? new WeakMap<Belief, number>();
  caches.set(config.lexicon, cache);
  const counts = [0, 0, 0];
  for (const belief of beliefs) {
    const level = levelOf(belief, config.lexicon, cache);
    counts[level] = (counts[level] ?? 0) + 1;
  }
  if ((counts[2] ?? 0) / beliefs.length > config.granularityShare) return 2;
  return (counts[1] ?? 0) / beliefs.length > config.granularityShare ? 1 : 0;
}

/** 1 − the share of tasks finer than the beliefs can carry; 1 while the graph has not changed, unless forced (layers.md R5). */
export function abstractionFit(graph: TaskGraph, beliefs: readonly Belief[], config: DiagnosticsConfig, force = false): number {
  if ((!force && !graph.changed) || graph.tasks.length === 0) return 1;
  const limit = granularityOf(beliefs, config) + 1;
  return clamp01(1 - graph.tasks.filter(({ abstraction_level }) => abstraction_level > limit).length / graph.tasks.length);
}

/** Advice: levels of work between which a level is missing. */
export function gapAnnotation(graph: TaskGraph): string {
  const levels = [...new Set(graph.tasks.map(({ abstraction_level }) => abstraction_level))].sort((left, right) => left - right);
  const gaps = levels.flatMap((level, index) => {
    const below = levels[index - 1];
    return below !== undefined && level - below > 1 ? [`gap between level ${below} and ${level}`] : [];
  });
  return gaps.length === 0 ? '' : `Abstraction class gaps detected: ${gaps.join(', ')}`;
}
