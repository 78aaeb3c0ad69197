import type { Proposal as Reviewable, ReviewGateConfig } from '@/harness/layers/execution/review-gate';
import type { Proposal } from '../channels';
import { asText } from '../support/helpers';
import type { Work } from '../support/work';

/**
 * What the review reads. A concrete call is judged by what it does, not by the words of the task it belongs to (D13); the reference setting
 * reads those words only.
 */
export function reviewable(proposal: Proposal, work: Work, subject: ReviewGateConfig['subject']): Reviewable {
  if (proposal.kind === 'task' || subject === 'description') return { description: work.description };
  return {
    tool: proposal.tool ?? '',
    // a difference of lines says it better than the same text inside JSON
    ...(proposal.diff === null
      ? { arguments: asText(proposal.arguments) }
      : { arguments: proposal.text.split('\n', 1)[0] ?? '', diff: proposal.diff }),
  };
}
