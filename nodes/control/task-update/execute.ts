import { implementNode } from '@/harness/contract/execute';
import type { JournalEntry } from '@/harness/layers/context-compression/state';
import { completedCount, completeTask } from '@/harness/layers/planning/complete';
import { pushHistory, settleFailures } from '@/harness/layers/recovery/history';
import { asText, clip } from '../support/helpers';
import { stateOf } from '../support/state';
import { writesOf } from '../support/writes';
import { taskUpdate } from './node';

export const executeTaskUpdate = implementNode(taskUpdate, (context) => {
  const { config } = context;
  const state = stateOf(context);
  const { currentTask: taskId, memoryState, strategyState, failureDiagnostics, progress } = state;
  const result = taskId === null ? undefined : state.taskResults[taskId];
  const { taskGraph, completed, decision } = completeTask({
    taskGraph: state.taskGraph,
    taskId,
    result: result?.status ?? null,
    verification: state.verification,
    requireVerified: config.requireVerified,
  });
  context.decide(decision);
  const output = {
    task_id: taskId,
    completed,
    finished: completedCount(taskGraph),
    tasks: taskGraph.tasks.length,
    result: result?.output ?? null,
  };
  if (!completed || taskId === null) return { output, writes: writesOf(context, { taskGraph }) };
  const description = taskGraph.tasks.find(({ id }) => id === taskId)?.description ?? taskId;
  const entry: JournalEntry = {
    step: progress.steps_used,
    action_class: strategyState.current_strategy,
    outcome: `Done: ${clip(description, 200)}`,
    ...(output.result === null || config.excerpt === 0 ? {} : { verbatim: clip(asText(output.result), config.excerpt) }),
    success: true,
  };
  return {
    output,
    writes: writesOf(context, {
      taskGraph,
      strategyState: pushHistory(strategyState, taskGraph, state.controlState),
      memoryState: { ...memoryState, journal: [...memoryState.journal, entry] },
      ...(config.settleFailures ? { failureDiagnostics: settleFailures(failureDiagnostics, taskId) } : {}),
      ...(output.result === null ? {} : { progress: { final_result: output.result } }),
    }),
  };
});
