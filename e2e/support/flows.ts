import type { Api } from './api';

interface NodeSpec {
  id: string;
  type: string;
  label?: string;
  config?: Record<string, unknown>;
  parent?: string;
}
type EdgeSpec = readonly [source: string, port: string, target: string, maxTraversals?: number];

/** A flow as a file would hold it, from its nodes and `[source, port, target, cap?]` edges, laid out from left to right. */
export function flowOf(name: string, nodes: readonly NodeSpec[], edges: readonly EdgeSpec[], settings: Record<string, unknown> = {}) {
  const columns = Math.max(12, Math.ceil(Math.sqrt(nodes.length)));
  return {
    format: 'bridle/flow',
    version: 1,
    id: name.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    name,
    description: '',
    nodes: nodes.map((node) => ({ typeVersion: 1, label: node.label ?? node.id, config: {}, ...node })),
    edges: edges.map(([source, port, target, maxTraversals]) => ({
      id: `${source}.${port}-${target}`,
      kind: 'flow',
      source,
      port,
      target,
      ...(maxTraversals === undefined ? {} : { maxTraversals }),
    })),
    settings,
    layout: {
      nodes: Object.fromEntries(nodes.map((node, at) => [node.id, { x: 280 * (at % columns), y: 180 * Math.floor(at / columns) }])),
    },
  };
}

export type Flow = ReturnType<typeof flowOf>;

export async function importFlow(api: Api, flow: Flow): Promise<string> {
  return (await api.call<{ id: string }>('flows.import', { text: JSON.stringify(flow) })).id;
}

export const input: NodeSpec = { id: 'question', type: 'input', label: 'Question' };
export const output: NodeSpec = { id: 'reply', type: 'output', label: 'Reply' };

/** Passes on what it received, after some time. */
export const wait = (id: string, milliseconds: number, label = id): NodeSpec => ({ id, type: 'wait', label, config: { milliseconds } });

export const transform = (id: string, expression: string, label = id): NodeSpec => ({
  id,
  type: 'transform',
  label,
  config: { mode: 'expression', expression },
});

/** Question → wait → reply. */
export const slowFlow = (name: string, milliseconds: number): Flow =>
  flowOf(
    name,
    [input, wait('pause', milliseconds, 'Pause'), output],
    [
      ['question', 'next', 'pause'],
      ['pause', 'next', 'reply'],
    ],
  );
