import { implementNode } from '@/harness/contract/execute';
import { fact } from '@/harness/layers/shared/explain';
import { retireExpired } from '@/harness/planning/memory/retention';
import { type MemoryRow, memoryConfigSchema } from '@/harness/planning/memory/row';
import { type PlanningChannels, planningState, planningWrites } from '../support/state';
import { takeInAll } from '../support/take-in';
import { extractMemories, type HookContext } from './extract';
import { completionHooksNode } from './node';
import { updateProjectContext } from './project-context';
import { type Report, reportOf } from './report';

/** What is done once at the end (planning.md §16). Only caps, cancelling and faults of ours fail it. */
export const executeCompletionHooks = implementNode(completionHooksNode, async (context) => {
  const state = planningState(context);
  const report = reportOf(state);
  const rows = await memoriesOf(context, state, report);
  await updateProjectContext(context, state, report);
  context.decide({
    rule: 'execution_complete',
    outcome: report.status,
    because: [
      fact('files_modified_count', report.files_modified.length),
      fact('validation_passed', report.validation_passed),
      fact('steps completed', report.steps.completed),
      fact('steps', report.steps.total),
    ],
    note: report.summary,
  });
  const { status, summary, text, files_modified, validation_passed } = report;
  const live = rows.filter(({ curation_status }) => curation_status !== 'superseded');
  return {
    output: { text, summary, status, files_modified, validation_passed, memories: live.map((row) => ({ ...row })) },
    writes: planningWrites({ workspaceMemories: rows.length === 0 ? undefined : rows }),
  };
});

/** Rows that are new or changed: what ran out is archived, then what was learned is taken in. */
async function memoriesOf(context: HookContext, state: PlanningChannels, report: Report): Promise<MemoryRow[]> {
  const { config } = context;
  const now = await context.now();
  const { retired, decision } = retireExpired(state.workspaceMemories, now);
  if (retired.length > 0) context.decide(decision);
  if (!config.extract || config.mostPerSession === 0) return retired;
  if (report.status === 'cancelled') {
    context.decide({ rule: 'memory: extraction', outcome: 'none', because: [fact('status', report.status)] });
    return retired;
  }
  const gone = new Map(retired.map((row) => [row.id, row]));
  const rows = state.workspaceMemories.map((row) => gone.get(row.id) ?? row);
  const suggestions = await extractMemories(context, state, report);
  const taken = takeInAll(context, {
    rows,
    suggestions,
    now,
    config: { ...memoryConfigSchema.parse({ ...config }), retentionDays: config.retentionDays },
  });
  return [...retired, ...taken];
}
