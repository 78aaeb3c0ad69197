import type { Decision, Reason } from '../../contract/decision';
import type { Json } from '../../contract/json';

/** A number as people write it: no floating-point dust, at most four significant decimals. */
export function plainNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (Number.isInteger(value)) return String(value);
  const digits = Math.abs(value) >= 1 ? 4 : 3;
  return String(Number(value.toPrecision(digits)));
}

export function plainValue(value: Json | undefined, limit = 60): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return plainNumber(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

/** One reason as a comparison: `symptom_coverage 0.192 < 0.2`. A comparison that does not hold is negated in words. */
export function reasonWords(reason: Reason): string {
  const left = `${reason.name} ${plainValue(reason.value)}`;
  if (reason.operator === undefined || reason.threshold === undefined) return left;
  const right = `${reason.operator} ${plainValue(reason.threshold)}`;
  return reason.holds === false ? `${left}, not ${right}` : `${left} ${right}`;
}

/** How far the value is from its threshold, in the value's own unit; null where there is nothing to measure. */
export function distanceOf(reason: Reason): number | null {
  if (reason.distance !== undefined) return Math.abs(reason.distance);
  if (typeof reason.value !== 'number' || typeof reason.threshold !== 'number') return null;
  return Math.abs(reason.value - reason.threshold);
}

/** The measured reason that is nearest to tipping over, by share of its threshold. */
export function nearestReason(decision: Decision): Reason | null {
  let best: Reason | null = null;
  let bestShare = Number.POSITIVE_INFINITY;
  for (const reason of decision.because) {
    const distance = distanceOf(reason);
    if (distance === null) continue;
    const scale = typeof reason.threshold === 'number' && reason.threshold !== 0 ? Math.abs(reason.threshold) : 1;
    if (distance / scale < bestShare) {
      best = reason;
      bestShare = distance / scale;
    }
  }
  return best;
}

const numbersIn = (text: string): number[] => (text.match(/-?\d+(?:\.\d+)?(?:e-?\d+)?/gi) ?? []).map(Number);
const near = (a: number, b: number): boolean => Math.abs(a - b) < 0.0006;

/** Whether what an alternative needs is about this threshold: it says no number, the threshold, or the distance to it. */
function isAbout(needs: string, reason: Reason): boolean {
  const numbers = numbersIn(needs.replaceAll(reason.name, ''));
  const distance = distanceOf(reason);
  const marks = [distance, typeof reason.threshold === 'number' ? reason.threshold : null].filter((mark) => mark !== null);
  return numbers.length === 0 || numbers.some((number) => marks.some((mark) => near(number, mark)));
}

/** The outcome on the other side of a reason: the alternative that speaks of it, or the only one that names nothing else. */
function otherOutcome(decision: Decision, reason: Reason): string | null {
  const naming = decision.alternatives.filter((alternative) => alternative.needs.includes(reason.name));
  const about = naming.find((alternative) => isAbout(alternative.needs, reason));
  if (about !== undefined) return about.outcome;
  // A dimension held against two lines has an alternative for each; the one for the other line says nothing about this one.
  if (naming.length > 0 || decision.alternatives.length !== 1) return null;
  const others = decision.because.filter((other) => other.name !== reason.name);
  const [only] = decision.alternatives;
  return only === undefined || others.some((other) => only.needs.includes(other.name)) ? null : only.outcome;
}

/**
 * The distance to the other outcome in words: "0.008 short of CAUTIOUS", "0.05 clear of DENY", "exactly at the threshold 0.2".
 * Null for a decision that rests on no numbers.
 */
export function distanceWords(decision: Decision): string | null {
  const reason = nearestReason(decision);
  const distance = reason === null ? null : distanceOf(reason);
  if (reason === null || distance === null) return null;
  const other = otherOutcome(decision, reason);
  const target = other ?? (reason.threshold === undefined ? 'the other outcome' : `the threshold ${plainValue(reason.threshold)}`);
  if (distance === 0) return other === null ? `exactly at ${target}` : `exactly on the line to ${target}`;
  const below = typeof reason.value === 'number' && typeof reason.threshold === 'number' && reason.value < reason.threshold;
  return `${plainNumber(distance)} ${below ? 'short of' : 'clear of'} ${target}`;
}

/** Where a value stands as seen from its threshold: `0.05 above`, `at it`; null where there is nothing to measure. */
export function sideWords(reason: Reason): string | null {
  const distance = distanceOf(reason);
  if (distance === null) return null;
  if (distance === 0) return 'at it';
  if (typeof reason.value !== 'number' || typeof reason.threshold !== 'number') return `${plainNumber(distance)} apart`;
  return `${plainNumber(distance)} ${reason.value < reason.threshold ? 'below' : 'above'}`;
}

/** What would have had to be different, one line for each other outcome. */
export const alternativeWords = (decision: Decision): string[] =>
  decision.alternatives.map((alternative) =>
    alternative.needs === '' ? alternative.outcome : `${alternative.outcome} needs ${alternative.needs}`,
  );

/** All reasons in one line; one value held against several thresholds is named once: `support 0.5, not < 0.2, not < 0.4`. */
export function becauseWords(decision: Decision): string {
  return decision.because
    .map((reason, i) => {
      const before = decision.because[i - 1];
      const words = reasonWords(reason);
      const left = `${reason.name} ${plainValue(reason.value)}`;
      const again = before?.name === reason.name && before.value === reason.value && words !== left;
      return again ? words.slice(left.length).replace(/^,? /, '') : words;
    })
    .join(', ');
}

/** A decision as one line: `tier 2: symptom_coverage 0.192 < 0.2 → DENY`. */
export function decisionLine(decision: Decision): string {
  const because = becauseWords(decision);
  return because === '' ? `${decision.rule} → ${decision.outcome}` : `${decision.rule}: ${because} → ${decision.outcome}`;
}

/** What a decision comes down to: the comparisons that held and are not in its rule already, the outcome, and what else it would have taken. */
export function decisionBrief(decision: Decision): string {
  const held = decision.because
    .filter((reason) => reason.operator !== undefined && reason.holds !== false && !decision.rule.includes(reason.name))
    .map(reasonWords);
  const line = held.length === 0 ? decision.rule : `${decision.rule}: ${held.join(', ')}`;
  return [`${line} → ${decision.outcome}`, ...alternativeWords(decision)].join(' · ');
}
