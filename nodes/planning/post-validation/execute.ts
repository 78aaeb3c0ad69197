import { implementNode, type VisitResult } from '@/harness/contract/execute';
import { fact } from '@/harness/layers/shared/explain';
import { uniquePaths } from '@/harness/planning/artefacts/paths';
import { failedSteps, summariseResults, type ValidationResults } from '@/harness/planning/artefacts/results';
import { planValidation, postValidationConfigSchema } from '@/harness/planning/post-validation/plan';
import { planningState, planningWrites } from '../support/state';
import { validate } from '../support/validation';
import { workspaceCommands } from '../support/workspace-commands';
import { postValidationNode } from './node';

export const executePostValidation = implementNode(postValidationNode, async (context) => {
  const config = { ...postValidationConfigSchema.parse({ ...context.config }), timeoutSeconds: context.config.timeoutSeconds };
  const modified = uniquePaths(planningState(context).modifiedFiles).length;
  const commands = await workspaceCommands(context);
  const plan = planValidation(commands, context.config.onlyAfterChanges ? modified : Math.max(1, modified), config);
  context.decide(plan.decision);
  if (!plan.run) return leave('skipped', {}, { reason: plan.reason });
  context.decide({ rule: 'stage_status', outcome: 'post_validation: running', because: [fact('commands', { ...commands })] });
  const { results, paths } = await validate(context, plan, config);
  if (Object.keys(results).length === 0) return leave('skipped', {}, { reason: 'no_tool' });
  const failed = failedSteps(results);
  context.decide({
    rule: 'stage_status',
    outcome: 'post_validation: done',
    because: [fact('summary', summariseResults(results)), fact('failed', failed)],
  });
  return leave(failed.length === 0 ? 'clean' : 'failed', results, { paths });
});

function leave(
  status: 'clean' | 'failed' | 'skipped',
  results: ValidationResults,
  { reason = '', paths = [] }: { reason?: string; paths?: readonly string[] },
): VisitResult {
  const skipped = status === 'skipped';
  return {
    port: status,
    output: {
      status,
      reason,
      summary: skipped ? `Nothing was validated: ${reason.replaceAll('_', ' ')}.` : summariseResults(results),
      failed: failedSteps(results),
      // plain JSON by its schema; partial records are not JSON objects to the compiler
      results: asOutput(results),
    },
    writes: planningWrites({
      validationResults: skipped ? undefined : results,
      modifiedFiles: paths.length === 0 ? undefined : [...paths],
    }),
  };
}

const asOutput = (results: ValidationResults) => Object.fromEntries(Object.entries(results).map(([step, result]) => [step, { ...result }]));
