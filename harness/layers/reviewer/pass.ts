import type { Decision } from '../../contract/decision';
import { syncConfidences } from '../belief-graph/derivations';
import { propagateBeliefs } from '../belief-graph/propagate';
import { type BeliefDepGraph, type DepGraphBudget, defaultDepGraphBudget } from '../belief-graph/state';
import type { Task, TaskGraph } from '../planning/state';
import { compared, decided, fact } from '../shared/explain';
import type { WorldModel } from '../world-model/state';
import { adversarialFindings, defaultReviewerConfig, implementerFindings, type ReviewerConfig, reviewerFindings } from './lenses';
import type { Finding, ReviewerVerdict } from './state';

export interface ReviewerInput {
  worldModel: WorldModel;
  beliefGraph: BeliefDepGraph;
  budget?: DepGraphBudget;
  taskGraph: TaskGraph;
  successCriteria: readonly string[];
  classPriors: Readonly<Record<string, number>>;
  /** Criteria that a model check found covered. */
  coveredCriteria?: ReadonlySet<string>;
  /** Tasks whose adversarial check failed (D10). */
  adversarialFailures?: readonly string[];
  runAdversarial: boolean;
}

export interface ReviewerResult {
  findings: Finding[];
  reopenedTaskIds: string[];
  verdict: ReviewerVerdict | null;
  worldModel: WorldModel;
  beliefGraph: BeliefDepGraph;
  decisions: Decision[];
}

/** The adversarial lens runs above LOW risk or from three tasks on (layers.md R11). */
export const adversarialLensRuns = (
  tasks: readonly Pick<Task, 'risk_level'>[],
  risk: string,
  config: ReviewerConfig = defaultReviewerConfig,
): boolean => risk !== 'LOW' || tasks.length >= config.adversarialTasks;

const severityOf = (finding: Finding): 'HIGH' | 'MEDIUM' =>
  (finding.lens === 'reviewer' && finding.text.startsWith('Unresolved ')) ||
  (finding.lens === 'adversarial' && finding.text.startsWith('Adversarial '))
    ? 'HIGH'
    : 'MEDIUM';

/** The gravest finding, the first of equals; read once by the next resolve (INV-18). */
export function pendingVerdict(findings: readonly Finding[]): ReviewerVerdict | null {
  const top = findings.find((finding) => severityOf(finding) === 'HIGH') ?? findings[0];
  return top ? { severity: severityOf(top), lens: top.lens, summary: top.text } : null;
}

/** Finished tasks that a finding sends back: those it names by id (D5), or in the reference those whose id occurs in its text. */
export function tasksToReopen(findings: readonly Finding[], graph: TaskGraph, config: ReviewerConfig): string[] {
  const complete = graph.tasks.filter(({ status }) => status === 'COMPLETE').map(({ id }) => id);
  const from =
    config.reopenBy === 'text' ? findings.filter(({ lens }) => lens === 'reviewer') : findings.filter(({ lens }) => lens !== 'implementer');
  return [
    ...new Set(
      from.flatMap(({ text, taskIds }) => complete.filter((id) => (config.reopenBy === 'text' ? text.includes(id) : taskIds.includes(id)))),
    ),
  ];
}

/** Three lenses over the finished work, then one propagation of beliefs along their derivations (layers.md R11). */
export function reviewerPass(input: ReviewerInput, config: ReviewerConfig = defaultReviewerConfig): ReviewerResult {
  const { worldModel, beliefGraph, taskGraph, successCriteria, runAdversarial } = input;
  const findings = [
    ...implementerFindings(worldModel, successCriteria, input.coveredCriteria ?? new Set(), config),
    ...reviewerFindings(worldModel, config),
    ...(runAdversarial
      ? adversarialFindings(
          {
            model: worldModel,
            graph: beliefGraph,
            criteria: successCriteria,
            classPriors: input.classPriors,
            failedTasks: input.adversarialFailures ?? [],
          },
          config,
        )
      : []),
  ];
  const propagated = propagateBeliefs(syncConfidences(beliefGraph, worldModel), input.budget ?? defaultDepGraphBudget);
  const lowered = new Map(propagated.graph.belief_nodes.map(({ belief_id, confidence }) => [belief_id, confidence]));
  const reopenedTaskIds = tasksToReopen(findings, taskGraph, config);
  return {
    findings,
    reopenedTaskIds,
    verdict: pendingVerdict(findings),
    worldModel: {
      ...worldModel,
      beliefs: worldModel.beliefs.map((belief) => {
        const confidence = lowered.get(belief.id);
        return confidence === undefined || confidence >= belief.confidence ? belief : { ...belief, confidence };
      }),
    },
    beliefGraph: propagated.graph,
    decisions: [
      decided({
        rule: 'reviewer pass',
        outcome: reopenedTaskIds.length > 0 ? `reopen ${reopenedTaskIds.join(', ')}` : 'release',
        because: [
          compared('findings', findings.length, '==', 0),
          ...findings.slice(0, 20).map(({ lens, text }) => fact(lens, text)),
          fact('adversarial lens', runAdversarial ? 'ran' : 'did not run'),
        ],
        alternatives: reopenedTaskIds.length > 0 ? [] : [{ outcome: 'reopen', needs: 'a finding that names a finished task' }],
      }),
      propagated.decision,
    ],
  };
}
