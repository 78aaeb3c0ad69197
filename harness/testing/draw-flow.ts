import { type FlowDocument, type FlowEdge, type FlowNode, flowDocumentSchema } from '../flow/schema';
import { testCatalogue } from './test-catalogue';

export interface Drawing {
  /** Node id to type, or to a node with parts of its own. */
  nodes: Record<string, string | (Partial<FlowNode> & { type: string })>;
  /** `a -> b`, `a.port -> b`, `a.port -> b x25` (at most 25 times), `policy @ node`. Edge ids are the text itself. */
  edges?: readonly string[];
  settings?: Partial<FlowDocument['settings']>;
  id?: string;
  name?: string;
}

/** A document from a sketch in words, so that a test shows the flow it is about. */
export function drawFlow({ nodes, edges = [], settings = {}, id = 'flow', name = 'Flow' }: Drawing): FlowDocument {
  return flowDocumentSchema.parse({
    format: 'bridle/flow',
    version: 1,
    id,
    name,
    nodes: Object.entries(nodes).map(([nodeId, sketch]) => drawNode(nodeId, typeof sketch === 'string' ? { type: sketch } : sketch)),
    edges: edges.map(drawEdge),
    settings,
  });
}

const drawNode = (id: string, sketch: Partial<FlowNode> & { type: string }): FlowNode => ({
  id,
  label: id,
  typeVersion: testCatalogue.nodes.get(sketch.type)?.version ?? 1,
  config: sketch.type === 'model' ? { prompt: 'hello' } : {},
  ...sketch,
});

function drawEdge(text: string): FlowEdge {
  const [from = '', to = ''] = text.split(text.includes('@') ? '@' : '->').map((part) => part.trim());
  if (text.includes('@')) return { id: text, kind: 'attach', source: from, target: to };
  const [source = '', port = 'next'] = from.split('.');
  const [target = '', cap] = to.split(/ x(?=\d+$)/);
  return { id: text, kind: 'flow', source, port, target, ...(cap === undefined ? {} : { maxTraversals: Number(cap) }) };
}
