import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { decided, fact } from '../../layers/shared/explain';

/** Arguments of `request_test_change`, by which an implementer disputes a test (planning.md §14). */
export const testChangeRequestSchema = z.object({
  test_file: z.string().min(1),
  test_function: z.string().min(1),
  reason: z.string().min(1),
});
export type TestChangeRequest = z.output<typeof testChangeRequestSchema>;

export interface DisputeOutcome {
  accepted: boolean;
  /** For the implementer. */
  text: string;
  decision: Decision;
}

/** Anything that does not begin with `ACCEPTED:` is a rejection, and so is an acceptance that left the test as it was. */
export function settleDispute(request: TestChangeRequest, answer: string, changedFiles: readonly string[]): DisputeOutcome {
  const said = answer.trim();
  const accepts = said.startsWith('ACCEPTED:');
  const edited = changedFiles.includes(request.test_file);
  const accepted = accepts && edited;
  const text = accepted
    ? said
    : accepts
      ? `REJECTED: the test was said to be changed, but "${request.test_file}" is as it was. Implement what it asks for.`
      : said.startsWith('REJECTED:')
        ? said
        : `REJECTED: ${said === '' ? 'there was no answer.' : said}`;
  return {
    accepted,
    text,
    decision: decided({
      rule: 'TDD: dispute',
      outcome: accepted ? 'accepted' : 'rejected',
      because: [fact('answer begins with ACCEPTED:', accepts), fact('disputed test edited', edited), fact('test', request.test_file)],
    }),
  };
}
