import type { z } from 'zod';
import type { Json, JsonSchema } from './json';

/**
 * What calling a tool does to the world, and so what may happen after a crash (design §6):
 * `read` and `idempotent` calls are repeated silently, a `write` whose outcome is unknown is put to a person.
 */
export type ToolEffect = 'read' | 'idempotent' | 'write';

/** The highest reliability that evidence from a tool can have (layers.md R2). */
export type Reliability = 'HIGH' | 'MEDIUM' | 'LOW';

export interface ToolSpec {
  name: string;
  title: string;
  description: string;
  effect: ToolEffect;
  ceiling: Reliability;
  /** True when results come from outside and may carry instructions of somebody else. */
  untrusted: boolean;
  inputSchema: JsonSchema;
  outputSchema: JsonSchema;
}

/** A path that a call names, as it is on disk before the call. `null` = cannot be told. */
export interface ToolTarget {
  /** As the call wrote it. */
  path: string;
  exists: boolean | null;
  /** Whether it leads outside of the folder, links resolved. */
  outside: boolean | null;
}

/** Files that a call must leave as they are. */
export interface FileKeep {
  /** Regular expression on paths relative to the folder, `/` between parts. */
  pattern: string;
  /** Paths that may change all the same. */
  except: readonly string[];
}

/** Digests by path of the files that match a `keep`, before the call and after it, and what was put back since. */
export interface KeptFiles {
  before: Readonly<Record<string, string>>;
  after: Readonly<Record<string, string>>;
  restored: readonly string[];
}

/** What a node says of the work its call belongs to. It only ever narrows what a policy lets pass; `undefined` says nothing. */
export interface CallScope {
  /** Existing files that may be changed; new files may be created. */
  allowedFiles?: readonly string[];
  /** Test files must not be changed. */
  testsLocked?: boolean;
  /** Regression tests must not be changed, those created in this session neither. */
  strictRegressions?: boolean;
  /** The contract of a plan step: what may change, what must not, by which tools. */
  contract?: { mayChange: readonly string[] | null; mustNotChange: readonly string[]; allowedTools: readonly string[] | null };
}

export interface ToolContext {
  runId: string;
  /** The folder the run works in, or `null` when it has none. Resolved, absolute. */
  workspace: string | null;
  now: () => number;
  signal: AbortSignal;
  /** Who calls: lets a cassette find the recorded answer. `visit` and `call` count from 1, as in `ModelCaller`. */
  caller?: { nodeId: string; visit: number; call: number };
  /** Told when the answer comes from a recorded run instead of the tool. */
  onReplayed?: () => void;
  /** Files that are put back when the call changes them; `onKept` is told how that went, once for each, by its place in this list. */
  keep?: readonly FileKeep[];
  onKept?: (index: number, files: KeptFiles) => void;
  /** Longest time a program of the call may run, in milliseconds; the call's own limit may be shorter. */
  timeoutMs?: number;
}

/** A tool as the host implements it. `run` gets parsed input and returns what `output` accepts. */
export interface ToolDefinition<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  name: string;
  title: string;
  description: string;
  effect: ToolEffect;
  ceiling: Reliability;
  untrusted?: boolean;
  input: Input;
  output: Output;
  run: (input: z.output<Input>, context: ToolContext) => Promise<z.input<Output>>;
}

/** The tools a run can reach. `call` validates input and output; errors are `BridleError`s (`TOOL_UNKNOWN`, `TOOL_INPUT`, `TOOL_FAILED`, …). */
export interface ToolHost {
  list(): ToolSpec[];
  /** What the paths of a call are before it is made, and the folder they are relative to. Never throws; `null` = cannot be told. */
  targets?(name: string, input: Json, context: ToolContext): Promise<{ root: string; paths: ToolTarget[] } | null>;
  call(name: string, input: Json, context: ToolContext): Promise<Json>;
}
