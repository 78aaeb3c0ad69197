import { compile } from '../compiler/compile';
import type { Plan } from '../compiler/plan';
import type { Runtime } from '../contract/catalogue';
import { operationalError } from '../contract/errors';
import type { Json } from '../contract/json';
import type { ModelCallOptions, ModelReply, ModelRequest } from '../contract/model';
import type { ToolContext, ToolSpec } from '../contract/tool';
import { RunDriver } from '../engine/driver';
import type { EventLog } from '../engine/event-log';
import type { RunHost } from '../engine/host';
import type { RunStart } from '../engine/inputs';
import { MemoryEventLog } from '../engine/memory-event-log';
import type { FlowDocument } from '../flow/schema';
import type { ModelDelta, TraceEvent } from '../trace/events';
import { runOptionsSchema } from '../trace/events';
import { testRuntime } from './test-runtime';
import { VirtualClock } from './virtual-clock';

type Answer = (request: ModelRequest, options: ModelCallOptions) => Promise<ModelReply> | ModelReply;
type Use = (name: string, input: Json, context: ToolContext) => Promise<Json> | Json;

/** A world in memory: what is not given fails loudly when it is used. */
export class TestWorld {
  readonly clock = new VirtualClock();
  readonly log: EventLog;
  readonly events: TraceEvent[] = [];
  readonly deltas: ModelDelta[] = [];
  readonly modelCalls: ModelRequest[] = [];
  readonly toolCalls: { name: string; input: Json }[] = [];
  answer: Answer = () => {
    throw operationalError('TEST_UNSCRIPTED', 'the model was asked something unscripted');
  };
  use: Use = () => {
    throw operationalError('TEST_UNSCRIPTED', 'a tool was called that nobody scripted');
  };
  tools: ToolSpec[] = [];
  secrets: Record<string, string> = {};

  constructor(log: EventLog = new MemoryEventLog()) {
    this.log = log;
  }

  host(runtime: Runtime = testRuntime): RunHost {
    return {
      runtime,
      log: this.log,
      clock: this.clock,
      models: {
        generate: async (request, options) => {
          this.modelCalls.push(request);
          return this.answer(request, options);
        },
      },
      tools: {
        list: () => this.tools,
        call: async (name, input, context) => {
          this.toolCalls.push({ name, input });
          return this.use(name, input, context);
        },
      },
      fetch: () => Promise.reject(operationalError('TEST_UNSCRIPTED', 'the network was used')),
      sandbox: () => Promise.reject(operationalError('TEST_UNSCRIPTED', 'the sandbox was used')),
      describeModel: () => ({ provider: 'test', model: 'scripted' }),
      secrets: this.secrets,
      redact: (value) =>
        JSON.parse(Object.values(this.secrets).reduce((text, secret) => text.replaceAll(secret, '[secret]'), JSON.stringify(value))),
      published: (events) => this.events.push(...events),
      delta: (delta) => this.deltas.push(delta),
      breathe: () => Promise.resolve(),
      broken: (_run, error) => {
        throw error;
      },
      hash: testHash,
    };
  }

  /** Lets everything that can go on without time passing go on. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
  }

  async pass(milliseconds: number): Promise<void> {
    await this.settle();
    this.clock.advance(milliseconds);
    await this.settle();
  }
}

/** Not for secrecy: the same text gives the same short word. */
export function testHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}

/** Compiles a drawing that must be right; a test with a wrong drawing fails with the diagnostics. */
export function planOfDocument(document: FlowDocument, others: FlowDocument[] = []): Plan {
  const { plan, diagnostics } = compile(document, {
    catalogue: testRuntime.catalogue,
    hash: testHash,
    resolveFlow: (id) => others.find((other) => other.id === id),
  });
  if (!plan) throw new Error(diagnostics.map((entry) => `${entry.code}: ${entry.message}`).join('\n'));
  return plan;
}

export const startWith = (input: Json, extra: Partial<RunStart> = {}): RunStart => ({
  input,
  options: runOptionsSchema.parse({}),
  sessionId: null,
  workspace: null,
  channels: {},
  ...extra,
});

export const reply = (text: string, extra: Partial<ModelReply> = {}): ModelReply => ({
  text,
  toolCalls: [],
  finish: 'stop',
  usage: { inputTokens: 10, outputTokens: 5, cost: 0.01 },
  provider: 'test',
  model: 'scripted',
  ...extra,
});

export const toolSpec = (name: string, effect: ToolSpec['effect'] = 'read'): ToolSpec => ({
  name,
  title: name,
  description: name,
  effect,
  ceiling: 'HIGH',
  untrusted: false,
  inputSchema: {},
  outputSchema: {},
});

/** Runs a drawing to its end in a fresh world, or in the one given. */
export async function runToEnd(document: FlowDocument, input: Json = null, world = new TestWorld()) {
  const driver = new RunDriver(planOfDocument(document), world.host(), 'run');
  await driver.start(startWith(input));
  await world.settle();
  return { driver, world, end: await driver.done };
}

/** The trace in a short form a person can read and a test can hold: `a`, `a→yes`, `join(a,b)`, `decision:…`. */
export function shortTrace(events: readonly TraceEvent[]): string[] {
  return events.flatMap((event) => {
    switch (event.kind) {
      case 'visit-end':
        return [
          `${event.scope === undefined ? '' : `${event.scope}:`}${event.nodeId}${event.outcome === 'done' ? '' : `(${event.outcome})`}→${event.ports.join('+')}`,
        ];
      case 'run-end':
        return [event.outcome];
      case 'token-end':
        return event.reason === 'output' ? [] : [`${event.token}:${event.reason}`];
      case 'limit-reached':
        return [`limit ${event.cap}`];
      default:
        return [];
    }
  });
}
