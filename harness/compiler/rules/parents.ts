import type { FlowDocument } from '../../flow/schema';
import { nameOf, type Rule } from '../context';
import type { Diagnostic, Fix } from '../diagnostic';

/** What nodes stand in: it must exist, be able to hold nodes, and not stand in itself. */
export const parents: Rule = ({ graph }) => {
  const cyclic = new Set(graph.cyclicParents);
  return [...graph.nodes.values()].flatMap((entry): Diagnostic[] => {
    const { parent } = entry.node;
    if (parent === undefined) return [];
    const place = { nodeId: entry.id, path: 'parent', fix: moveOut(entry.id) };
    if (cyclic.has(entry.id)) {
      return [
        {
          ...place,
          code: 'PARENT_CYCLE',
          severity: 'error',
          message: `${nameOf(entry)} stands inside of itself, by way of what it stands in.`,
        },
      ];
    }
    const holder = graph.nodes.get(parent);
    if (!holder) {
      return [
        { ...place, code: 'PARENT_MISSING', severity: 'error', message: `${nameOf(entry)} stands in "${parent}", which does not exist.` },
      ];
    }
    const holds = holder.role === null || holder.role === 'container' || holder.role === 'annotation';
    if (holds) return [];
    return [
      {
        ...place,
        code: 'PARENT_HOLDS_NOTHING',
        severity: 'error',
        message: `${nameOf(entry)} stands in ${nameOf(holder)}, which is neither a container nor a frame.`,
      },
    ];
  });
};

const moveOut = (id: string): Fix => ({
  title: 'Move it out',
  apply: (document: FlowDocument): FlowDocument => ({
    ...document,
    nodes: document.nodes.map((node) => {
      if (node.id !== id) return node;
      const { parent, ...free } = node;
      return free;
    }),
  }),
});
