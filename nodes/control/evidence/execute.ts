import { implementNode } from '@/harness/contract/execute';
import { feasibilityByCeilings } from '@/harness/layers/evidence/gather';
import { withSources } from '@/harness/layers/evidence/sources';
import { collect, type EndedTask, evidenceOfCall, evidenceOfTask } from '@/harness/layers/evidence/tool-evidence';
import { taskById } from '@/harness/layers/planning/state';
import type { TaskResult } from '../channels';
import { decideAll, isoNow } from '../support/helpers';
import { type ControlChannels, stateOf } from '../support/state';
import { objectiveId, workOf } from '../support/work';
import { writesOf } from '../support/writes';
import { evidence } from './node';
import { callsIn } from './received-calls';

export const executeEvidence = implementNode(evidence, async (context) => {
  const { config } = context;
  const state = stateOf(context);
  const work = workOf(state, context.input);
  const at = await isoNow(context);
  const gathered = config.fromReceived
    ? callsIn(context.received, { prefix: `gathered-${context.node.id}-${context.visit.number}`, taskId: work.id, at })
    : [];
  const ended = endedTasks(state, { at, objective: work.id === objectiveId ? work.description : '' });
  const inputs = [
    ...[...state.toolResults, ...gathered].map((call) => evidenceOfCall(call, config)),
    ...ended.flatMap((task) => evidenceOfTask(task, config)),
  ];
  const collected = collect(withSources(state.evidenceStore, context.tools()), inputs, config);
  decideAll(context, collected.decisions);
  if (inputs.length === 0)
    context.decide({ rule: 'gather evidence', outcome: 'nothing to collect', because: [{ name: 'tool results', value: 0 }] });
  if (collected.refused.length > 0) {
    context.log('warning', `No evidence was collected from ${[...new Set(collected.refused)].join(', ')}: not listed as available.`);
  }
  return {
    output: {
      added: collected.added.map(({ id, source, reliability, evidence_type, obs }) => ({
        id,
        source,
        reliability,
        type: evidence_type,
        obs,
      })),
      refused: [...new Set(collected.refused)],
      feasibility: feasibilityByCeilings(collected.store, config),
      total: collected.store.observations.length,
    },
    writes: writesOf(context, {
      evidenceStore: collected.store,
      ...(state.toolResults.length > 0 ? { toolResults: [] } : {}),
      ...(ended.length > 0
        ? { taskResults: Object.fromEntries(ended.map(({ id }) => [id, recorded(state.taskResults[id])] as const)) }
        : {}),
    }),
  };
});

const recorded = (result: TaskResult | undefined): TaskResult => ({
  status: 'continue',
  output: null,
  error: null,
  failure: null,
  turns: 0,
  step: 0,
  changed_paths: [],
  ...result,
  recorded: true,
});

/** Results of tasks that ended and are not evidence yet. */
function endedTasks(state: ControlChannels, { at, objective }: { at: string; objective: string }): EndedTask[] {
  return Object.entries(state.taskResults).flatMap(([id, result]): EndedTask[] => {
    if (result.recorded || result.status === 'continue') return [];
    const description = taskById(state.taskGraph, id)?.description ?? (objective || id);
    const outcome: EndedTask['outcome'] =
      result.status === 'done'
        ? { status: 'done', output: result.output }
        : {
            status: 'failed',
            error: result.error ?? 'no reason is known',
            systemError: (result.failure ?? 'system_error') === 'system_error',
          };
    return [{ id, description, step: result.step, at, outcome }];
  });
}
