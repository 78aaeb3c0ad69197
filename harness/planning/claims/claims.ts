import { z } from 'zod';

/** What a text asserts without having looked: the five kinds of planning.md §12, claim verification. */
export const claimKinds = ['non_existence', 'non_support', 'deprecation', 'training_cutoff', 'assumption'] as const;
export type ClaimKind = (typeof claimKinds)[number];

/** A claim in a text. `index` counts characters from 0. */
export interface Claim {
  kind: ClaimKind;
  match: string;
  index: number;
}

const subject =
  '(?:api|sdk|library|libraries|package|module|framework|dependency|plugin|crate|gem|function|method|class|option|flag|parameter|argument|command|endpoint|hook|import|version|feature|symbol|attribute|property)';
const not = "(?:does\\s*n[o']t|does\\s+not|do\\s*n[o']t|do\\s+not|did\\s+not|didn't|doesn’t|don’t|didn’t|cannot|can't|can’t|no\\s+longer)";
const isNot = "(?:is\\s+not|isn't|isn’t|are\\s+not|aren't|aren’t|was\\s+not|wasn't|wasn’t|is\\s+no\\s+longer|are\\s+no\\s+longer)";

const patterns: Readonly<Record<ClaimKind, readonly RegExp[]>> = {
  non_existence: [
    new RegExp(`\\b${not}\\s+(?:actually\\s+|seem\\s+to\\s+|appear\\s+to\\s+)?exists?\\b`, 'gi'),
    /\b(?:is|are)\s+non-?existent\b/gi,
    new RegExp(`\\b(?:there\\s+is|there's|there’s|there\\s+are)\\s+no\\s+(?:such\\s+)?(?:[\\w.-]+\\s+){0,2}${subject}s?\\b`, 'gi'),
    new RegExp(`\\bno\\s+such\\s+(?:[\\w.-]+\\s+)?${subject}s?\\b`, 'gi'),
  ],
  non_support: [
    new RegExp(`\\b${not}\\s+(?:yet\\s+|currently\\s+|officially\\s+|natively\\s+)?(?:support|supports|provide|offer|expose)\\b`, 'gi'),
    new RegExp(`\\b${isNot}\\s+(?:yet\\s+|currently\\s+|officially\\s+|natively\\s+)?(?:supported|available)\\b`, 'gi'),
    /\bunsupported\s+(?:by|in)\b/gi,
  ],
  deprecation: [
    /\b(?:is|are|was|were|been|being|now|got)\s+(?:officially\s+|now\s+|since\s+)?(?:deprecated|discontinued|sunset|removed\s+in\s+(?:version\s+)?v?\d)/gi,
    new RegExp(`\\bdeprecated\\s+(?:${subject}|in|since|as\\s+of)\\b`, 'gi'),
  ],
  training_cutoff: [
    /\b(?:training|knowledge)[\s-]+(?:data[\s-]+)?cut-?\s?off\b/gi,
    /\b(?:as\s+of|in|from|based\s+on|beyond|outside)\s+my\s+(?:training|knowledge|last\s+update)\b/gi,
    /\bmy\s+training\s+data\b/gi,
  ],
  assumption: [
    new RegExp(
      `\\b(?:i|we)\\s*(?:'ll|’ll|\\s+will|\\s+would)?\\s+(?:assume|presume|suppose)\\s+(?:that\\s+)?(?:the|this|that)\\s+(?:[\\w.-]+\\s+){0,2}${subject}s?\\b`,
      'gi',
    ),
    new RegExp(
      `\\b(?:i'm|i’m|i\\s+am|we\\s+are)\\s+(?:assuming|presuming)\\s+(?:that\\s+)?(?:the|this|that)\\s+(?:[\\w.-]+\\s+){0,2}${subject}s?\\b`,
      'gi',
    ),
  ],
};

/** A sentence about our own files is no claim about the world: `this file does not exist yet`, `we will create it`. */
const exemption = /\bthis\s+file\b|\bwe(?:\s+will|'ll|’ll)\s+create\b/gi;

export const claimConfigSchema = z.object({
  exemptionDistance: z.int().min(0).default(80).meta({
    title: 'Characters around “this file” and “we will create” that are exempt',
    description: 'A claim that near to such words is about our own files. 0 exempts nothing.',
  }),
});
export type ClaimConfig = z.output<typeof claimConfigSchema>;
export const defaultClaimConfig: ClaimConfig = claimConfigSchema.parse({});

interface Span {
  start: number;
  end: number;
}

const spansOf = (text: string, pattern: RegExp): Span[] =>
  [...text.matchAll(pattern)].map((match) => ({ start: match.index, end: match.index + match[0].length }));

/** Whether one of the places, which are in order and apart, lies within so many characters of the span. */
function isNear(span: Span, places: readonly Span[], distance: number): boolean {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.end ?? 0) < span.start - distance) low = middle + 1;
    else high = middle;
  }
  const first = places[low];
  return first !== undefined && first.start <= span.end + distance;
}

/** Every claim of the text in its order, those near an exempting phrase left out (planning.md §12, claim verification). */
export function findClaims(text: string, config: ClaimConfig = defaultClaimConfig): Claim[] {
  const exempt = config.exemptionDistance === 0 ? [] : spansOf(text, exemption);
  const claims: Claim[] = [];
  for (const kind of claimKinds) {
    for (const pattern of patterns[kind]) {
      for (const span of spansOf(text, pattern)) {
        if (isNear(span, exempt, config.exemptionDistance)) continue;
        claims.push({ kind, match: text.slice(span.start, span.end), index: span.start });
      }
    }
  }
  return claims.sort((one, other) => one.index - other.index);
}

/** The mark by which a model says that it has not verified a statement. */
export const unverifiedMark = '[UNVERIFIED]';
export const hasUnverifiedMark = (text: string): boolean => text.includes(unverifiedMark);
