import type { Plan, PlanNode } from '../compiler/plan';
import type { Json } from '../contract/json';
import type { ChannelSpec } from '../state/channel';
import type { TraceDraft, TraceEvent } from '../trace/events';
import { applyEvent } from './apply';
import type { EngineEffect } from './inputs';
import { nodeAt, scopeOf } from './plan-lookup';
import type { RunSnapshot, Visit } from './snapshot';
import { rootScope } from './snapshot';

/** What a run is made of besides its state. */
export interface Program {
  plan: Plan;
  channels: ReadonlyMap<string, ChannelSpec>;
}

/**
 * One step being taken: events are stamped and folded the moment they are emitted, so each rule sees the state that the one before it
 * left. The engine alone writes the envelope; a node's own `runId`, `seq` or `at` never gets through.
 */
export class Turn {
  readonly events: TraceEvent[] = [];
  readonly effects: EngineEffect[] = [];

  constructor(
    readonly program: Program,
    readonly snapshot: RunSnapshot,
    readonly at: number,
  ) {}

  get plan(): Plan {
    return this.program.plan;
  }

  get live(): boolean {
    return this.snapshot.status === 'running';
  }

  emit(draft: TraceDraft): void {
    // A draft of a kind plus the envelope is an event of that kind; spreading a union loses this.
    const event = { ...draft, runId: this.snapshot.runId, seq: this.snapshot.lastSeq + 1, at: this.at } as TraceEvent;
    this.events.push(event);
    applyEvent(this.plan, this.snapshot, event);
  }

  effect(effect: EngineEffect): void {
    this.effects.push(effect);
  }

  node(scope: string, id: string): PlanNode {
    return nodeAt(this.plan, scopeOf(this.snapshot, scope), id);
  }

  nodeOf(visit: Visit): PlanNode {
    return this.node(visit.scope, visit.node);
  }

  /** The part of the envelope that says where in the flow an event belongs. */
  place(visit: Visit): { nodeId: string; visit: string; scope?: string; layer: string } {
    return { nodeId: visit.node, visit: visit.id, layer: this.nodeOf(visit).layer, ...inScope(visit.scope) };
  }

  /** Emits what happened inside a visit, each stamped with the visit's place. */
  note(visit: Visit, notes: readonly TraceDraft[]): void {
    const place = this.place(visit);
    for (const note of notes) this.emit({ ...note, ...place });
  }

  /** What the node before put out: the item for the first node of a body. */
  received(scope: string, from: string | null): Json {
    const found = scopeOf(this.snapshot, scope);
    return from === null ? found.input : (found.outputs[from] ?? null);
  }
}

export const inScope = (scope: string): { scope?: string } => (scope === rootScope ? {} : { scope });
