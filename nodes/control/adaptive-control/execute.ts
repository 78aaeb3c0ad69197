import { implementNode } from '@/harness/contract/execute';
import { type PlanSituation, routeTurn } from '@/harness/layers/adaptive-control/decide';
import { skippedLayers } from '@/harness/layers/adaptive-control/layer-policy';
import { takeTurn } from '@/harness/layers/adaptive-control/take-turn';
import { nothingLeft } from '@/harness/layers/planning/revalidate';
import type { TaskGraph } from '@/harness/layers/planning/state';
import { decideAll, messageOf } from '../support/helpers';
import { stateOf } from '../support/state';
import { writesOf } from '../support/writes';
import { judgeTurn } from './judge';
import { adaptiveControl } from './node';

export const executeAdaptiveControl = implementNode(adaptiveControl, async (context) => {
  const { config } = context;
  const state = stateOf(context);
  const message = config.message.trim() === '' ? messageOf(context.input) : context.text(config.message);
  const plan = planOf(state.taskGraph);
  const judged = await judgeTurn(context, message, plan);
  const routing = routeTurn(judged, plan, message, config);
  const { skip, decisions } = skippedLayers(routing.policy, routing.tasks.length, config.layerPolicy);
  const taken = takeTurn(state.taskGraph, routing, plan);
  decideAll(context, [routing.decision, ...taken.decisions, ...decisions]);
  return {
    port: routing.port,
    output: {
      message,
      risk: routing.policy.riskLevel,
      reason: routing.policy.riskReason,
      trivial: routing.port === 'trivial',
      tasks: taken.taskGraph.tasks.map(({ description }) => description),
      constraints: routing.policy.statedConstraints,
      facts: routing.policy.statesDurableFacts.map(({ fact }) => fact),
    },
    writes: writesOf(context, {
      turnPolicy: routing.policy,
      goal: { ...state.goal, objective: message, risk: routing.risk },
      taskGraph: taken.taskGraph,
      progress: { skipped_layers: [...skip] },
    }),
  };
});

const planOf = (graph: TaskGraph): PlanSituation => ({
  active: graph.tasks.length > 0 && !nothingLeft(graph),
  stepFailed: graph.tasks.some(({ status }) => status === 'FAILED'),
});
