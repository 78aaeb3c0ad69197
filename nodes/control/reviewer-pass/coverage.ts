import { z } from 'zod';
import type { ExecuteContext } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import { coverageOf } from '@/harness/layers/reviewer/coverage';
import { implementerFindings } from '@/harness/layers/reviewer/lenses';
import { decided, fact } from '@/harness/layers/shared/explain';
import { asText, clip } from '../support/helpers';
import { modelCheck } from '../support/model-check';
import type { ControlChannels } from '../support/state';
import type { reviewerPass } from './node';

type Context = ExecuteContext<ConfigOf<typeof reviewerPass>>;

const schema = z.object({
  criteria: z.array(
    z.object({ number: z.int(), covered: z.boolean(), evidence_ids: z.array(z.string()).default([]), reason: z.string().default('') }),
  ),
});

/** Criteria that no belief names word for word and that a model, citing evidence on record, still finds met. */
export async function coveredByModel(context: Context, state: ControlChannels): Promise<ReadonlySet<string>> {
  const { worldModel, callerState, evidenceStore, progress } = state;
  if (!context.config.coverByModel) return new Set();
  const uncovered = callerState.success_criteria.filter(
    (criterion) => implementerFindings(worldModel, [criterion], new Set(), context.config).length > 0,
  );
  if (uncovered.length === 0) return new Set();
  const evidence = [
    ...worldModel.beliefs.map(({ id, statement }) => ({ id, text: statement })),
    ...evidenceStore.observations.map(({ id, obs }) => ({ id, text: obs })),
  ].slice(-60);
  const answer = await modelCheck(context, {
    what: 'criterion coverage',
    role: context.config.role,
    schema,
    system:
      'You judge which success criteria the work meets, by the evidence listed. Reply with JSON: criteria, each with number, covered, evidence_ids (ids from the list that show it) and reason (one sentence). Without evidence a criterion is not covered.',
    prompt: [
      `Criteria:\n${uncovered.map((criterion, index) => `${index + 1}. ${criterion}`).join('\n')}`,
      `Result:\n${clip(asText(progress.final_result), 4000)}`,
      `Evidence:\n${evidence.map(({ id, text }) => `- ${id}: ${clip(text, 300)}`).join('\n') || '(none)'}`,
    ].join('\n\n'),
  });
  if (answer === null) return new Set();
  const covered = coverageOf(uncovered, answer.criteria, new Set(evidence.map(({ id }) => id)));
  context.decide(
    decided({
      rule: 'model check: criterion coverage',
      outcome: `${covered.size} of ${uncovered.length} covered`,
      because: answer.criteria.map(({ number, covered: says, evidence_ids, reason }) =>
        fact(
          uncovered[number - 1] ?? `criterion ${number}`,
          `${says ? 'covered' : 'not covered'} (${evidence_ids.join(', ') || 'nothing cited'}) ${reason}`.trim(),
        ),
      ),
    }),
  );
  return covered;
}
