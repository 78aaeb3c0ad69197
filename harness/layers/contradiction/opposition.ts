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
  /** Tokens that may be a shared subject; worked out when first asked for, since few statements differ in sense at all. */
  subjects(): ReadonlySet<string>;
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
  // Most statements hold no long member of any pair; one search says so. Short members ("is") occur nearly everywhere.
  const short = latin.filter(({ first }) => first.length <= 2);
  const members = latin.filter((pair) => !short.includes(pair)).flatMap(({ first, second }) => [first, second]);
  const anyMember = new RegExp(members.length === 0 ? '$^' : members.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'));
  const polarityWords = [...polarity.keys()];
  return {
    read(statement) {
      const text = statement.toLowerCase();
      let first = 0;
      let second = 0;
      let turned = 0;
      for (const pair of containsCjk(text) ? pairs : anyMember.test(text) ? latin : short) {
        if (text.includes(pair.first)) first |= pair.bit;
        if (text.includes(pair.second)) second |= pair.bit;
      }
      if (polarityWords.some((word) => text.includes(word))) for (const token of tokenise(text)) turned |= polarity.get(token) ?? 0;
      let subjects: Set<string> | null = null;
      return {
        first,
        second,
        polarity: turned,
        subjects: () => {
          subjects ??= new Set(tokenise(text).filter((token) => !stopwords.has(token)));
          return subjects;
        },
      };
    },
  };
}

/** True when one text holds the first and the other the second member of a pair, or a polarity word is in exactly one. */
export const differInSense = (left: StatementMarks, right: StatementMarks): boolean =>
  ((left.first & right.second) | (left.second & right.first) | (left.polarity ^ right.polarity)) !== 0;

export function shareSubject(left: StatementMarks, right: StatementMarks): boolean {
  const [a, b] = [left.subjects(), right.subjects()];
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  for (const token of small) {
    if (large.has(token)) return true;
  }
  return false;
}

/** Two statements are opposed when they speak of the same thing and differ in sense (layers.md R4). */
export const opposed = (left: StatementMarks, right: StatementMarks): boolean => differInSense(left, right) && shareSubject(left, right);
