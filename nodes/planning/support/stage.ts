import type { ExecuteContext } from '@/harness/contract/execute';
import type { ModelRole } from '@/harness/contract/model';
import { compared, fact } from '@/harness/layers/shared/explain';
import type { PlanningChannels } from './state';

type Context = Pick<ExecuteContext, 'decide' | 'log' | 'node'>;

export interface Stage {
  phase: string;
  status: 'running' | 'done';
  role: ModelRole;
  summary?: string;
}

/** `stage_status` of planning.md §4–9: where the pipeline is, and which model is at work. */
export function stageStatus(context: Pick<Context, 'decide'>, { phase, status, role, summary = '' }: Stage): void {
  context.decide({
    rule: 'stage_status',
    outcome: `phase ${phase}: ${status}`,
    because: [fact('stage', 'planning'), fact('phase', phase), fact('model', role)],
    ...(summary === '' ? {} : { note: summary }),
  });
}

/** Said by each phase of a workspace that was not initialised; nothing is blocked (planning.md §1). */
export function noteThinContext(context: Context, { planTask }: Pick<PlanningChannels, 'planTask'>): void {
  if (planTask.context.trim() !== '') return;
  context.decide({
    rule: 'thin architecture awareness',
    outcome: 'go on without project context',
    because: [compared('characters of project context', 0, '>', 0)],
    alternatives: [{ outcome: 'the phase knows the project', needs: '“Workspace init” before it' }],
  });
  context.log('warning', `${context.node.label}: thin architecture awareness, because there is no project context.`);
}
