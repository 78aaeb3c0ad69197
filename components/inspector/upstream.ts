import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '@/harness/contract/json';
import { outputSchemaOf } from '@/harness/contract/node';
import { referenceText } from '@/harness/expression/reserved';
import { graphOf } from '@/harness/flow/connect-check';
import type { FlowDocument } from '@/harness/flow/schema';
import { catalogue } from '@/nodes/catalog';
import { indexOf } from '../editor/document-index';
import { inputSchemaOf } from '../editor/run-input';

/** Something an expression of a node can name. */
export interface ScopeEntry {
  /** As it is written in an expression. */
  reference: string;
  title: string;
  detail: string;
  icon: string;
  kind: 'node' | 'input' | 'received' | 'item' | 'state' | 'run' | 'secret';
  /** JSON Schema of its value. */
  schema: JsonObject;
  nodeId: string | null;
}

const asJsonSchema = (schema: z.ZodType): JsonObject => {
  try {
    // toJSONSchema answers plain JSON; its type names keywords, ours is JSON.
    return z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as unknown as JsonObject;
  } catch {
    return {};
  }
};

/** Nodes that may have run before this one: everything control can come from, also from outside of its container. */
export function upstreamOf(document: FlowDocument, id: string): string[] {
  const { incoming, nodes, attached } = indexOf(document);
  const found: string[] = [];
  const seen = new Set<string>([id]);
  const queue = [id];
  // A policy speaks at the node it guards, so what is before that node is before it.
  for (const edges of attached.values()) for (const edge of edges) if (edge.source === id) queue.push(edge.target);
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    const parent = nodes.get(at)?.parent;
    if (parent !== undefined && !seen.has(`parent:${parent}`)) {
      seen.add(`parent:${parent}`);
      queue.push(parent);
    }
    for (const edge of incoming.get(at) ?? []) {
      if (seen.has(edge.source) || !nodes.has(edge.source)) continue;
      seen.add(edge.source);
      found.push(edge.source);
      queue.push(edge.source);
    }
  }
  return found;
}

export function outputSchemaOfNode(document: FlowDocument, id: string): JsonObject {
  const entry = graphOf(document, catalogue).nodes.get(id);
  if (!entry?.manifest) return {};
  try {
    return asJsonSchema(outputSchemaOf(entry.manifest, entry.config));
  } catch {
    return {};
  }
}

/** Everything a node's expressions can name, nearest first. */
export function scopeOf(document: FlowDocument, id: string): ScopeEntry[] {
  const { nodes } = indexOf(document);
  const graph = graphOf(document, catalogue);
  const node = graph.nodes.get(id);
  const entries: ScopeEntry[] = [];
  const upstream = upstreamOf(document, id);
  for (const other of upstream) {
    const manifest = graph.nodes.get(other)?.manifest;
    if (!manifest || manifest.role === 'policy' || manifest.role === 'annotation' || manifest.role === 'start') continue;
    entries.push({
      reference: referenceText(other),
      title: nodes.get(other)?.label || other,
      detail: manifest.title,
      icon: manifest.icon,
      kind: 'node',
      schema: outputSchemaOfNode(document, other),
      nodeId: other,
    });
  }
  const inBody = node?.container != null;
  entries.push({
    reference: 'input',
    title: 'Input of the run',
    detail: inBody ? 'or of the container body' : '',
    icon: 'log-in',
    kind: 'input',
    schema: inputSchemaOf(document),
    nodeId: null,
  });
  const previous = upstream[0];
  entries.push({
    reference: 'received',
    title: 'Received',
    detail: 'output of the node before',
    icon: 'arrow-right-left',
    kind: 'received',
    schema: upstream.length > 0 && previous !== undefined ? outputSchemaOfNode(document, previous) : {},
    nodeId: null,
  });
  if (inBody) {
    entries.push({
      reference: 'item',
      title: 'Item',
      detail: 'of the list gone over',
      icon: 'list',
      kind: 'item',
      schema: {},
      nodeId: null,
    });
    entries.push({
      reference: 'index',
      title: 'Index',
      detail: 'from 0',
      icon: 'list',
      kind: 'item',
      schema: { type: 'integer' },
      nodeId: null,
    });
  }
  for (const channel of catalogue.channels.values()) {
    entries.push({
      reference: `state.${channel.id}`,
      title: channel.title,
      detail: 'channel',
      icon: 'database',
      kind: 'state',
      schema: asJsonSchema(channel.schema),
      nodeId: null,
    });
  }
  entries.push({ reference: 'run.id', title: 'Run id', detail: '', icon: 'flag', kind: 'run', schema: { type: 'string' }, nodeId: null });
  for (const name of document.settings.secrets) {
    entries.push({
      reference: `secrets.${name}`,
      title: name,
      detail: 'secret, in templates only',
      icon: 'key',
      kind: 'secret',
      schema: { type: 'string' },
      nodeId: null,
    });
  }
  return entries;
}

export interface SchemaField {
  path: readonly string[];
  type: string;
  title: string;
}

/** The word for a schema's type. */
export function typeWord(schema: Json | undefined): string {
  if (!isJsonObject(schema)) return 'any';
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (typeof schema.type === 'string') return schema.type === 'array' ? `list of ${typeWord(schema.items)}` : schema.type;
  if (Array.isArray(schema.anyOf) && schema.anyOf.length <= 3) return schema.anyOf.map(typeWord).join(' | ');
  return 'any';
}

/** Fields of an object schema, two levels deep, as they are picked from a list. */
export function fieldsOf(schema: JsonObject, depth = 2, path: readonly string[] = []): SchemaField[] {
  if (!isJsonObject(schema.properties) || depth === 0) return [];
  return Object.entries(schema.properties).flatMap(([key, property]): SchemaField[] => {
    const own = isJsonObject(property) ? property : {};
    const here = [...path, key];
    return [{ path: here, type: typeWord(own), title: typeof own.title === 'string' ? own.title : key }, ...fieldsOf(own, depth - 1, here)];
  });
}

/** A field as it is written after its root: `.text`, or `["odd key"]`. */
export const pathText = (path: readonly string[]): string =>
  path.map((key) => (/^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)).join('');
