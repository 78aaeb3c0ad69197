import type { Belief } from '../world-model/state';
import { differInSense, type StatementMarks, type StatementReader, shareSubject } from './opposition';

/**
 * Beliefs by what could oppose them: by token, by pair member and by polarity word. A new belief is compared only with
 * those that can differ from it in sense, never with all (D2).
 */
export interface BeliefIndex {
  add(belief: Belief): number;
  /** Positions of earlier beliefs opposed to the one at `position`, ascending. */
  opposedTo(position: number): number[];
}

const bits = (set: number): number[] => {
  const found: number[] = [];
  for (let rest = set; rest !== 0; rest &= rest - 1) found.push(31 - Math.clz32(rest & -rest));
  return found;
};

export function beliefIndex(reader: StatementReader, cache: WeakMap<Belief, StatementMarks> = new WeakMap()): BeliefIndex {
  const marks: StatementMarks[] = [];
  const byToken = new Map<string, number[]>();
  const byFirst = new Map<number, number[]>();
  const bySecond = new Map<number, number[]>();
  const byPolarity = new Map<number, number[]>();
  const post = <K>(map: Map<K, number[]>, key: K, position: number) => {
    const list = map.get(key);
    if (list) list.push(position);
    else map.set(key, [position]);
  };

  return {
    add(belief) {
      let read = cache.get(belief);
      if (!read) {
        read = reader.read(belief.statement);
        cache.set(belief, read);
      }
      const position = marks.push(read) - 1;
      for (const token of read.subjects) post(byToken, token, position);
      for (const bit of bits(read.first)) post(byFirst, bit, position);
      for (const bit of bits(read.second)) post(bySecond, bit, position);
      for (const bit of bits(read.polarity)) post(byPolarity, bit, position);
      return position;
    },
    opposedTo(position) {
      const own = marks[position];
      if (!own) return [];
      const byMark: number[][] = [];
      for (const bit of bits(own.first)) byMark.push(bySecond.get(bit) ?? []);
      for (const bit of bits(own.second)) byMark.push(byFirst.get(bit) ?? []);
      // A belief with a polarity word differs from every one without it; those that share a token are the shorter way to them.
      if (own.polarity !== 0) for (const token of own.subjects) byMark.push(byToken.get(token) ?? []);
      else for (const list of byPolarity.values()) byMark.push(list);
      const found = new Set<number>();
      for (const list of byMark) {
        for (const other of list) {
          if (other >= position) break;
          const theirs = marks[other];
          if (theirs && !found.has(other) && differInSense(own, theirs) && shareSubject(own, theirs)) found.add(other);
        }
      }
      return [...found].sort((left, right) => left - right);
    },
  };
}
