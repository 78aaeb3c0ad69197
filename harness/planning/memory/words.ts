const stopwords = new Set(
  'a an and are as at be been being by do does for from has have how if in into is it its of on or our so than that the their them then there these this those to use used uses using was we were when where which while will with you your'.split(
    ' ',
  ),
);
const negations = new Set([
  "n't",
  'not',
  'no',
  'never',
  'without',
  'avoid',
  'cannot',
  'nor',
  'none',
  'neither',
  'disable',
  'disabled',
  'forbid',
  'forbidden',
]);

/** Cuts a few endings, so that `tests` and `test` are one word. Roughness is fine: both sides are cut alike. */
function stem(word: string): string {
  if (word.length <= 3) return word;
  for (const ending of ['ies', 'ing', 'ed', 'es', 's']) {
    if (!word.endsWith(ending) || word.length - ending.length < 3) continue;
    return ending === 'ies' ? `${word.slice(0, -3)}y` : word.slice(0, -ending.length);
  }
  return word;
}

/** Words without case, punctuation and accents; `can't` counts as `ca n't`, names of code stay whole. */
const rawWords = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/(\w)n't\b/g, "$1 n't")
    .match(/n't|[\p{L}\p{N}_][\p{L}\p{N}_.:/-]*[\p{L}\p{N}_]|[\p{L}\p{N}_]/gu) ?? [];

/** Words by which a text is found, with their parts where a name is made of several. */
export function keywords(text: string): string[] {
  const words = rawWords(text).flatMap((word) => (/[_./:-]/.test(word) ? [word, ...word.split(/[_./:-]+/)] : [word]));
  return words.filter((word) => word !== '' && !stopwords.has(word) && !negations.has(word)).map(stem);
}

/** Names and numbers: what may not differ between two statements of one fact. */
const isExact = (word: string): boolean => /[\d_./:]/.test(word);

export interface Statement {
  words: ReadonlySet<string>;
  exact: ReadonlySet<string>;
  negated: boolean;
}

export function statementOf(text: string): Statement {
  const words = rawWords(text);
  const negated = words.filter((word) => negations.has(word)).length % 2 === 1;
  const rest = words.filter((word) => !stopwords.has(word) && !negations.has(word));
  return { words: new Set(rest.map((word) => (isExact(word) ? word : stem(word)))), exact: new Set(rest.filter(isExact)), negated };
}

const isSubset = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => [...one].every((word) => other.has(word));

/** Share of words that two statements have in common, 0 to 1; 0 as soon as a number, a name or the negation differs. */
export function similarity(left: Statement, right: Statement): number {
  if (left.negated !== right.negated) return 0;
  if (left.exact.size !== right.exact.size || !isSubset(left.exact, right.exact)) return 0;
  const shared = [...left.words].filter((word) => right.words.has(word)).length;
  const total = left.words.size + right.words.size;
  return total === 0 ? 0 : (2 * shared) / total;
}

/** Equal but for case, white space and the final stop. */
export const identicalContent = (left: string, right: string): boolean => plain(left) === plain(right);
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.!]+$/, '');

/** Fuzzy sameness of planning.md §16. */
export const isSame = (left: string, right: string, threshold: number): boolean =>
  identicalContent(left, right) || similarity(statementOf(left), statementOf(right)) >= Math.max(threshold, Number.MIN_VALUE);
