import { type ExecuteContext, implementNode } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import { type Phase1Summary, renderPhase1Summary } from '@/harness/planning/artefacts/phase1-summary';
import { debugArtefact } from '../support/artefact-file';
import { windowOf } from '../support/config';
import { taskOf } from '../support/material';
import { recall } from '../support/memories';
import { retrievalFor } from '../support/memory-fields';
import { projectContextTool } from '../support/project-context';
import { noteThinContext, stageStatus } from '../support/stage';
import { planningState, planningWrites } from '../support/state';
import { type LoopResult, runToolLoop } from '../support/tool-loop';
import { clarify } from './node';
import { clarifyPrompt, clarifySystem, singleTurnSystem } from './prompt';
import { Clarifications } from './request-clarification';

export const executeClarify = implementNode(clarify, async (context) => {
  const { config } = context;
  const state = planningState(context);
  const task = taskOf(context, state);
  stageStatus(context, { phase: '1', status: 'running', role: config.role });
  noteThinContext(context, state);
  const memories = await recall(context, { query: task, window: windowOf(config), retrieval: retrievalFor('phase_1', config) });
  const clarifications = new Clarifications(context, config.questionTimeoutMs);
  const result = await talk(context, clarifyPrompt({ task, context: state.planTask.context, memories }), {
    clarifications,
    projectContext: state.planTask.context,
  });
  const summary: Phase1Summary = {
    prose: result.summary?.trim() ? result.summary : result.text,
    tool_calls: result.calls.map(({ name, arguments: given }) => ({ name, arguments: given })),
    clarifications: clarifications.all,
  };
  await debugArtefact(context, 'phase_1_clarification.md', renderPhase1Summary(summary));
  stageStatus(context, { phase: '1', status: 'done', role: config.role, summary: summary.prose });
  return { output: { ...summary, turns: result.turns, exit: result.exit }, writes: planningWrites({ phase1Summary: summary }) };
});

type Context = ExecuteContext<ConfigOf<typeof clarify>>;

function talk(
  context: Context,
  user: string,
  { clarifications, projectContext }: { clarifications: Clarifications; projectContext: string },
): Promise<LoopResult> {
  const { role, maxTurns, textOnlyExit, tools, ask } = context.config;
  const single = maxTurns === 0;
  return runToolLoop(context, {
    role,
    messages: [
      { role: 'system', content: single ? singleTurnSystem : clarifySystem },
      { role: 'user', content: user },
    ],
    tools: single ? [] : tools,
    local: single ? [] : [projectContextTool(projectContext), ...(ask ? [clarifications.tool()] : [])],
    loop: { maxTurns: single ? 1 : maxTurns, textOnlyExit },
    settings: context.config,
    executing: false,
    ...(single ? { completion: false } : {}),
  });
}
