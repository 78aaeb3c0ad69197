import type { z } from 'zod';
import type { JsonObject } from './json';
import type { Authority, CategoryId, LayerId } from './layers';

/**
 * How the engine treats a node:
 * - `start` and `end` open and close a run (or a container body);
 * - `step` runs an executor; `fork` is a step that may leave through several ports at once;
 * - `join` collects the live tokens of the fork it closes;
 * - `merge` collects the branches of a dispatch and runs an executor over their states;
 * - `container` runs the nodes whose `parent` it is, through `context.each`;
 * - `policy` has no place in execution order, it wraps what it is attached to;
 * - `annotation` is for people only.
 */
export type NodeRole = 'start' | 'end' | 'step' | 'fork' | 'join' | 'merge' | 'container' | 'policy' | 'annotation';

export interface PortSpec {
  id: string;
  title?: string;
}

/** Port that every executing node has besides its own: taken when the node fails and an edge leaves from it. */
export const errorPort = 'error';

/**
 * How a config field is edited and what its text means to the compiler: `template` and `prompt` are text with
 * `{{expression}}`, `expression` is one CEL expression, `code` is JavaScript for the sandbox.
 */
export type Widget =
  | 'text'
  | 'prompt'
  | 'template'
  | 'expression'
  | 'code'
  | 'json'
  | 'json-schema'
  | 'model-role'
  | 'tools'
  | 'flow'
  | 'duration'
  | 'slider'
  | 'color'
  | 'hidden';

export interface FieldHint {
  widget?: Widget;
  /** Section heading in the inspector; fields of one section stand together. */
  section?: string;
  /** Shown only when the named sibling has this value. */
  when?: { field: string; is: string | number | boolean | readonly (string | number | boolean)[] };
  placeholder?: string;
  rows?: number;
  /** The step of numeric inputs. */
  step?: number;
}

/** Hints keyed by the config's own keys, nested through `items` (arrays, records) and `fields` (objects). */
export type FieldHints<C> = {
  [K in keyof C]?: FieldHint &
    (NonNullable<C[K]> extends readonly (infer I)[]
      ? I extends object
        ? { items?: FieldHints<I> }
        : { items?: FieldHint }
      : NonNullable<C[K]> extends Record<string, infer V>
        ? string extends keyof NonNullable<C[K]>
          ? { items?: V extends object ? FieldHints<V> : FieldHint }
          : { fields?: FieldHints<NonNullable<C[K]>> }
        : unknown);
};

/** Where a policy can be pinned. */
export interface AttachTargets {
  /** Node types by id, or roles. `*` is every executing node. */
  to: readonly (string | '*')[];
}

/**
 * A node type as data (design §5): the one source for palette, handles, connect check, inspector, defaults, compiler checks,
 * JSON Schema and the reference page. Contains no JSX and no I/O.
 */
export interface NodeManifest<Config extends z.ZodObject = z.ZodObject, Outputs extends z.ZodType = z.ZodType> {
  id: string;
  /** Positive integer; a changed config schema needs the next version and a migration. */
  version: number;
  category: CategoryId;
  layer: LayerId;
  authority: Authority;
  role: NodeRole;
  title: string;
  /** A lucide icon name in kebab-case. */
  icon: string;
  /** One sentence: what it does for the person who draws it. */
  summary: string;
  keywords?: readonly string[];
  config: Config;
  ports: readonly (string | PortSpec)[] | ((config: z.output<Config>) => readonly (string | PortSpec)[]);
  /** False for nodes that cannot fail on their own (join, input); true by default for executing roles. */
  canFail?: boolean;
  /** Schema of what the node puts out, or a function of config where config decides it. */
  outputs: Outputs | ((config: z.output<Config>) => z.ZodType);
  reads?: readonly string[];
  writes?: readonly string[];
  /** Policies only: what it may be attached to. */
  attaches?: AttachTargets;
  /** True when the node calls a model (for role checks) and, by config, which role. */
  model?: (config: z.output<Config>) => string | null;
  /** Names of tools the node may call, by config. */
  tools?: (config: z.output<Config>) => readonly string[];
  fields?: FieldHints<z.output<Config>>;
  /** One line on the card. */
  preview?: (config: z.output<Config>) => string;
  /** `migrations[n]` turns a config of version n into one of version n + 1. */
  migrations?: Readonly<Record<number, (config: JsonObject) => JsonObject>>;
}

/** A manifest whose config type is not known; what the catalogue, the compiler and the canvas work with. */
// biome-ignore lint/suspicious/noExplicitAny: config functions are contravariant; the erased form needs `any` once, here
export type AnyManifest = NodeManifest<any, any>;

export const defineNode = <const Config extends z.ZodObject, Outputs extends z.ZodType>(
  manifest: NodeManifest<Config, Outputs>,
): NodeManifest<Config, Outputs> => manifest;

export type ConfigOf<M> = M extends NodeManifest<infer C, infer _O> ? z.output<C> : never;

const executingRoles: readonly NodeRole[] = ['step', 'fork', 'merge', 'container'];
export const isExecuting = (manifest: AnyManifest): boolean => executingRoles.includes(manifest.role);

/** The ports of a node under a config, the `error` port last where it has one. */
export function portsOf(manifest: AnyManifest, config: unknown): PortSpec[] {
  const declared = typeof manifest.ports === 'function' ? manifest.ports(config) : manifest.ports;
  const ports = declared.map((port: string | PortSpec) => (typeof port === 'string' ? { id: port } : port));
  const fails = manifest.canFail ?? isExecuting(manifest);
  return fails ? [...ports, { id: errorPort, title: 'error' }] : ports;
}

export function outputSchemaOf(manifest: AnyManifest, config: unknown): z.ZodType {
  return typeof manifest.outputs === 'function' ? manifest.outputs(config) : manifest.outputs;
}
