import { setImmediate as nextTurn } from 'node:timers/promises';
import { operationalError } from '@/harness/contract/errors';
import type { InboxMessage } from '@/harness/contract/execute';
import type { ModelCaller, ModelReply } from '@/harness/contract/model';
import type { ToolHost } from '@/harness/contract/tool';
import type { EventLog } from '@/harness/engine/event-log';
import type { RunHost } from '@/harness/engine/host';
import type { VirtualClock } from '@/harness/testing/virtual-clock';
import type { TraceEvent } from '@/harness/trace/events';
import { runtime } from '@/nodes/executors';
import { sha256 } from '../host/hash';
import type { RunModels } from '../models/gateway';
import type { OutboundClient } from '../outbound/client';
import type { Sandbox } from '../sandbox/sandbox';
import { createRedactor } from '../secrets/redactor';
import type { Fault } from './scenario';

export interface WorldParts {
  log: EventLog;
  clock: VirtualClock;
  models: RunModels;
  tools: ToolHost;
  outbound: OutboundClient;
  sandbox: Sandbox;
  secrets: Record<string, string>;
  faults: readonly Fault[];
}

/**
 * The outside of a scenario's run. It outlives the processes that a scenario kills: a scripted answer that a dead process had asked for is given
 * to the one that asks again, and nothing of the script is lost. It also knows whether anything is under way, so the clock can jump when not.
 */
export class ScriptedWorld {
  readonly events: TraceEvent[] = [];
  /** Calls of models, tools, code and network that have not come back. */
  underWay = 0;
  private readonly asked = new Map<string, Promise<ModelReply>>();
  /** Numbers of visits by visit id. */
  private readonly numbers = new Map<string, number>();
  private readonly toolUses = new Map<string, number>();
  private readonly inbox: InboxMessage[] = [];
  private dying = false;
  broken: unknown = null;

  constructor(readonly parts: WorldParts) {}

  /** A person writes while the run is under way. */
  say(text: string): void {
    this.inbox.push({ id: `message-${this.inbox.length + 1}`, text, at: this.parts.clock.now() });
  }

  /** Ends the process in which `stop` runs: its model calls go on out there, unheard. */
  kill(stop: () => void): void {
    this.dying = true;
    stop();
    this.dying = false;
  }

  host(onEvents: (events: readonly TraceEvent[]) => void): RunHost {
    const { parts } = this;
    const redactor = createRedactor(Object.entries(parts.secrets).map(([name, value]) => ({ name, value })));
    return {
      runtime,
      log: parts.log,
      clock: parts.clock,
      models: { generate: (request, options) => this.during(this.generate(request, options)) },
      tools: {
        list: () => parts.tools.list(),
        targets: (name, input, context) => this.during(parts.tools.targets?.(name, input, context) ?? Promise.resolve(null)),
        call: (name, input, context) => this.during(this.use(name, () => parts.tools.call(name, input, context))),
      },
      fetch: (request, signal) => this.during(parts.outbound.fetch(request, signal)),
      sandbox: (source, globals, limits, signal) =>
        this.during(parts.sandbox.run(source, globals, limits, signal).then((result) => result.value)),
      describeModel: (role) => {
        const { provider, model } = parts.models.describe(role);
        return { provider, model };
      },
      secrets: parts.secrets,
      redact: (value) => redactor.json(value),
      published: (events) => {
        this.events.push(...events);
        for (const event of events) this.forgetAnswered(event);
        onEvents(events);
      },
      delta: () => {},
      broken: (_run, error) => {
        this.broken = error;
      },
      inbox: async () => [...this.inbox],
      breathe: () => nextTurn(),
      hash: sha256,
    };
  }

  private async during<T>(work: Promise<T>): Promise<T> {
    this.underWay += 1;
    try {
      return await work;
    } finally {
      this.underWay -= 1;
    }
  }

  private generate(...[request, options]: Parameters<RunModels['generate']>): Promise<ModelReply> {
    const key = keyOf(options.caller);
    const known = this.asked.get(key);
    if (known) return known;
    const controller = new AbortController();
    options.signal.addEventListener('abort', () => {
      if (!this.dying) controller.abort(options.signal.reason);
    });
    const answer = this.parts.models.generate(request, { ...options, signal: controller.signal });
    this.asked.set(key, answer);
    // A failed call may be asked again by the engine's own retry, and then gets the script's next answer.
    answer.catch(() => this.asked.delete(key));
    return answer;
  }

  /** An answer that is in the log has arrived: the next attempt of its visit asks anew. */
  private forgetAnswered(event: TraceEvent): void {
    if (event.kind === 'visit-start' && event.visit !== undefined) this.numbers.set(event.visit, event.number);
    if (event.kind !== 'model-end' || event.visit === undefined) return;
    const place = placeOf(event.nodeId ?? '', this.numbers.get(event.visit) ?? 0, Number(event.key.split(':')[1]));
    for (const key of this.asked.keys()) if (key.startsWith(place)) this.asked.delete(key);
  }

  private use<T>(tool: string, work: () => Promise<T>): Promise<T> {
    const use = (this.toolUses.get(tool) ?? 0) + 1;
    this.toolUses.set(tool, use);
    for (const fault of this.parts.faults) {
      if ('tool' in fault && fault.tool === tool && (fault.call === undefined || fault.call === use)) {
        return Promise.reject(operationalError(fault.error.code, fault.error.message));
      }
    }
    return work();
  }
}

const placeOf = (nodeId: string, visit: number, call: number): string => `${JSON.stringify([nodeId, visit, call])} `;
const keyOf = ({ flowId, nodeId, visit, call }: ModelCaller): string => `${placeOf(nodeId, visit, call)}${flowId}`;
