import type { Reason } from '@/harness/contract/decision';
import type { Json } from '@/harness/contract/json';
import type { GuardedToolCall, GuardVerdict, PolicyContext, PolicyHooks } from '@/harness/contract/policy';
import type { KeptFiles, ToolSpec } from '@/harness/contract/tool';
import { fact } from '@/harness/layers/shared/explain';
import { planPath, uniquePaths } from '@/harness/planning/artefacts/paths';
import { runGuards } from '@/harness/planning/guards/guard-chain';
import type { GuardConfig } from '@/harness/planning/guards/guard-config';
import { commandOfCall, type GuardFacts, pathsOfCall, workspacePath } from '@/harness/planning/guards/guarded-call';
import { isRegressionPath } from '@/harness/planning/guards/path-rules';
import { diffRegressions } from '@/harness/planning/guards/regression-files';
import { isTddLocked } from '@/harness/planning/tdd/machine';
import { isPlanComplete } from './plan-complete';
import { planningState } from './state';

/** How a guard is set up: the rules of the pure chain, and where this policy takes their facts from. */
export interface Guarding {
  rules: GuardConfig;
  allowedFiles: 'node' | 'plan' | 'list' | 'off';
  files: readonly string[];
  tddLock: 'state' | 'on' | 'off';
  /** Regression tests are put back after commands (P6). */
  checkAfterwards: boolean;
}

/** The hooks of a guard policy over the pure chain of planning.md §13. What is denied is an `ERROR:` answer to the model, never a failure. */
export function guardHooks<C>(guardingOf: (config: C) => Guarding): PolicyHooks<C> {
  return {
    beforeTool: (context, call) => judge(context, call, guardingOf(context.config)),
    afterTool: (context, call) => lookAfterwards(context, call.kept, guardingOf(context.config)),
  };
}

function judge<C>(context: PolicyContext<C>, call: GuardedToolCall, guarding: Guarding): GuardVerdict {
  const rules = call.scope?.strictRegressions === true ? { ...guarding.rules, ignoreSession: true } : guarding.rules;
  const facts = factsOf(context, call, { ...guarding, rules });
  const verdict = runGuards(call, facts, rules);
  if (verdict.verdict === 'deny') return { verdict: 'deny', message: verdict.text, decision: verdict.decision };
  const limits = limitsOf(call.tool, facts, { ...guarding, rules });
  const created: Reason[] =
    verdict.created_regressions.length === 0 ? [] : [fact('joins the regression tests of this session', verdict.created_regressions)];
  const decision = { ...verdict.decision, because: [...verdict.decision.because, ...created] };
  if (verdict.verdict === 'allow') return { verdict: 'allow', decision, limits };
  const command = commandOfCall(call, rules);
  return {
    verdict: 'ask',
    ask: {
      kind: 'tool-approval',
      title: `Allow ${call.tool.title}?`,
      body: `“${context.node.label}” wants to call \`${call.tool.name}\`. ${verdict.reason}`,
      shown: {
        tool: call.tool.name,
        arguments: call.input,
        ...(command === null ? {} : { command }),
        reason: verdict.reason,
        guards: verdict.guards,
      },
      choices: [
        { id: 'approved', label: 'Allow', tone: 'accept' },
        { id: 'rejected', label: 'Refuse', tone: 'reject' },
      ],
    },
    refusal: `ERROR: not approved by user. ${verdict.reason}`,
    decision,
    limits,
  };
}

function lookAfterwards<C>(
  context: PolicyContext<C>,
  kept: KeptFiles,
  guarding: Guarding,
): Extract<GuardVerdict, { verdict: 'allow' | 'deny' }> {
  const session = { session_created_regression_files: guarding.rules.ignoreSession ? [] : createdRegressionsOf(context, guarding.rules) };
  const diff = diffRegressions(kept.before, kept.after, session, guarding.rules);
  const lost = diff.violations.map(({ path }) => path).filter((path) => !kept.restored.includes(path));
  const because = [...diff.decision.because, fact('put back', [...kept.restored])];
  const decision = { ...diff.decision, because };
  if (diff.text === null) return diff.created.length === 0 ? { verdict: 'allow' } : { verdict: 'allow', decision };
  const message = lost.length === 0 ? diff.text : `${diff.text} This failed for: ${lost.join(', ')}.`;
  return { verdict: 'deny', message, decision };
}

function factsOf<C>(context: PolicyContext<C>, call: GuardedToolCall, guarding: Guarding): GuardFacts {
  const { targets, scope } = call;
  const root = targets?.root ?? context.run.workspace ?? '/';
  const state = planningState(context);
  const contract = scope?.contract;
  return {
    root,
    target_exists: targetExists(call, guarding.rules),
    resolves_outside: targets === undefined ? null : targets.paths.some(({ outside }) => outside === true),
    allowed_files: allowedFiles(context, call, guarding),
    tdd_lock:
      guarding.tddLock === 'on' || (guarding.tddLock === 'state' && (isTddLocked(state.tddState.state) || scope?.testsLocked === true)),
    session_created: createdRegressionsOf(context, guarding.rules, root),
    control: controlOf(context.state.controlState),
    contract:
      contract === undefined
        ? null
        : { may_change: contract.mayChange, must_not_change: contract.mustNotChange, allowed_tools: contract.allowedTools },
  };
}

/** Whether what a call writes to is there; one that is there makes it so. */
function targetExists(call: GuardedToolCall, rules: GuardConfig): boolean | null {
  const named = new Set(pathsOfCall(call, rules));
  const found = (call.targets?.paths ?? []).filter(({ path }) => named.has(path)).map(({ exists }) => exists);
  if (found.includes(true)) return true;
  return found.length > 0 && found.every((exists) => exists === false) ? false : null;
}

function allowedFiles<C>(context: PolicyContext<C>, { scope }: GuardedToolCall, guarding: Guarding): readonly string[] | null {
  switch (guarding.allowedFiles) {
    case 'off':
      return null;
    case 'list':
      return guarding.files;
    case 'node':
      return scope?.allowedFiles ?? null;
    case 'plan': {
      if (scope?.allowedFiles !== undefined) return scope.allowedFiles;
      const plan = planningState(context).executionPlan;
      if (plan === null) return null;
      return uniquePaths([...plan.affected_files, ...[...plan.tdd_test_steps, ...plan.steps].map(({ file_path }) => file_path)]);
    }
  }
}

/**
 * Regression tests that were created in this run and may still be changed: those on record and those of this visit. None once the plan is
 * complete, which finalises them (planning.md §13).
 */
export function createdRegressionsOf<C>(
  context: Pick<PolicyContext<C>, 'state' | 'calls' | 'run'>,
  rules: GuardConfig,
  root: string = context.run.workspace ?? '/',
): string[] {
  const state = planningState(context);
  const now = context.calls
    .filter(({ tool, outcome }) => outcome.status === 'ok' && rules.createTools.includes(tool))
    .flatMap(({ input }) => pathsOfCall({ tool: { name: '', effect: 'write', inputSchema: {} }, input }, rules))
    .map((path) => workspacePath(path, root))
    .filter((path) => isRegressionPath(path, rules.regressionPattern));
  return [...new Set([...(isPlanComplete(state) ? [] : state.createdRegressionFiles.map(planPath)), ...now])];
}

/** Commands may do anything with files, so what they must not touch is put back after them, and their time is limited (G6). */
function limitsOf(tool: ToolSpec, facts: GuardFacts, { rules, checkAfterwards }: Guarding) {
  const isCommand = rules.commandTools.includes(tool.name);
  const plain = tool.effect === 'read' || rules.createTools.includes(tool.name) || rules.editTools.includes(tool.name);
  const keeps = checkAfterwards && rules.order.includes('G3') && !plain;
  return {
    ...(keeps ? { keep: { pattern: rules.regressionPattern, except: rules.ignoreSession ? [] : facts.session_created } } : {}),
    ...(isCommand && rules.timeoutSeconds > 0 ? { timeoutMs: rules.timeoutSeconds * 1000 } : {}),
  };
}

function controlOf(value: Json | undefined): GuardFacts['control'] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  if (value.permission === 'DENY') return 'DENY';
  return value.escalation === 'HUMAN_REQUIRED' ? 'REQUIRE_APPROVAL' : 'ALLOW';
}
