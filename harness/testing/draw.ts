import type { Json } from '../contract/json';
import type { FlowDocument, FlowEdge, FlowNode } from '../flow/schema';
import { flowDocumentSchema, flowFormat, flowVersion } from '../flow/schema';

export interface Drawing {
  /** Node id → type, or type and config, or type, config and container. */
  nodes: Record<string, string | [type: string, config: Record<string, Json>, parent?: string]>;
  /** `a>b`, `a.port>b`, `a.port>b*3` (loop cap 3), `policy@target` (attach). */
  edges: string[];
  caps?: Record<string, number>;
  id?: string;
}

const edgePattern = /^([^.>@]+)(?:\.([^>@]+))?>([^*]+)(?:\*(\d+))?$/;

/** A flow from a few words, for tests: what is drawn is read at a glance. */
export function draw(drawing: Drawing): FlowDocument {
  const nodes = Object.entries(drawing.nodes).map(([id, spec]): FlowNode => {
    const [type, config, parent] = typeof spec === 'string' ? [spec, {}] : spec;
    return { id, type, typeVersion: 1, label: id, config, ...(parent === undefined ? {} : { parent }) };
  });
  const edges = drawing.edges.map((text, index): FlowEdge => {
    const id = `e${index + 1}`;
    if (text.includes('@')) {
      const [source = '', target = ''] = text.split('@');
      return { id, kind: 'attach', source, target };
    }
    const [, source = '', port = 'next', target = '', cap] = edgePattern.exec(text) ?? [];
    return { id, kind: 'flow', source, port, target, ...(cap === undefined ? {} : { maxTraversals: Number(cap) }) };
  });
  return flowDocumentSchema.parse({
    format: flowFormat,
    version: flowVersion,
    id: drawing.id ?? 'flow',
    name: drawing.id ?? 'flow',
    nodes,
    edges,
    settings: drawing.caps ? { caps: drawing.caps } : {},
  });
}
