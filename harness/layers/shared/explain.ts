import type { Decision, Reason } from '../../contract/decision';
import type { Json } from '../../contract/json';

type Operator = NonNullable<Reason['operator']>;

const holdsFor: Partial<Record<Operator, (value: number, threshold: number) => boolean>> = {
  '<': (value, threshold) => value < threshold,
  '<=': (value, threshold) => value <= threshold,
  '>': (value, threshold) => value > threshold,
  '>=': (value, threshold) => value >= threshold,
  '==': (value, threshold) => value === threshold,
  '!=': (value, threshold) => value !== threshold,
};

/** A number held against a threshold, with its distance from it and whether the comparison holds. */
export function compared(name: string, value: number, operator: Operator, threshold: number): Reason {
  const holds = holdsFor[operator]?.(value, threshold);
  const distance = Math.abs(value - threshold);
  return {
    name,
    value,
    operator,
    threshold,
    ...(Number.isFinite(distance) ? { distance } : {}),
    ...(holds === undefined ? {} : { holds }),
  };
}

/** A plain fact the rule looked at. */
export const fact = (name: string, value: Json): Reason => ({ name, value });

export interface DecisionParts {
  rule: string;
  outcome: string;
  because?: Reason[];
  alternatives?: Decision['alternatives'];
  note?: string | undefined;
}

export const decided = ({ rule, outcome, because = [], alternatives = [], note }: DecisionParts): Decision => ({
  rule,
  outcome,
  because,
  alternatives,
  ...(note === undefined ? {} : { note }),
});
