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
  call(name: string, input: Json, context: ToolContext): Promise<Json>;
}
