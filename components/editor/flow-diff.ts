import type { Json, JsonObject } from '@/harness/contract/json';
import type { FlowDocument, FlowEdge, FlowNode } from '@/harness/flow/schema';
import { stableJson } from '@/harness/flow/stable-json';

export type Mark = 'added' | 'removed' | 'changed';

export interface FieldChange {
  path: string;
  before: Json | undefined;
  after: Json | undefined;
}

export interface NodeChange {
  id: string;
  label: string;
  mark: Mark;
  fields: readonly FieldChange[];
}

export interface EdgeChange {
  id: string;
  text: string;
  mark: Mark;
}

export interface FlowDiff {
  nodes: readonly NodeChange[];
  edges: readonly EdgeChange[];
  settings: readonly FieldChange[];
}

const sameJson = (a: Json | undefined, b: Json | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && stableJson(a) === stableJson(b));

function fieldChanges(before: JsonObject, after: JsonObject, path = ''): FieldChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((key): FieldChange[] => {
    const a = Object.hasOwn(before, key) ? before[key] : undefined;
    const b = Object.hasOwn(after, key) ? after[key] : undefined;
    return sameJson(a, b) ? [] : [{ path: path === '' ? key : `${path}.${key}`, before: a, after: b }];
  });
}

/** The parts of a node that mean something; where it is drawn does not. */
const partsOf = ({ label, disabled, note, parent, type, typeVersion }: FlowNode): JsonObject => ({
  name: label,
  type,
  version: typeVersion,
  ...(disabled ? { disabled } : {}),
  ...(note ? { note } : {}),
  ...(parent === undefined ? {} : { inside: parent }),
});

/** What differs between two states of one flow, by id. The layout is left out: moving is not changing. */
export function diffFlows(before: FlowDocument, after: FlowDocument): FlowDiff {
  const old = new Map(before.nodes.map((node) => [node.id, node]));
  const fresh = new Map(after.nodes.map((node) => [node.id, node]));
  const nodes: NodeChange[] = [];
  for (const node of after.nodes) {
    const last = old.get(node.id);
    if (!last) nodes.push({ id: node.id, label: node.label, mark: 'added', fields: [] });
    else {
      const fields = [...fieldChanges(partsOf(last), partsOf(node)), ...fieldChanges(last.config, node.config, 'config')];
      if (fields.length > 0) nodes.push({ id: node.id, label: node.label, mark: 'changed', fields });
    }
  }
  for (const node of before.nodes) if (!fresh.has(node.id)) nodes.push({ id: node.id, label: node.label, mark: 'removed', fields: [] });

  const nameOf = (id: string): string => fresh.get(id)?.label || old.get(id)?.label || id;
  const textOf = (edge: FlowEdge): string =>
    edge.kind === 'attach'
      ? `${nameOf(edge.source)} guards ${nameOf(edge.target)}`
      : `${nameOf(edge.source)} · ${edge.port ?? 'next'} → ${nameOf(edge.target)}`;
  const oldEdges = new Map(before.edges.map((edge) => [edge.id, edge]));
  const freshEdges = new Map(after.edges.map((edge) => [edge.id, edge]));
  const edges: EdgeChange[] = [];
  for (const edge of after.edges) {
    const last = oldEdges.get(edge.id);
    if (!last) edges.push({ id: edge.id, text: textOf(edge), mark: 'added' });
    else if (!sameJson({ ...last }, { ...edge }))
      edges.push({ id: edge.id, text: `${textOf(last)} is now ${textOf(edge)}`, mark: 'changed' });
  }
  for (const edge of before.edges) if (!freshEdges.has(edge.id)) edges.push({ id: edge.id, text: textOf(edge), mark: 'removed' });

  // Settings and caps are plain JSON by their schema.
  const settings = fieldChanges(before.settings as unknown as JsonObject, after.settings as unknown as JsonObject, 'settings');
  const named = before.name === after.name ? [] : [{ path: 'name', before: before.name, after: after.name }];
  return { nodes, edges, settings: [...named, ...settings] };
}

export const isSame = (diff: FlowDiff): boolean => diff.nodes.length + diff.edges.length + diff.settings.length === 0;

/** Both states in one drawing: the newer one, with what it lost still standing where it was. */
export function mergedForDrawing(before: FlowDocument, after: FlowDocument): FlowDocument {
  const nodes = new Set(after.nodes.map((node) => node.id));
  const edges = new Set(after.edges.map((edge) => edge.id));
  const lost = before.nodes.filter((node) => !nodes.has(node.id));
  return {
    ...after,
    nodes: [...after.nodes, ...lost],
    edges: [...after.edges, ...before.edges.filter((edge) => !edges.has(edge.id))],
    layout: { ...after.layout, nodes: { ...before.layout.nodes, ...after.layout.nodes } },
  };
}

export const marksOf = (diff: FlowDiff): ReadonlyMap<string, Mark> => new Map(diff.nodes.map(({ id, mark }) => [id, mark]));
