import type { z } from 'zod';
import type { Json } from '../contract/json';

/**
 * How a write joins what is there: `replace` the value, `append` items to a list, `merge` keys into an object, `upsert` items of
 * a list by their `id`.
 */
export type Reducer = 'replace' | 'append' | 'merge' | 'upsert';

/** How long a channel's value lives (design §6). */
export type ChannelScope = 'visit' | 'run' | 'session' | 'flow';

export interface ChannelSpec {
  id: string;
  title: string;
  summary: string;
  schema: z.ZodType;
  reducer: Reducer;
  scope: ChannelScope;
  initial: Json;
  /** `one`: at most one node of a flow may write it, kept by the compiler. */
  writers: 'one' | 'many';
  /** What a flow lacks when no node of it writes the channel, as the end of a sentence; told at the nodes that read it. */
  missing?: string;
}

export const defineChannel = (spec: ChannelSpec): ChannelSpec => spec;
