import type { GraphNode } from '../../flow/flow-graph';
import type { ChannelSpec } from '../../state/channel';
import { nameOf, type Rule, type RuleContext } from '../context';
import { carriers, origins } from '../control-types';
import type { Diagnostic } from '../diagnostic';
import { switchOn } from '../fixes';

/**
 * Every layer can be switched off, and one that another needs says what will be missing: a warning at each control node that reads the
 * channel. A layer that was never drawn is a choice, and so noted once, at its first reader.
 */
export const missingLayer: Rule = (context) => {
  const { graph, bodies } = context;
  const readers = [...graph.nodes.values()].filter(
    (entry) =>
      entry.manifest?.category === 'control' && !entry.node.disabled && bodies.reachable.has(entry.id) && !carriers.has(entry.node.type),
  );
  if (readers.length === 0) return [];
  const idle = idleWriters(context);
  const undrawn = new Map<ChannelSpec, { first: GraphNode; others: number }>();
  const warnings: Diagnostic[] = [];
  for (const reader of readers) {
    for (const id of new Set(reader.manifest?.reads ?? [])) {
      const state = idle.get(id);
      if (!state || fills(reader, id)) continue;
      if (state.writer) warnings.push(warning(reader, state.channel, state.writer));
      else {
        const known = undrawn.get(state.channel);
        undrawn.set(state.channel, known ? { ...known, others: known.others + 1 } : { first: reader, others: 0 });
      }
    }
  }
  return [...warnings, ...[...undrawn].map(([channel, { first, others }]) => note(channel, first, others))];
};

function warning(reader: GraphNode, { title, missing }: ChannelSpec, idle: GraphNode): Diagnostic {
  const why = idle.node.disabled ? 'is switched off' : 'is never reached';
  return {
    code: 'LAYER_MISSING',
    severity: 'warning',
    nodeId: reader.id,
    message: `${nameOf(reader)} reads ${title}, which nothing writes here (${nameOf(idle)} ${why}): ${missing}.`,
    ...(idle.node.disabled ? { fix: switchOn(idle) } : {}),
  };
}

const note = ({ title, missing }: ChannelSpec, reader: GraphNode, others: number): Diagnostic => ({
  code: 'LAYER_MISSING',
  severity: 'info',
  nodeId: reader.id,
  message: `${others === 0 ? `${nameOf(reader)} reads` : `${nameOf(reader)} and ${others} more read`} ${title}, which nothing writes here: ${missing}.`,
});

/** True when nodes of this type fill the channel: where the catalogue knows who does, only those; any other writer otherwise. */
function fills({ node, manifest }: GraphNode, channel: string): boolean {
  if (!manifest?.writes?.includes(channel)) return false;
  const known = origins[channel];
  if (known && manifest.category === 'control') return known.includes(node.type);
  return !carriers.has(node.type);
}

/** Channels with a `missing` text that no running node fills, with the node that would, where one is drawn. */
function idleWriters({ graph, bodies, options }: RuleContext): ReadonlyMap<string, { channel: ChannelSpec; writer: GraphNode | null }> {
  const idle = new Map<string, { channel: ChannelSpec; writer: GraphNode | null }>();
  for (const [id, channel] of options.catalogue.channels) if (channel.missing !== undefined) idle.set(id, { channel, writer: null });
  const filled = new Set<string>();
  for (const entry of graph.nodes.values()) {
    for (const id of entry.manifest?.writes ?? []) {
      const state = idle.get(id);
      if (!state || !fills(entry, id)) continue;
      if (!entry.node.disabled && bodies.reachable.has(entry.id)) filled.add(id);
      else if (!state.writer || (entry.node.disabled && !state.writer.node.disabled)) state.writer = entry;
    }
  }
  for (const id of filled) idle.delete(id);
  return idle;
}
