import { z } from 'zod';
import { bullet, document, joined, listSection, textSection } from './markdown';

const lines = () => z.array(z.string()).default([]);

export const assumptionSchema = z.object({
  assumption: z.string(),
  verify_hint: z.string().describe('How exploration can confirm or falsify it, for example what to grep for.'),
});

/** What the task is and is not (planning.md §5). Only `problem` is required; the seven lists may stay empty. */
export const scopeDocumentSchema = z.object({
  problem: z.string().describe('Three to six sentences: what is wrong or wanted, and for whom.'),
  deliverables: lines().describe('Observable outcomes, not file edits.'),
  in_scope: lines().describe('Names that can be grepped for.'),
  out_of_scope: lines(),
  downstream_consumers: lines().describe('Categories of files that reference what changes.'),
  assumptions: z.array(assumptionSchema).default([]),
  success_criteria: lines().describe('Three to six, each falsifiable.'),
  risks: lines().describe('Ways in which the scope could be misunderstood.'),
});
export type ScopeDocument = z.output<typeof scopeDocumentSchema>;

/** All eight headings are always printed; an empty one says so. */
export const renderScopeDocument = (scope: ScopeDocument): string =>
  document('Scope', [
    textSection('Problem', scope.problem),
    listSection('Deliverables', scope.deliverables),
    listSection('In scope', scope.in_scope),
    listSection('Out of scope', scope.out_of_scope),
    listSection('Downstream consumers', scope.downstream_consumers),
    textSection(
      'Assumptions',
      scope.assumptions
        .map(({ assumption, verify_hint }) => bullet(joined([assumption, verify_hint.trim() === '' ? '' : `verify: ${verify_hint}`])))
        .join('\n'),
    ),
    listSection('Success criteria', scope.success_criteria),
    listSection('Risks', scope.risks),
  ]);
