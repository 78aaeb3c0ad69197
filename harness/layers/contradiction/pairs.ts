import type { Lexicon } from '../shared/lexicon';
import type { Belief } from '../world-model/state';
import { beliefIndex } from './belief-index';
import { opposed, type StatementMarks, statementReader } from './opposition';

// Statements are read once per belief object and lexicon; the maps hold nothing alive and change no result.
const caches = new WeakMap<Lexicon, WeakMap<Belief, StatementMarks>>();

export function cacheOf(lexicon: Lexicon): WeakMap<Belief, StatementMarks> {
  const known = caches.get(lexicon);
  if (known) return known;
  const fresh = new WeakMap<Belief, StatementMarks>();
  caches.set(lexicon, fresh);
  return fresh;
}

/** Below this many comparisons looking at every old belief is cheaper than building the index. */
const scanLimit = 50_000;

/** Opposed pairs (lower position first, in order) among which at least one belief is new; `null` = all are new. */
export function opposedPairs(beliefs: readonly Belief[], fresh: ReadonlySet<number> | null, lexicon: Lexicon): [number, number][] {
  if (fresh?.size === 0) return [];
  const pairs =
    fresh && fresh.size * beliefs.length <= scanLimit ? scanPairs(beliefs, fresh, lexicon) : indexedPairs(beliefs, fresh, lexicon);
  return pairs.sort((left, right) => left[0] - right[0] || left[1] - right[1]);
}

function scanPairs(beliefs: readonly Belief[], fresh: ReadonlySet<number>, lexicon: Lexicon): [number, number][] {
  const reader = statementReader(lexicon);
  const cache = cacheOf(lexicon);
  const marks = beliefs.map((belief) => {
    const read = cache.get(belief) ?? reader.read(belief.statement);
    cache.set(belief, read);
    return read;
  });
  const pairs: [number, number][] = [];
  for (const position of fresh) {
    const own = marks[position];
    for (const [other, theirs] of marks.entries()) {
      // A pair of new beliefs is met from both sides; it counts once.
      if (!own || other === position || (fresh.has(other) && other > position) || !opposed(own, theirs)) continue;
      pairs.push(other < position ? [other, position] : [position, other]);
    }
  }
  return pairs;
}

function indexedPairs(beliefs: readonly Belief[], fresh: ReadonlySet<number> | null, lexicon: Lexicon): [number, number][] {
  const index = beliefIndex(statementReader(lexicon), cacheOf(lexicon));
  const pairs: [number, number][] = [];
  // Old beliefs go in first, so that each new one finds every old one before it and no old pair is looked at again.
  const positions: number[] = [];
  for (const [position, belief] of beliefs.entries()) {
    if (!fresh || fresh.has(position)) continue;
    index.add(belief);
    positions.push(position);
  }
  for (const position of fresh ?? beliefs.keys()) {
    const belief = beliefs[position];
    if (!belief) continue;
    const slot = index.add(belief);
    positions.push(position);
    for (const other of index.opposedTo(slot)) {
      const otherPosition = positions[other] ?? 0;
      pairs.push(otherPosition < position ? [otherPosition, position] : [position, otherPosition]);
    }
  }
  return pairs;
}
