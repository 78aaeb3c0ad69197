import type { Catalogue } from '../contract/catalogue';
import { buildFlowGraph, type FlowGraph, type GraphNode } from './flow-graph';
import type { FlowDocument } from './schema';

/** A flow in words, as Markdown: what it consists of, in the order in which a run comes past. Deterministic. */
export function describeFlow(document: FlowDocument, catalogue: Catalogue): string {
  const graph = buildFlowGraph(document, catalogue);
  const { settings } = document;
  const parts = [
    `# ${text(document.name)}`,
    ...(document.description.trim() === '' ? [] : [document.description.trim()]),
    ...bodySections(graph, null, '## Steps'),
    ...policySection(graph),
    ...brokenSection(graph),
    `## Limits\n\n${[
      `- ${settings.caps.steps} steps, ${settings.caps.wallTimeMs / 1000} s`,
      ...(settings.caps.tokens === null ? [] : [`- ${settings.caps.tokens} tokens`]),
      ...(settings.caps.cost === null ? [] : [`- ${settings.caps.cost} USD`]),
      `- tools: ${settings.tools === null ? 'all' : settings.tools.join(', ') || 'none'}`,
    ].join('\n')}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

const markup = /[\\`*_[\]<>#|]/g;
/** Labels are people's words, not markup. */
const text = (value: string): string => value.replaceAll(/\s+/g, ' ').replaceAll(markup, (char) => `\\${char}`);

function bodySections(graph: FlowGraph, container: string | null, heading: string): string[] {
  const ids = inRunOrder(graph, container);
  if (ids.length === 0) return [];
  const lines = ids.map((id) => {
    const entry = graph.nodes.get(id);
    return entry ? line(graph, entry) : '';
  });
  const inner = ids.flatMap((id) => {
    const entry = graph.nodes.get(id);
    return entry && graph.bodies.has(id) ? bodySections(graph, id, `### Inside ${text(entry.node.label || id)}`) : [];
  });
  return [`${heading}\n\n${lines.join('\n')}`, ...inner];
}

function line(graph: FlowGraph, entry: GraphNode): string {
  const ways = entry.out.map(({ port, target, maxTraversals }) => {
    const cap = maxTraversals === undefined ? '' : `, at most ${maxTraversals} times`;
    return `${port === 'next' ? '' : `${text(port ?? '')} `}→ ${name(graph, target)}${cap}`;
  });
  const preview = previewOf(entry);
  const state = entry.node.disabled ? ' (disabled)' : '';
  return `- **${text(entry.node.label || entry.id)}**${state} — ${text(entry.manifest?.title ?? `${entry.node.type}, not installed here`)}${preview}${ways.length > 0 ? `; ${ways.join('; ')}` : ''}`;
}

const name = (graph: FlowGraph, id: string): string => `**${text(graph.nodes.get(id)?.node.label || id)}**`;

function previewOf({ manifest, config }: GraphNode): string {
  try {
    const preview = manifest?.preview?.(config) ?? '';
    return preview === '' ? '' : `: ${text(preview)}`;
  } catch {
    return '';
  }
}

/** Breadth first from where the body begins; what cannot be reached comes last, by id. */
function inRunOrder(graph: FlowGraph, container: string | null): string[] {
  const members = (graph.bodies.get(container) ?? []).flatMap((id) => graph.nodes.get(id) ?? []);
  const taking = members.filter(({ role }) => role !== 'policy' && role !== 'annotation');
  const starts = taking.filter(({ role }) => role === 'start');
  const first = starts.length > 0 ? starts : taking.filter(({ in: incoming }) => incoming.length === 0);
  const order = new Set<string>();
  const queue = first.map(({ id }) => id);
  for (let at = 0; at < queue.length; at++) {
    const id = queue[at] ?? '';
    if (order.has(id)) continue;
    order.add(id);
    queue.push(...(graph.nodes.get(id)?.out ?? []).map(({ target }) => target));
  }
  for (const { id } of taking) order.add(id);
  return [...order];
}

function policySection(graph: FlowGraph): string[] {
  const lines = graph.attachments.flatMap(({ source, target }) => {
    const policy = graph.nodes.get(source);
    return policy ? [`- ${name(graph, source)}${previewOf(policy)} guards ${name(graph, target)}`] : [];
  });
  return lines.length === 0 ? [] : [`## Policies\n\n${lines.join('\n')}`];
}

const brokenSection = (graph: FlowGraph): string[] =>
  graph.broken.length === 0
    ? []
    : [`## Edges that do not hold\n\n${graph.broken.map(({ edge, message }) => `- ${text(edge.id)}: ${message}`).join('\n')}`];
