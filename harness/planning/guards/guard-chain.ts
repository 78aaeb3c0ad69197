import type { Decision } from '../../contract/decision';
import { decided, fact } from '../../layers/shared/explain';
import { controlState, noRecursion, readOnly, requiredParameters } from './call-guards';
import { allowedFiles, contractScope, createdRegressions, regressionGuard, tddLock } from './file-guards';
import { defaultGuardConfig, type GuardConfig, type GuardId, guardTitles } from './guard-config';
import type { Guard, GuardedCall, GuardFacts, GuardHit } from './guarded-call';
import { commandSafety, externalPath } from './outside-guards';

const guards: Readonly<Record<GuardId, Guard>> = {
  G0: requiredParameters,
  read_only: readOnly,
  recursion: noRecursion,
  control_state: controlState,
  contract: contractScope,
  G1: allowedFiles,
  G2: tddLock,
  G3: regressionGuard,
  G4: externalPath,
  G5: commandSafety,
};

export type ChainVerdict =
  /** `created_regressions` join the session's set once the call has succeeded. */
  | { verdict: 'allow'; created_regressions: string[]; decision: Decision }
  /** `text` is the tool's result for the model. */
  | { verdict: 'deny'; guard: GuardId; text: string; decision: Decision }
  /** `reason` is for the person; on no, `refusedByPerson` is the tool's result. Yes covers every guard of `guards`. */
  | { verdict: 'ask'; guard: GuardId; guards: GuardId[]; reason: string; created_regressions: string[]; decision: Decision };

/** A guard that itself fails lets nothing through. */
function look(id: GuardId, call: GuardedCall, facts: GuardFacts, config: GuardConfig): GuardHit | null {
  try {
    return guards[id](call, facts, config);
  } catch (thrown) {
    const problem = thrown instanceof Error ? thrown.message : String(thrown);
    return {
      guard: id,
      verdict: 'deny',
      text: `ERROR: the guard "${guardTitles[id]}" could not judge this call (${problem}), so it is refused.`,
      because: [fact('problem', problem)],
    };
  }
}

const decisionOf = (hit: GuardHit, call: GuardedCall, outcome: string, note?: string): Decision =>
  decided({
    rule: `${hit.guard}: ${guardTitles[hit.guard]}`,
    outcome,
    because: [fact('tool', call.tool.name), ...hit.because],
    alternatives: [{ outcome: 'allow', needs: `no hit of ${guardTitles[hit.guard]}` }],
    note,
  });

/**
 * Holds a call against the guards in their order; the first hit wins and nothing is thrown (planning.md §13). A person is not asked about a
 * call that a later guard refuses anyway, and one question covers all that ask.
 */
export function runGuards(call: GuardedCall, facts: GuardFacts, config: GuardConfig = defaultGuardConfig): ChainVerdict {
  const order = [...new Set(config.order)];
  const hits: GuardHit[] = [];
  for (const id of order) {
    const hit = look(id, call, facts, config);
    if (hit === null) continue;
    if (hit.verdict === 'deny') {
      const passed = hits.length === 0 ? undefined : `Not asked about first: ${hits.map(({ guard }) => guard).join(', ')}.`;
      return { verdict: 'deny', guard: hit.guard, text: hit.text, decision: decisionOf(hit, call, 'deny', passed) };
    }
    hits.push(hit);
  }
  const created_regressions = createdRegressions(call, facts, config);
  const [first] = hits;
  if (first === undefined) {
    return {
      verdict: 'allow',
      created_regressions,
      decision: decided({ rule: 'guard chain', outcome: 'allow', because: [fact('tool', call.tool.name), fact('guards passed', order)] }),
    };
  }
  const reason = hits.map(({ text }) => text).join(' ');
  return {
    verdict: 'ask',
    guard: first.guard,
    guards: hits.map(({ guard }) => guard),
    reason,
    created_regressions,
    decision: decisionOf({ ...first, because: hits.flatMap(({ because }) => because) }, call, 'ask', reason),
  };
}

/** The tool's result when a person said no. */
export const refusedByPerson = (reason: string, comment?: string): string =>
  `ERROR: not approved by user. ${reason}${comment === undefined || comment.trim() === '' ? '' : ` They said: ${comment.trim()}`}`;
