import type { ChannelSpec } from '../state/channel';
import type { NodeImplementation } from './execute';
import type { AnyManifest } from './node';
import type { PolicyImplementation } from './policy';

/** What can be drawn and which channels exist: all that the canvas and the compiler need. Browser-safe. */
export interface Catalogue {
  nodes: ReadonlyMap<string, AnyManifest>;
  channels: ReadonlyMap<string, ChannelSpec>;
}

/** What runs: executors and policy hooks by node type. Server only. */
export interface Runtime {
  catalogue: Catalogue;
  executors: ReadonlyMap<string, NodeImplementation>;
  policies: ReadonlyMap<string, PolicyImplementation>;
}
