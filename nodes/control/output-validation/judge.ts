import { z } from 'zod';
import type { ExecuteContext } from '@/harness/contract/execute';
import type { Json } from '@/harness/contract/json';
import type { ConfigOf } from '@/harness/contract/node';
import { judgedViolations } from '@/harness/layers/output-validation/judged';
import type { Violation } from '@/harness/layers/output-validation/validate';
import { decided, fact } from '@/harness/layers/shared/explain';
import { asText, clip } from '../support/helpers';
import { modelCheck } from '../support/model-check';
import type { outputValidation } from './node';

type Context = ExecuteContext<ConfigOf<typeof outputValidation>>;

const schema = z.object({
  violated: z.array(z.object({ number: z.int(), reason: z.string().default('') })),
});

/** The constraints that a model finds broken; `null` when it was not asked or could not answer, and so the words decide. */
export async function judgeConstraints(context: Context, result: Json, constraints: readonly string[]): Promise<Violation[] | null> {
  if (!context.config.judgeConstraints || constraints.length === 0) return null;
  const answer = await modelCheck(context, {
    what: 'constraint judge',
    role: context.config.role,
    schema,
    system:
      'You check whether a reply breaks constraints it was given. Name only those it clearly breaks. Reply with JSON: violated, a list with number and reason (one sentence); empty when none is broken.',
    prompt: [
      `Constraints:\n${constraints.map((constraint, index) => `${index + 1}. ${constraint}`).join('\n')}`,
      `Reply:\n${clip(asText(result), 12_000)}`,
    ].join('\n\n'),
  });
  if (answer === null) return null;
  const violations = judgedViolations(constraints, answer.violated);
  context.decide(
    decided({
      rule: 'model check: constraints',
      outcome: violations.length === 0 ? 'none is broken' : `${violations.length} broken`,
      because:
        violations.length === 0
          ? [fact('constraints', constraints.length)]
          : violations.map(({ dimension, text }) => fact(dimension, text)),
    }),
  );
  return violations;
}
