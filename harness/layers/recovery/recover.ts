import type { Decision } from '../../contract/decision';
import { blockDependents, releaseDependents } from '../planning/dependents';
import { newTask } from '../planning/revalidate';
import { type Task, type TaskGraph, taskById } from '../planning/state';
import { replaceTask } from '../planning/transitions';
import { compared, decided, fact } from '../shared/explain';
import type { Belief } from '../world-model/state';
import { defaultRecoveryConfig, type RecoveryConfig } from './config';
import { detectStall, type StallReason } from './stall';
import type { ExperienceStore, FailureDiagnostics, StrategyState } from './state';
import { nextStrategy } from './strategies';
import type { Directive } from './supervisor';

/** Why the task failed. Only a system error may be tried once more by rule. */
export type FailureKind = 'system_error' | 'exhausted' | 'not_accomplished' | 'verification';

export interface RecoverInput {
  task: Task;
  kind: FailureKind;
  /** ISO time of the failure. */
  at: string;
  strategy: StrategyState;
  failures: FailureDiagnostics;
  taskGraph: TaskGraph;
  beliefs: readonly Belief[];
  successCriteria: readonly string[];
  experience: ExperienceStore;
  directive?: Directive | undefined;
  /** False once the plan has been rebuilt as often as a run may; a stall then calls a person. */
  mayRebuild?: boolean;
}

export interface RecoverResult {
  strategy: StrategyState;
  failures: FailureDiagnostics;
  taskGraph: TaskGraph;
  scope: 'LOCAL' | 'GLOBAL';
  stallReason: StallReason | '';
  requeued: boolean;
  port: 'retry' | 'replan' | 'escalate';
  decisions: Decision[];
}

/** One task per criterion, and a few that verify what the plan leaned on (layers.md R10, GLOBAL). */
export function rebuildTaskGraph(
  input: Pick<RecoverInput, 'successCriteria' | 'beliefs'>,
  round: number,
  config: RecoveryConfig,
): TaskGraph {
  const tasks = input.successCriteria.map((criterion, index) =>
    newTask({ id: `rebuilt-${round}-task-${index}`, description: criterion, risk_level: 'MEDIUM', abstraction_level: 1 }),
  );
  const checks = input.beliefs.slice(0, config.verifyBeliefs).map((belief, index) =>
    newTask({
      id: `rebuilt-${round}-verify-${index}`,
      description: `Verify: ${belief.statement.slice(0, 120)}`,
      risk_level: 'LOW',
      abstraction_level: 2,
    }),
  );
  return { tasks: [...tasks, ...checks], conflict_probability_cache: {}, changed: true };
}

/** Dependents wait again; of those that failed the reference drops all (layers.md R10, LOCAL). */
function requeueDependents(graph: TaskGraph, id: string): TaskGraph {
  return {
    ...graph,
    changed: true,
    tasks: graph.tasks
      .filter(({ status, depends_on }) => !(status === 'FAILED' && depends_on.includes(id)))
      .map((task) => (task.depends_on.includes(id) && task.status !== 'COMPLETE' ? { ...task, status: 'PENDING' as const } : task)),
  };
}

function whyRequeue(input: RecoverInput, affinity: boolean, config: RecoveryConfig): string | null {
  const { task, kind, directive } = input;
  if (directive?.action === 'REDIRECT_STRATEGY' || directive?.action === 'GATHER_EVIDENCE') return `supervisor ${directive.action}`;
  if (task.retried === true) return null;
  if (affinity) return 'the matched pattern names a strategy';
  if (config.retrySystemErrors && kind === 'system_error') return 'a system error may pass';
  return config.retryEveryFailure ? 'every failure is tried once more' : null;
}

/** A stalled run gets a new plan, unless the supervisor has said how the task itself goes on: its word has priority (layers.md R10). */
function scopeOf(stalled: boolean, directive: Directive | undefined): 'LOCAL' | 'GLOBAL' {
  if (directive?.action === 'REFRAME_PLAN') return 'GLOBAL';
  const settled = directive !== undefined && ['REDIRECT_STRATEGY', 'GATHER_EVIDENCE', 'ABORT'].includes(directive.action);
  return stalled && !settled ? 'GLOBAL' : 'LOCAL';
}

/**
 * Handles a failed task: records the failure, decides by the stall rule between rebuilding the plan and repairing it in place,
 * moves the strategy, and re-queues the task where a rule allows it (layers.md R10).
 */
export function recover(input: RecoverInput, config: RecoveryConfig = defaultRecoveryConfig): RecoverResult {
  const { task, strategy, directive } = input;
  const match = input.failures.matched_pattern;
  const record = {
    id: `failure-${input.failures.failure_history.length + 1}`,
    timestamp: input.at,
    failure_class: match?.failure_class ?? 'unknown',
    description: `Task failed: ${task.description}`,
    context: { task_id: task.id, kind: input.kind },
  };
  const failures = { ...input.failures, failure_history: [...input.failures.failure_history, record] };
  const stall = detectStall({ strategy, failures: failures.failure_history }, config.stall);
  const mayRebuild = input.mayRebuild ?? true;
  const scope = mayRebuild ? scopeOf(stall.stalled, directive) : 'LOCAL';
  const givenUp = directive?.action === 'ABORT' || (!mayRebuild && scopeOf(stall.stalled, directive) === 'GLOBAL');

  const affinity = match?.strategy_affinity !== undefined && match.confidence >= config.affinityFrom ? match.strategy_affinity : undefined;
  const step = nextStrategy(strategy, input.experience, match?.failure_class ?? '', config);
  const chosen =
    directive?.action === 'REDIRECT_STRATEGY' && directive.strategy
      ? { strategy: directive.strategy, why: 'supervisor directive' }
      : directive?.action === 'REFRAME_PLAN'
        ? { strategy: strategy.current_strategy, why: 'the plan is reframed, the strategy stays' }
        : affinity
          ? { strategy: affinity, why: `matched ${match?.matched_pattern ?? ''}` }
          : step;
  const reason = scope === 'LOCAL' && !givenUp ? whyRequeue(input, affinity !== undefined, config) : null;
  const requeued = reason !== null;

  let taskGraph: TaskGraph;
  if (scope === 'GLOBAL') taskGraph = rebuildTaskGraph(input, strategy.switch_count + 1, config);
  else {
    taskGraph = settle(input, requeued, config);
    if (requeued) taskGraph = releaseDependents(taskGraph, task.id);
    else taskGraph = config.blockDependents ? blockDependents(taskGraph, task.id) : requeueDependents(taskGraph, task.id);
  }
  const next: StrategyState = {
    ...strategy,
    current_strategy: chosen.strategy,
    switch_count: strategy.switch_count + 1,
    switch_triggers: [
      ...strategy.switch_triggers,
      directive ? `supervisor:${directive.action} ${directive.rationale}`.trim().slice(0, 200) : `task_failed: ${task.id}`,
    ],
    tried: strategy.tried.includes(strategy.current_strategy) ? strategy.tried : [...strategy.tried, strategy.current_strategy],
    stall_reason: stall.reason,
  };
  return {
    strategy: next,
    failures,
    taskGraph,
    scope,
    stallReason: stall.reason,
    requeued,
    port: requeued ? 'retry' : givenUp || (chosen.strategy === 'ESCALATE' && scope === 'LOCAL') ? 'escalate' : 'replan',
    decisions: [
      stall.decision,
      decided({
        rule: `strategy: ${chosen.why}`,
        outcome: `${strategy.current_strategy} → ${chosen.strategy}`,
        because: [
          fact('failure class', record.failure_class),
          ...(match ? [compared('match confidence', match.confidence, '>=', config.affinityFrom)] : []),
          fact('order', config.order),
        ],
        alternatives: chosen === step ? [] : [{ outcome: step.strategy, needs: 'no directive and no confident match' }],
      }),
      decided({
        rule: requeued ? `try again: ${reason}` : scope === 'GLOBAL' ? 'rebuild the plan' : 'repair in place',
        outcome: requeued
          ? `${task.id} waits again`
          : scope === 'GLOBAL'
            ? `${taskGraph.tasks.length} new tasks`
            : `${task.id} stays ${taskById(taskGraph, task.id)?.status ?? 'gone'}`,
        because: [
          fact('kind of failure', input.kind),
          fact('already tried again', task.retried === true),
          ...(mayRebuild ? [] : [fact('the plan may be rebuilt', false)]),
        ],
      }),
    ],
  };
}

/** The failed task waits again, ends FAILED, or, as in the reference after a failed verification, stays as it is (D4). */
function settle({ task, kind, taskGraph }: RecoverInput, requeued: boolean, config: RecoveryConfig): TaskGraph {
  const current = taskById(taskGraph, task.id);
  if (!current || current.status === 'COMPLETE') return taskGraph;
  if (requeued) return replaceTask(taskGraph, { ...current, status: 'PENDING', retried: true });
  if (kind === 'verification' && !config.failUnverified) return taskGraph;
  return replaceTask(taskGraph, { ...current, status: 'FAILED' });
}
