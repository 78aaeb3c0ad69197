import type { Violation } from './validate';

/** What a judge called broken, by the number of the constraint from 1; numbers of no constraint are dropped. */
export const judgedViolations = (constraints: readonly string[], named: readonly { number: number; reason: string }[]): Violation[] =>
  named.flatMap(({ number, reason }) => {
    const constraint = constraints[number - 1];
    if (constraint === undefined) return [];
    return [
      { dimension: 'caller_specific_constraints' as const, text: `"${constraint}" is violated${reason === '' ? '' : `: ${reason}`}` },
    ];
  });

/** The first constraint that somebody states, and every other, once. */
export const allConstraints = (...lists: readonly (readonly string[])[]): string[] => [
  ...new Set(lists.flat().filter((constraint) => constraint.trim() !== '')),
];
