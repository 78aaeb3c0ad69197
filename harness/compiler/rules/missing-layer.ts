import type { GraphNode } from '../../flow/flow-graph';
import { nameOf, type Rule, type RuleContext } from '../context';
import { carriers, origins } from '../control-types';
import type { Diagnostic } from '../diagnostic';
import { switchOn } from '../fixes';

/**
 * Every layer can be switched off, and one that another needs says what will be missing: told at the control node that reads the channel,
 * once per channel. A layer that was never drawn is a choice, and so only noted; one that is drawn and does not run is a warning.
 */
export const missingLayer: Rule = (context) => {
  const { graph, bodies, options } = context;
  const readers = [...graph.nodes.values()].filter(
    (entry) =>
      entry.manifest?.category === 'control' && !entry.node.disabled && bodies.reachable.has(entry.id) && !carriers.has(entry.node.type),
  );
  if (readers.length === 0) return [];
  const writers = writersByChannel(context);
  return readers.flatMap((reader) =>
    [...new Set(reader.manifest?.reads ?? [])].sort().flatMap((id): Diagnostic[] => {
      const channel = options.catalogue.channels.get(id);
      if (channel?.missing === undefined || fills(reader, id)) return [];
      const drawn = writers.get(id) ?? [];
      if (drawn.some((writer) => !writer.node.disabled && bodies.reachable.has(writer.id))) return [];
      const idle = drawn.find(({ node }) => node.disabled) ?? drawn[0];
      const why = idle ? ` (${nameOf(idle)} ${idle.node.disabled ? 'is switched off' : 'is never reached'})` : '';
      return [
        {
          code: 'LAYER_MISSING',
          severity: idle ? 'warning' : 'info',
          nodeId: reader.id,
          message: `${nameOf(reader)} reads ${channel.title}, which nothing writes here${why}: ${channel.missing}.`,
          ...(idle?.node.disabled ? { fix: switchOn(idle) } : {}),
        },
      ];
    }),
  );
};

/** True when nodes of this type fill the channel: where the catalogue knows who does, only those; any other writer otherwise. */
function fills({ node, manifest }: GraphNode, channel: string): boolean {
  if (!manifest?.writes?.includes(channel)) return false;
  const known = origins[channel];
  if (known && manifest.category === 'control') return known.includes(node.type);
  return !carriers.has(node.type);
}

function writersByChannel({ graph }: RuleContext): ReadonlyMap<string, GraphNode[]> {
  const writers = new Map<string, GraphNode[]>();
  for (const entry of graph.nodes.values()) {
    for (const channel of new Set(entry.manifest?.writes ?? [])) {
      if (!fills(entry, channel)) continue;
      const known = writers.get(channel);
      if (known) known.push(entry);
      else writers.set(channel, [entry]);
    }
  }
  return writers;
}
