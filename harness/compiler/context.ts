import type { Catalogue } from '../contract/catalogue';
import { buildFlowGraph, type FlowGraph, type GraphNode } from '../flow/flow-graph';
import type { FlowDocument } from '../flow/schema';
import { type Bodies, findBodies } from './analysis/bodies';
import { type ConfigSource, configSources } from './analysis/config-sources';
import { type Cycles, findCycles } from './analysis/cycles';
import { findJoins, type Joins } from './analysis/joins';
import type { Diagnostic, Severity } from './diagnostic';

/** What the host has set up for models, as far as a diagnostic needs it. */
export interface ConfiguredModels {
  /** Ids of the providers that can answer. */
  providers: readonly string[];
  /** Roles for which the host has a model of its own when the flow names none. */
  roles?: readonly string[];
}

export interface CompileOptions {
  catalogue: Catalogue;
  /** The document a subflow node names; undefined when there is none. */
  resolveFlow?: (id: string, version?: number) => FlowDocument | undefined;
  /** Hex digest of a text. */
  hash: (text: string) => string;
  models?: ConfiguredModels;
}

/** Everything a rule may look at; built once per compile. */
export interface RuleContext {
  readonly document: FlowDocument;
  readonly options: CompileOptions;
  readonly graph: FlowGraph;
  readonly cycles: Cycles;
  readonly bodies: Bodies;
  readonly joins: Joins;
  /** Expressions and templates of all configs. */
  readonly sources: readonly ConfigSource[];
  /** Ids of the flows that are being compiled around this one, outermost first, this one last. */
  readonly path: readonly string[];
}

export type Rule = (context: RuleContext) => Diagnostic[];

export function ruleContext(document: FlowDocument, options: CompileOptions, path: readonly string[]): RuleContext {
  const graph = buildFlowGraph(document, options.catalogue);
  const cycles = findCycles(graph);
  return {
    document,
    options,
    graph,
    cycles,
    bodies: findBodies(graph, cycles),
    joins: findJoins(graph, cycles),
    sources: configSources(graph),
    path,
  };
}

/** How a node is called in a message. */
export const nameOf = (entry: GraphNode): string => `"${entry.node.label || entry.id}"`;

/**
 * How bad a fault inside of this node is: it keeps the flow from running only when the node would take part. One that is disabled, or that
 * nothing leads to, may be half finished.
 */
export function faultSeverity({ graph, bodies }: RuleContext, entry: GraphNode): Severity {
  if (entry.node.disabled) return 'warning';
  if (entry.role === 'annotation') return 'warning';
  if (entry.role === 'policy') return graph.attachments.some(({ source }) => source === entry.id) ? 'error' : 'warning';
  return bodies.reachable.has(entry.id) ? 'error' : 'warning';
}

export const isRunning = (entry: GraphNode): boolean => entry.role !== 'policy' && entry.role !== 'annotation';

/** A subflow node holds no body of its own: a config field names the flow that is its body. */
export interface SubflowCall {
  field: string;
  flow: string;
  version?: number;
}

export function subflowCall(entry: GraphNode): SubflowCall | null {
  const field = subflowField(entry);
  if (field === null) return null;
  const flow = entry.config[field];
  const { version } = entry.config;
  if (typeof flow !== 'string' || flow === '') return null;
  return { field, flow, ...(typeof version === 'number' ? { version } : {}) };
}

export function subflowField(entry: GraphNode): string | null {
  if (entry.role !== 'container') return null;
  const hints: Record<string, { widget?: string } | undefined> = entry.manifest?.fields ?? {};
  return Object.keys(hints).find((key) => hints[key]?.widget === 'flow') ?? null;
}
