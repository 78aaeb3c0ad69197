import { isExecuting } from '../contract/node';
import type { GraphNode } from './flow-graph';
import type { FlowEdge } from './schema';

export interface EdgeProblem {
  code: string;
  message: string;
}

export type EdgeShape = Pick<FlowEdge, 'kind' | 'source' | 'port' | 'target'>;

const nameOf = (entry: GraphNode): string => entry.node.label || entry.id;

/** Why an edge cannot hold between these nodes, or null. The one place where this is decided. */
export function edgeProblem(nodes: ReadonlyMap<string, GraphNode>, edge: EdgeShape): EdgeProblem | null {
  const source = nodes.get(edge.source);
  const target = nodes.get(edge.target);
  if (!source) return { code: 'EDGE_SOURCE_MISSING', message: `The node it begins at, "${edge.source}", does not exist.` };
  if (!target) return { code: 'EDGE_TARGET_MISSING', message: `The node it leads to, "${edge.target}", does not exist.` };
  return edge.kind === 'attach' ? attachProblem(source, target) : flowProblem(source, edge.port, target);
}

function flowProblem(source: GraphNode, port: string | undefined, target: GraphNode): EdgeProblem | null {
  if (port === undefined) return { code: 'EDGE_PORT_MISSING', message: 'It names no port to leave by.' };
  if (source.role === 'policy') {
    return { code: 'EDGE_FROM_POLICY', message: `"${nameOf(source)}" is a policy: attach it to a node instead of leading from it.` };
  }
  if (source.role === 'annotation' || target.role === 'annotation') {
    return { code: 'EDGE_ANNOTATION', message: 'Notes and frames take no part in a run, so no edge leads from or to them.' };
  }
  if (target.role === 'policy') {
    return { code: 'EDGE_TO_POLICY', message: `"${nameOf(target)}" is a policy: it is attached, a run does not pass through it.` };
  }
  if (target.role === 'start') {
    return { code: 'EDGE_TO_START', message: `"${nameOf(target)}" is where a run begins; nothing leads to it.` };
  }
  if (source.ports && !source.ports.some(({ id }) => id === port)) {
    const offered = source.ports.map(({ id }) => `"${id}"`).join(', ') || 'none';
    return { code: 'EDGE_PORT_UNKNOWN', message: `"${nameOf(source)}" has no port "${port}" (it has ${offered}).` };
  }
  if (source.container !== target.container) {
    return {
      code: 'EDGE_CROSSES_CONTAINER',
      message: `It crosses the border of a container; nodes inside are reached through the container only.`,
    };
  }
  return null;
}

function attachProblem(source: GraphNode, target: GraphNode): EdgeProblem | null {
  if (source.role !== null && source.role !== 'policy') {
    return { code: 'ATTACH_SOURCE', message: `"${nameOf(source)}" is no policy, so it cannot be attached.` };
  }
  if (!target.manifest || !source.manifest) return null;
  if (!isExecuting(target.manifest)) {
    return { code: 'ATTACH_TARGET', message: `"${nameOf(target)}" does nothing that a policy could guard.` };
  }
  const allowed = source.manifest.attaches?.to ?? [];
  const fits = allowed.some((entry) => entry === '*' || entry === target.manifest?.id || entry === target.role);
  return fits
    ? null
    : {
        code: 'ATTACH_TARGET',
        message: `"${nameOf(source)}" guards ${allowed.join(', ') || 'nothing'}, not "${nameOf(target)}" (${target.node.type}).`,
      };
}
