import { type ExecuteContext, implementNode } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import { renderPhase1Summary } from '@/harness/planning/artefacts/phase1-summary';
import { renderScopeDocument, scopeDocumentSchema } from '@/harness/planning/artefacts/scope-document';
import { afterFailedAttempt, fallbackScope, type SynthesizedScope, scopeContext } from '@/harness/planning/scope/fallback';
import { messageOf } from '../../control/support/helpers';
import { debugArtefact } from '../support/artefact-file';
import { materialNote, prompt, section } from '../support/prompt';
import { noteThinContext, stageStatus } from '../support/stage';
import { type PlanningChannels, planningState, planningWrites } from '../support/state';
import { attemptObject } from '../support/structured';
import { scopeSynthesis } from './node';

type Context = ExecuteContext<ConfigOf<typeof scopeSynthesis>>;

const system = [
  'You write the scope of a coding task as one JSON object. You look at nothing and ask nobody: use only what is below.',
  'problem: three to six sentences, what is wrong or wanted and for whom. deliverables: observable outcomes, not file edits.',
  'in_scope: names that can be grepped for. out_of_scope: what a reader might expect and must not be touched.',
  'downstream_consumers: categories of files that reference what changes. success_criteria: three to six, each falsifiable.',
  'assumptions: everything marked UNCERTAIN or ASSUMPTION and whatever else is taken for granted, each with a hint how to verify it in the code.',
  'risks: ways in which this scope could be misunderstood. Leave a list empty rather than invent an entry.',
  materialNote,
].join('\n');

export const executeScopeSynthesis = implementNode(scopeSynthesis, async (context) => {
  const { config } = context;
  const state = planningState(context);
  // Never blocks: an empty task has a fallback of its own.
  const task = state.planTask.task.trim() === '' ? messageOf(context.input) : state.planTask.task;
  stageStatus(context, { phase: '1a', status: 'running', role: config.role });
  noteThinContext(context, state);
  const { scope, synthesized, warnings } = await synthesise(context, task, state);
  const markdown = renderScopeDocument(scope);
  for (const warning of warnings) context.log('warning', warning);
  await debugArtefact(context, 'phase_1a_scope.md', markdown);
  stageStatus(context, { phase: '1a', status: 'done', role: config.role, summary: scope.problem });
  return {
    output: { scope, synthesized, warnings, markdown },
    writes: planningWrites({ scopeDocument: scope, planWarnings: warnings.length > 0 ? warnings : undefined }),
  };
});

/** Attempt by attempt; whatever goes wrong, there is a scope in the end (L13). */
async function synthesise(context: Context, task: string, state: PlanningChannels): Promise<SynthesizedScope> {
  const { config } = context;
  const user = prompt(
    section('Task', task),
    state.phase1Summary === null ? '' : renderPhase1Summary(state.phase1Summary),
    section('Project context', scopeContext(state.planTask.context, config)),
  );
  let note = '';
  for (let attempt = 1; ; attempt += 1) {
    const reply = await attemptObject(context, {
      name: 'scope-document',
      role: config.role,
      schema: scopeDocumentSchema,
      system,
      prompt: prompt(user, note),
    });
    if (reply.ok) return { scope: reply.value, synthesized: true, warnings: [] };
    // A gateway that has itself sent the reply back once has used up an attempt.
    attempt += reply.attempts - 1;
    const verdict = afterFailedAttempt(attempt, reply.problem, config);
    context.decide(verdict.decision);
    if (verdict.next === 'fallback') return fallbackScope(task, reply.problem, config);
    note = verdict.note;
  }
}
