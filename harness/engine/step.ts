import type { TraceEvent } from '../trace/events';
import { advance } from './advance';
import type { EngineEffect, EngineInput } from './inputs';
import type { RunSnapshot } from './snapshot';
import type { Program } from './turn';

export interface Step {
  snapshot: RunSnapshot;
  events: TraceEvent[];
  effects: EngineEffect[];
}

/** The engine as a pure function: the same program, snapshot and input always give the same step, and the snapshot given is not touched. */
export function step(program: Program, snapshot: RunSnapshot, input: EngineInput): Step {
  const owned = structuredClone(snapshot);
  const { events, effects } = advance(program, owned, input);
  return { snapshot: owned, events, effects };
}
