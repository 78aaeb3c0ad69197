import type { AskInput } from './ask';
import type { DecisionInput } from './decision';
import type { ErrorRecord } from './errors';
import type { ToolOutcome } from './execute';
import type { Json } from './json';
import type { AnyManifest, ConfigOf } from './node';
import type { CallScope, FileKeep, KeptFiles, ToolSpec, ToolTarget } from './tool';

/** What the guarded node or container has used so far, policies attached to it counting from its own first visit. */
export interface Usage {
  steps: number;
  tokens: number;
  /** US dollars; calls of unknown price are counted in `unpricedCalls`. */
  cost: number;
  unpricedCalls: number;
  modelCalls: number;
  toolCalls: number;
  /** Milliseconds since the first visit began. */
  elapsedMs: number;
}

export interface PolicyContext<Config> {
  readonly config: Config;
  /** The policy node. */
  readonly policy: { readonly id: string; readonly label: string };
  /** The node it guards at this moment. */
  readonly node: { readonly id: string; readonly label: string; readonly type: string };
  /** Folder the run's tools work in by its chosen name; `null` when it has none. */
  readonly run: { readonly id: string; readonly workspace: string | null };
  /** Tool calls of this visit that have ended, oldest first. */
  readonly calls: readonly EndedCall[];
  readonly usage: Usage;
  readonly attempt: number;
  readonly state: Readonly<Record<string, Json>>;
  evaluate(expression: string, extra?: { [key: string]: Json }): Json;
}

export interface EndedCall {
  tool: string;
  input: Json;
  outcome: ToolOutcome;
}

/** A call as a policy sees it before it is made. */
export interface GuardedToolCall {
  tool: ToolSpec;
  input: Json;
  scope?: CallScope;
  /** The paths that the call names as they are on disk, with the folder they are relative to; absent when the host cannot say. */
  targets?: { root: string; paths: readonly ToolTarget[] };
}

/** What holds while a call that was let pass is made. */
export interface CallLimits {
  /** Files that are put back when the call has changed or deleted them. */
  keep?: FileKeep;
  /** Programs that the call starts are stopped after this time, in milliseconds. */
  timeoutMs?: number;
}

export type GuardVerdict =
  | { verdict: 'allow'; decision?: DecisionInput; limits?: CallLimits }
  | { verdict: 'deny'; message: string; decision: DecisionInput }
  /** `refusal` is what the caller is told when a person says no; what they add is put behind it. */
  | { verdict: 'ask'; ask: AskInput; decision: DecisionInput; limits?: CallLimits; refusal?: string }
  | { verdict: 'limit'; cap: string; message: string; decision: DecisionInput };

export type RetryVerdict =
  | { verdict: 'give-up'; decision?: DecisionInput }
  | { verdict: 'retry'; delayMs: number; decision: DecisionInput };

/** The places where a policy may speak. All are synchronous and pure; asking a person is a verdict, not an act. */
export interface PolicyHooks<Config> {
  /** Before the node's executor starts (each attempt). */
  beforeVisit?(context: PolicyContext<Config>): GuardVerdict;
  beforeModel?(context: PolicyContext<Config>): GuardVerdict;
  /** Hides tools from the node. */
  filterTools?(context: PolicyContext<Config>, tools: ToolSpec[]): ToolSpec[];
  beforeTool?(context: PolicyContext<Config>, call: GuardedToolCall): GuardVerdict;
  /** After a call with `keep`: `deny` tells the caller instead of what the tool put out. */
  afterTool?(
    context: PolicyContext<Config>,
    call: { tool: ToolSpec; input: Json; kept: KeptFiles },
  ): Extract<GuardVerdict, { verdict: 'allow' | 'deny' }>;
  /** When the node failed. The first policy that retries wins. */
  onError?(context: PolicyContext<Config>, error: ErrorRecord): RetryVerdict;
  /** Longest time one attempt may take, in milliseconds. */
  timeoutMs?(config: Config): number | null;
}

export const implementPolicy = <M extends AnyManifest>(
  manifest: M,
  hooks: PolicyHooks<ConfigOf<M>>,
): { manifest: M; hooks: PolicyHooks<ConfigOf<M>> } => ({ manifest, hooks });

export interface PolicyImplementation {
  manifest: AnyManifest;
  hooks: PolicyHooks<never>;
}
