import type { Decision } from '../../contract/decision';
import type { ControlState } from '../control-state/state';
import { decided, fact } from '../shared/explain';
import { defaultPlanningConfig, type PlanningConfig } from './config';
import type { Task, TaskGraph } from './state';
import { conflictKey, conflictReason } from './update';

/** PENDING tasks whose dependencies are all COMPLETE; a missing or failed dependency never is (layers.md R7). */
export function eligibleTasks(graph: TaskGraph): Task[] {
  const complete = new Set(graph.tasks.filter(({ status }) => status === 'COMPLETE').map(({ id }) => id));
  return graph.tasks.filter(({ status, depends_on }) => status === 'PENDING' && depends_on.every((need) => complete.has(need)));
}

export interface Selection {
  task: Task | null;
  /** The one candidate for running alongside, when their write domains allow it. */
  concurrent: Task | null;
  /** Both may really be dispatched: neither has a risk that runs alone. */
  parallelDispatch: boolean;
  /** A person is needed; nothing is selected. */
  escalate: boolean;
  decision: Decision;
}

const highestConflict = (graph: TaskGraph, left: Task, right: Task): { key: string; probability: number } =>
  left.parallel_write_domains
    .flatMap((a) => right.parallel_write_domains.map((b) => conflictKey(a, b)))
    .map((key) => ({ key, probability: graph.conflict_probability_cache[key] ?? 0 }))
    .reduce((worst, pair) => (pair.probability > worst.probability ? pair : worst), { key: 'none', probability: 0 });

/** Picks by risk, then by position; only the second in that order is considered to run alongside (layers.md R7). */
export function selectTask(
  graph: TaskGraph,
  control: Pick<ControlState, 'escalation_reason'>,
  config: PlanningConfig = defaultPlanningConfig,
): Selection {
  const none = { task: null, concurrent: null, parallelDispatch: false };
  if (control.escalation_reason === 'HUMAN_REQUIRED') {
    return {
      ...none,
      escalate: true,
      decision: decided({ rule: 'escalation', outcome: 'nothing selected', because: [fact('escalation_reason', 'HUMAN_REQUIRED')] }),
    };
  }
  const rank = new Map(config.riskOrder.map((risk, index) => [risk, index]));
  const ranked = eligibleTasks(graph)
    .map((task, index) => ({ task, index, rank: rank.get(task.risk_level) ?? config.riskOrder.length }))
    .sort((left, right) => left.rank - right.rank || left.index - right.index)
    .map(({ task }) => task);
  const [first, second] = ranked;
  if (!first) {
    return {
      ...none,
      escalate: false,
      decision: decided({ rule: 'nothing eligible', outcome: 'nothing selected', because: waiting(graph) }),
    };
  }
  const shares = second !== undefined && first.parallel_write_domains.some((domain) => second.parallel_write_domains.includes(domain));
  const worst = second && shares ? highestConflict(graph, first, second) : null;
  const concurrent = second && (worst === null || worst.probability <= config.maxConflict) ? second : null;
  const alone = [first, concurrent].some((task) => task !== null && config.serialRisks.includes(task.risk_level));
  const parallelDispatch = concurrent !== null && !alone && config.parallel && graph.serial !== true;
  return {
    task: first,
    concurrent,
    parallelDispatch,
    escalate: false,
    decision: decided({
      rule: `risk order ${config.riskOrder.join(', ')}`,
      outcome: parallelDispatch ? `picked ${first.id} with ${concurrent.id} alongside` : `picked ${first.id} (${first.risk_level})`,
      because: [
        fact(
          'order',
          ranked.slice(0, 5).map(({ id, risk_level }) => `${id} (${risk_level})`),
        ),
        ...(worst ? [conflictReason(worst.key, worst.probability, config.maxConflict)] : []),
        ...waiting(graph),
      ],
      alternatives:
        second && !parallelDispatch ? [{ outcome: `${second.id} alongside`, needs: whyAlone(alone, worst, config, graph) }] : [],
    }),
  };
}

function whyAlone(alone: boolean, worst: { key: string } | null, config: PlanningConfig, graph: TaskGraph): string {
  if (graph.serial === true || !config.parallel) return 'parallel dispatch switched on';
  return alone
    ? `neither task ${config.serialRisks.join(' or ')}`
    : `a conflict of at most ${config.maxConflict} on ${worst?.key ?? 'their domains'}`;
}

/** The first few tasks that wait, and for what. */
function waiting(graph: TaskGraph): Decision['because'] {
  const status = new Map(graph.tasks.map((task) => [task.id, task.status]));
  const reasons: Decision['because'] = [];
  for (const task of graph.tasks) {
    if (reasons.length >= 5) break;
    if (task.status !== 'PENDING') continue;
    const open = task.depends_on.filter((need) => status.get(need) !== 'COMPLETE');
    if (open.length > 0)
      reasons.push(
        fact(
          `${task.id} waits for`,
          open.map((need) => `${need} (${status.get(need) ?? 'unknown'})`),
        ),
      );
  }
  return reasons;
}
