import type { AskInput } from './ask';
import type { DecisionInput } from './decision';
import type { ErrorRecord } from './errors';
import type { Json } from './json';
import type { AnyManifest, ConfigOf } from './node';
import type { ToolSpec } from './tool';

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
  readonly node: { readonly id: string; readonly label: string };
  readonly usage: Usage;
  readonly attempt: number;
  readonly state: Readonly<Record<string, Json>>;
  evaluate(expression: string, extra?: { [key: string]: Json }): Json;
}

export type GuardVerdict =
  | { verdict: 'allow'; decision?: DecisionInput }
  | { verdict: 'deny'; message: string; decision: DecisionInput }
  | { verdict: 'ask'; ask: AskInput; decision: DecisionInput }
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
  beforeTool?(context: PolicyContext<Config>, call: { tool: ToolSpec; input: Json }): GuardVerdict;
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
