import { fact } from '../../layers/shared/explain';
import type { GuardConfig } from './guard-config';
import { type Guard, type GuardedCall, type GuardFacts, isListed, pathsOfCall, workspacePath } from './guarded-call';
import { isRegressionPath, isTestFilePath } from './path-rules';

const isCreate = ({ tool }: GuardedCall, config: GuardConfig): boolean => config.createTools.includes(tool.name);
const isEdit = ({ tool }: GuardedCall, config: GuardConfig): boolean => config.editTools.includes(tool.name);
const writes = (call: GuardedCall, config: GuardConfig): boolean => isCreate(call, config) || isEdit(call, config);

const exists = ({ target_exists }: GuardFacts, config: GuardConfig): boolean => target_exists ?? config.unknownTarget === 'exists';

const shortList = (items: readonly string[]): string => {
  const shown = items.slice(0, 20).join(', ');
  return items.length > 20 ? `${shown} and ${items.length - 20} more` : shown;
};

/** Contract of a step: its tools, what it must leave alone, what it may change. New files are no exception here. */
export const contractScope: Guard = (call, { contract, root }, config) => {
  if (contract === null || !config.scopeFromContract) return null;
  const { allowed_tools, must_not_change, may_change } = contract;
  if (allowed_tools !== null && ![...allowed_tools, ...config.alwaysTools].includes(call.tool.name)) {
    return {
      guard: 'contract',
      verdict: 'deny',
      text: `ERROR: the contract of this step does not allow ${call.tool.name}. Allowed: ${shortList(allowed_tools)}.`,
      because: [{ name: 'tool', value: call.tool.name, operator: 'in', threshold: [...allowed_tools], holds: false }],
    };
  }
  if (!writes(call, config)) return null;
  for (const path of pathsOfCall(call, config)) {
    const forbidden = isListed(path, must_not_change, root);
    if (!forbidden && (may_change === null || isListed(path, may_change, root))) continue;
    return {
      guard: 'contract',
      verdict: 'deny',
      text: forbidden
        ? `ERROR: the contract of this step says that "${path}" must not change.`
        : `ERROR: "${path}" is not among what this step may change: ${shortList(may_change ?? [])}.`,
      because: [
        fact('path', path),
        fact('must not change', [...must_not_change]),
        fact('may change', may_change === null ? null : [...may_change]),
      ],
    };
  }
  return null;
};

export const allowedFiles: Guard = (call, facts, config) => {
  const { allowed_files, root } = facts;
  if (allowed_files === null || !writes(call, config)) return null;
  // A file that is not there yet cannot be harmed.
  if (!isEdit(call, config) && !exists(facts, config)) return null;
  const path = pathsOfCall(call, config).find((each) => !isListed(each, allowed_files, root));
  if (path === undefined) return null;
  return {
    guard: 'G1',
    verdict: 'deny',
    text: `ERROR: "${path}" is not in the allowed modification list. You may change: ${allowed_files.length === 0 ? 'no existing file' : shortList(allowed_files)}. New files may be created.`,
    because: [
      { name: 'path', value: workspacePath(path, root), operator: 'in', threshold: [...allowed_files], holds: false },
      fact('target exists', facts.target_exists),
    ],
  };
};

export const tddLock: Guard = (call, { tdd_lock, root }, config) => {
  if (!tdd_lock || !writes(call, config)) return null;
  const path = pathsOfCall(call, config).find((each) => isTestFilePath(workspacePath(each, root)));
  if (path === undefined) return null;
  return {
    guard: 'G2',
    verdict: 'deny',
    text: `ERROR: test files are locked in implementation, and "${path}" is one. Change the implementation until the test passes.`,
    because: [fact('path', path), fact('TDD lock', true)],
  };
};

export const regressionGuardError = (path: string): string =>
  `ERROR: "${path}" is a regression test from before this session and must not be changed. It guards behaviour that was agreed on. Change the code it tests instead; if the test itself is wrong, say so in your summary.`;

/** Whether a path is a regression test that this session may not touch. */
export const isGuardedRegression = (path: string, facts: Pick<GuardFacts, 'root' | 'session_created'>, config: GuardConfig): boolean =>
  isRegressionPath(workspacePath(path, facts.root), config.regressionPattern) &&
  (config.ignoreSession || !isListed(path, facts.session_created, facts.root));

export const regressionGuard: Guard = (call, facts, config) => {
  const overwrites = isCreate(call, config) && config.guardCreateOverwrite && exists(facts, config);
  if (!isEdit(call, config) && !overwrites) return null;
  const path = pathsOfCall(call, config).find((each) => isGuardedRegression(each, facts, config));
  if (path === undefined) return null;
  return {
    guard: 'G3',
    verdict: 'deny',
    text: regressionGuardError(path),
    because: [
      { name: 'path', value: workspacePath(path, facts.root), operator: 'matches', threshold: config.regressionPattern, holds: true },
      fact('created in this session', isListed(path, facts.session_created, facts.root)),
      fact('target exists', facts.target_exists),
    ],
  };
};

/** Regression tests that an allowed call brings into the world, to be added to the session's set. */
export function createdRegressions(call: GuardedCall, facts: Pick<GuardFacts, 'root'>, config: GuardConfig): string[] {
  if (!isCreate(call, config)) return [];
  return pathsOfCall(call, config)
    .map((path) => workspacePath(path, facts.root))
    .filter((path) => isRegressionPath(path, config.regressionPattern));
}
