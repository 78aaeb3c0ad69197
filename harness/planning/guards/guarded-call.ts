import type { Reason } from '../../contract/decision';
import { isJsonObject, type Json } from '../../contract/json';
import type { ToolSpec } from '../../contract/tool';
import type { StepContract } from '../artefacts/plan-step';
import { commandText } from './command-line';
import type { GuardConfig, GuardId } from './guard-config';

/** A call before it is carried out. */
export interface GuardedCall {
  tool: Pick<ToolSpec, 'name' | 'effect' | 'inputSchema'>;
  input: Json;
}

/** What one step may do, where a contract says so. Paths ending with `/` or `/**` mean all beneath. */
export interface StepScope {
  /** Paths that may change; null = not limited. */
  may_change: readonly string[] | null;
  must_not_change: readonly string[];
  /** Tools that may be used; null = not limited. */
  allowed_tools: readonly string[] | null;
}

/** A contract that lists no change allows none; one that lists no tools does not limit them. */
export const scopeOfContract = (contract: Pick<StepContract, 'may_change' | 'must_not_change' | 'allowed_tools'>): StepScope => ({
  may_change: contract.may_change.map(({ path }) => path),
  must_not_change: contract.must_not_change,
  allowed_tools: contract.allowed_tools.length === 0 ? null : contract.allowed_tools,
});

/** What the world looks like at this call, as the host knows it. Paths of sets are relative to the root. */
export interface GuardFacts {
  /** Absolute folder of the workspace. */
  root: string;
  /** Whether the target of a create or edit exists; null = unknown. */
  target_exists: boolean | null;
  /** Whether a path of the call leads outside once links are followed; null = judged by its text. */
  resolves_outside: boolean | null;
  /** G1; null = not limited. */
  allowed_files: readonly string[] | null;
  /** G2. */
  tdd_lock: boolean;
  /** Regression tests created in this session and not finalised. */
  session_created: readonly string[];
  control: 'ALLOW' | 'DENY' | 'REQUIRE_APPROVAL' | null;
  contract: StepScope | null;
}

/** Facts of a call that nothing limits. */
export const openFacts = (root: string): GuardFacts => ({
  root,
  target_exists: null,
  resolves_outside: null,
  allowed_files: null,
  tdd_lock: false,
  session_created: [],
  control: null,
  contract: null,
});

/** What a guard says when it does not let a call pass. `text` is for the model and begins with `ERROR:`. */
export interface GuardHit {
  guard: GuardId;
  verdict: 'deny' | 'ask';
  text: string;
  because: Reason[];
}

export type Guard = (call: GuardedCall, facts: GuardFacts, config: GuardConfig) => GuardHit | null;

const strings = (value: Json | undefined): string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** The paths a call names in its fields, as they were written. */
export function pathsOfCall({ input }: GuardedCall, config: GuardConfig): string[] {
  if (!isJsonObject(input)) return [];
  return config.pathFields.flatMap((field) => (Object.hasOwn(input, field) ? strings(input[field]) : [])).filter((path) => path !== '');
}

/** The command of a call as one line; null when it has none. A list of words is quoted so that it reads back the same. */
export function commandOfCall({ input }: GuardedCall, config: GuardConfig): string | null {
  if (!isJsonObject(input)) return null;
  for (const field of config.commandFields) {
    const value = Object.hasOwn(input, field) ? input[field] : undefined;
    if (typeof value === 'string' && value !== '') return value;
    if (Array.isArray(value)) return commandText(strings(value));
  }
  return null;
}

/** A path of the workspace in one spelling: relative to the root, `/` between parts, no `.` or `..`. Paths outside keep their text. */
export function workspacePath(path: string, root: string): string {
  const slashed = path.replaceAll('\\', '/');
  const base = root.replaceAll('\\', '/').replace(/\/+$/, '');
  const way: string[] = [];
  for (const part of slashed.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') way.push(part);
    else if (way.pop() === undefined) return slashed;
  }
  const absolute = /^(?:\/|[A-Za-z]:\/)/.test(slashed);
  if (!absolute) return way.join('/');
  const baseWay = base.split('/').filter((part) => part !== '' && part !== '.');
  return baseWay.every((part, at) => way[at] === part) ? way.slice(baseWay.length).join('/') : slashed;
}

/** Whether a path is one of the listed ones, or beneath one that ends with `/` or `/**`. */
export function isListed(path: string, list: readonly string[], root: string): boolean {
  const wanted = workspacePath(path, root);
  return list.some((entry) => {
    const folder = /\/(?:\*\*)?$/.exec(entry);
    if (folder === null) return workspacePath(entry, root) === wanted;
    const above = workspacePath(entry.slice(0, folder.index), root);
    return above === '' || wanted.startsWith(`${above}/`);
  });
}
