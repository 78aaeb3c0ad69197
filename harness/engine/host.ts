import type { Runtime } from '../contract/catalogue';
import type { InboxMessage, OutboundRequest, OutboundResponse, SandboxLimits } from '../contract/execute';
import type { Json, JsonObject } from '../contract/json';
import type { ModelGateway } from '../contract/model';
import type { ToolHost } from '../contract/tool';
import type { ModelDelta, TraceEvent } from '../trace/events';
import type { EventLog } from './event-log';

/** Time as the engine knows it; tests move it by hand. */
export interface Clock {
  now(): number;
  /** Calls back once at or after `at`; returns a function that cancels. */
  wakeAt(at: number, callback: () => void): () => void;
}

/** Everything of the outside world that a run can reach. Built by `server/`, or by tests from plain parts. */
export interface RunHost {
  runtime: Runtime;
  log: EventLog;
  clock: Clock;
  models: ModelGateway;
  tools: ToolHost;
  fetch(request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse>;
  sandbox(source: string, globals: JsonObject, limits: SandboxLimits, signal: AbortSignal): Promise<Json>;
  /** Names the model that a role would use, for the trace. */
  describeModel(role: string): { provider: string; model: string };
  /** Values of the secrets the flow names; also what `redact` removes. */
  secrets: Readonly<Record<string, string>>;
  /** Removes secret values from anything that is about to be written or shown. */
  redact(value: Json): Json;
  /** Messages of people for this run, all of them, oldest first; the engine knows which it has given out. Without it there are none. */
  inbox?(runId: string): Promise<InboxMessage[]>;
  /** After the append: what subscribers are told. */
  published(events: readonly TraceEvent[]): void;
  delta(delta: ModelDelta): void;
  /** Lets other work of the process run before resolving; the driver asks for it between many steps. */
  breathe(): Promise<void>;
  /** The log refused an append (disk full, closed): the run has been let go and can be restored from what was written. */
  broken(runId: string, error: unknown): void;
  /** Hex digest of a canonical JSON text. */
  hash(text: string): string;
}
