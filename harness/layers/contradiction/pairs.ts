import type { Lexicon } from '../shared/lexicon';
import type { Belief } from '../world-model/state';
import { type StatementMarks, statementReader } from './opposition';
import { senseIndex } from './sense-index';

// Statements are read once per belief object and lexicon; the maps hold nothing alive and change no result.
const caches = new WeakMap<Lexicon, WeakMap<Belief, StatementMarks>>();

export function cacheOf(lexicon: Lexicon): WeakMap<Belief, StatementMarks> {
  const known = caches.get(lexicon);
  if (known) return known;
  const fresh = new WeakMap<Belief, StatementMarks>();
  caches.set(lexicon, fresh);
  return fresh;
}

/** Opposed pairs (lower position first, in order) among which at least one belief is new; `null` = all are new. */
export function opposedPairs(beliefs: readonly Belief[], fresh: ReadonlySet<number> | null, lexicon: Lexicon): [number, number][] {
  if (fresh?.size === 0) return [];
  const reader = statementReader(lexicon);
  const cache = cacheOf(lexicon);
  const read = (belief: Belief): StatementMarks => {
    const known = cache.get(belief);
    if (known) return known;
    const marks = reader.read(belief.statement);
    cache.set(belief, marks);
    return marks;
  };
  const index = senseIndex();
  const pairs: [number, number][] = [];
  // Old beliefs go in first, so that each new one finds every old one before it and no old pair is looked at again.
  for (const [position, belief] of beliefs.entries()) if (fresh && !fresh.has(position)) index.add(position, read(belief));
  for (const position of fresh ?? beliefs.keys()) {
    const belief = beliefs[position];
    if (!belief) continue;
    const marks = read(belief);
    for (const other of index.opposedTo(marks)) pairs.push(other < position ? [other, position] : [position, other]);
    index.add(position, marks);
  }
  return pairs.sort((left, right) => left[0] - right[0] || left[1] - right[1]);
}
