import type { Lexicon } from '../shared/lexicon';
import { containsCjk, tokenise } from '../shared/text';

/** What opposition looks at in a statement, worked out once per statement. The three numbers are bit sets. */
export interface StatementMarks {
  /** Pairs whose first member occurs in the text. */
  first: number;
  /** Pairs whose second member occurs in the text. */
  second: number;
  /** Polarity words among the tokens. */
  polarity: number;
  /** Tokens that may be a shared subject. */
  subjects: Set<string>;
}

export interface StatementReader {
  read(statement: string): StatementMarks;
}

/** Reads statements for one lexicon. */
export function statementReader(lexicon: Lexicon): StatementReader {
  const stopwords = new Set(lexicon.stopwords);
  const polarity = new Map(lexicon.polarity.slice(0, 31).map((word, index) => [word, 1 << index]));
  const pairs = lexicon.opposites.map(([first, second], index) => ({
    first,
    second,
    bit: 1 << index,
    cjk: containsCjk(first) || containsCjk(second),
  }));
  const latin = pairs.filter(({ cjk }) => !cjk);
  return {
    read(statement) {
      const text = statement.toLowerCase();
      const marks: StatementMarks = { first: 0, second: 0, polarity: 0, subjects: new Set() };
      for (const pair of containsCjk(text) ? pairs : latin) {
        if (text.includes(pair.first)) marks.first |= pair.bit;
        if (text.includes(pair.second)) marks.second |= pair.bit;
      }
      for (const token of tokenise(text)) {
        marks.polarity |= polarity.get(token) ?? 0;
        if (!stopwords.has(token)) marks.subjects.add(token);
      }
      return marks;
    },
  };
}

/** True when one text holds the first and the other the second member of a pair, or a polarity word is in exactly one. */
export const differInSense = (left: StatementMarks, right: StatementMarks): boolean =>
  ((left.first & right.second) | (left.second & right.first) | (left.polarity ^ right.polarity)) !== 0;

export function shareSubject(left: StatementMarks, right: StatementMarks): boolean {
  const [small, large] = left.subjects.size <= right.subjects.size ? [left.subjects, right.subjects] : [right.subjects, left.subjects];
  for (const token of small) {
    if (large.has(token)) return true;
  }
  return false;
}

/** Two statements are opposed when they speak of the same thing and differ in sense (layers.md R4). */
export const opposed = (left: StatementMarks, right: StatementMarks): boolean => differInSense(left, right) && shareSubject(left, right);
