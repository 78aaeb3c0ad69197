import { byText } from '../../flow/flow-graph';
import { nameOf, type Rule } from '../context';
import { writerInvariants } from '../control-types';
import type { Diagnostic } from '../diagnostic';
import { switchOff } from '../fixes';

/** A channel for one writer that several nodes of the flow write. */
export const soleWriter: Rule = ({ graph, bodies, options }) => {
  const writers = new Map<string, string[]>();
  for (const entry of graph.nodes.values()) {
    if (entry.node.disabled || !bodies.reachable.has(entry.id)) continue;
    for (const channel of new Set(entry.manifest?.writes ?? [])) {
      const known = writers.get(channel);
      if (known) known.push(entry.id);
      else writers.set(channel, [entry.id]);
    }
  }
  return [...writers]
    .sort(([a], [b]) => byText(a, b))
    .flatMap(([id, ids]): Diagnostic[] => {
      const channel = options.catalogue.channels.get(id);
      const [first, ...others] = ids;
      const owner = first === undefined ? undefined : graph.nodes.get(first);
      if (channel?.writers !== 'one' || !owner) return [];
      const invariant = writerInvariants[id] === undefined ? '' : ` (${writerInvariants[id]})`;
      return others.flatMap((other) => {
        const entry = graph.nodes.get(other);
        if (!entry) return [];
        return [
          {
            code: 'CHANNEL_TWO_WRITERS',
            severity: 'error' as const,
            nodeId: other,
            message: `${nameOf(entry)} and ${nameOf(owner)} both write "${channel.title}", which only one node of a flow may write${invariant}. Delete one of them or switch it off.`,
            fix: switchOff(entry),
          },
        ];
      });
    });
};
