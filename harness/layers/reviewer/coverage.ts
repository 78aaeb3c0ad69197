/** A judge's word on one criterion, by its number in the list it was given, from 1. */
export interface CoverageAnswer {
  number: number;
  covered: boolean;
  evidence_ids: readonly string[];
}

/** Criteria that a judge found covered, believed only where it cites something on record. */
export const coverageOf = (criteria: readonly string[], answers: readonly CoverageAnswer[], known: ReadonlySet<string>): Set<string> =>
  new Set(
    answers.flatMap(({ number, covered, evidence_ids }) => {
      const criterion = criteria[number - 1];
      return criterion !== undefined && covered && evidence_ids.some((id) => known.has(id)) ? [criterion] : [];
    }),
  );
