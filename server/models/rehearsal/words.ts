const stopWords = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by can cannot could did do
  does doing down during each every few find for from further get give had has have having he her here hers him his how i if in into is it its itself
  just know let like list look make many may me might more most much must my need no nor not now of off on once one only or other our out over own
  please question answer read reply same say see she should show so some such tell than that the their them then there these they this those
  through to too under until up us use used uses using very want was we were what when where which while who whom why will with within would you your
  explain describe folder file files code project work works there's what's how's isn't don't doesn't can't`.split(/\s+/),
);

export interface Term {
  /** As it stands in the text. */
  word: string;
  /** Lower case without its ending, for matching variants ("retries", "retry"). */
  stem: string;
  /** How telling it is: identifiers and quoted words before long words before short ones. */
  weight: number;
}

/** Cuts the commonest English endings; a rough tool that only has to be the same on both sides. */
export function stemOf(word: string): string {
  const lower = word.toLowerCase();
  if (lower.length <= 4 || /[_\d]/.test(lower)) return lower;
  const cut = lower.replace(/(?:ational|ations?|ingly|ments?|ness|ings?|edly|ied|ies|ed|es|ly|s)$/, '').replace(/[yei]$/, '');
  return cut.length >= 3 ? cut : lower;
}

const isIdentifier = (word: string): boolean => /[_\d]/.test(word) || /[a-z][A-Z]/.test(word) || /^[A-Z]{2,}/.test(word);

const wordPattern = /[\p{L}\p{N}_][\p{L}\p{N}_'’]*/gu;

export const wordsOf = (text: string): string[] => text.match(wordPattern) ?? [];

export const stemsOf = (text: string): Set<string> => new Set(wordsOf(text).map(stemOf));

/** The telling words of a question, the best first, at most `limit`. */
export function termsOf(text: string, limit = 6): Term[] {
  const quoted = new Set([...text.matchAll(/[`"“']([\p{L}\p{N}_.-]{2,40})[`"”']/gu)].map((match) => match[1] ?? ''));
  const terms = new Map<string, Term>();
  for (const word of [...quoted, ...wordsOf(text)]) {
    const lower = word.toLowerCase();
    if (word.length < 2 || stopWords.has(lower)) continue;
    const stem = stemOf(word);
    const weight = Math.min(word.length, 12) + (isIdentifier(word) ? 8 : 0) + (quoted.has(word) ? 10 : 0);
    const known = terms.get(stem);
    if (known === undefined || known.weight < weight) terms.set(stem, { word, stem, weight });
  }
  return [...terms.values()].sort((a, b) => b.weight - a.weight || (a.stem < b.stem ? -1 : 1)).slice(0, limit);
}

/** The terms weighted anew by how rare they are among the texts that were found: what stands everywhere tells little. */
export function weighted(terms: readonly Term[], texts: readonly string[]): Term[] {
  const lower = texts.map((text) => text.toLowerCase());
  return terms.map((term) => {
    const found = lower.filter((text) => text.includes(term.stem)).length;
    return { ...term, weight: found === 0 ? 0 : 1 + Math.log((lower.length + 1) / found) };
  });
}

/** Sum of the weights of the terms that occur in the text. */
export function weightIn(terms: readonly Term[], text: string): number {
  const lower = text.toLowerCase();
  return terms.reduce((sum, term) => (lower.includes(term.stem) ? sum + term.weight : sum), 0);
}

/** How many of the terms occur in the text, each counted once, by stem or as a part of a longer word. */
export function coverage(terms: readonly Term[], text: string): number {
  const lower = text.toLowerCase();
  return terms.filter((term) => lower.includes(term.stem)).length;
}

/** Sentences or lines of a text, trimmed, without list marks. */
export const sentencesOf = (text: string): string[] =>
  text
    .split(/\n+|(?<=[.!?])\s+(?=[\p{Lu}"'`(])/u)
    .map((part) => part.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').trim())
    .filter((part) => part.length > 1);
