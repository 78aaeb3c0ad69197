import type { Reference } from '../../expression/references';
import type { GraphNode } from '../../flow/flow-graph';
import { findMustRun } from '../analysis/must-run';
import { nameOf, type Rule } from '../context';
import type { Diagnostic } from '../diagnostic';

/** A reference to a node that need not have run by then: its value would be null. */
export const referenceOrder: Rule = (context) => {
  const { graph, bodies, sources } = context;
  const uses: { entry: GraphNode; path: string; target: GraphNode; reference: Reference }[] = [];
  for (const { entry, path, references } of sources) {
    if (!bodies.reachable.has(entry.id) || entry.node.disabled) continue;
    for (const reference of references) {
      const target = reference.kind === 'node' ? graph.nodes.get(reference.root) : undefined;
      if (target && !reference.guarded && target.role !== 'policy' && target.role !== 'annotation')
        uses.push({ entry, path, target, reference });
    }
  }
  if (uses.length === 0) return [];
  const mustRun = findMustRun(context, [...new Set(uses.map(({ target }) => target.id))]);
  const reported = new Set<string>();
  return uses.flatMap(({ entry, path, target, reference }): Diagnostic[] => {
    const key = JSON.stringify([entry.id, path, target.id]);
    if (mustRun.before(target.id, entry.id) || reported.has(key)) return [];
    reported.add(key);
    const written = reference.path.length > 0 ? `${reference.root}.${reference.path.join('.')}` : reference.root;
    return [
      {
        code: 'REFERENCE_MAY_NOT_HAVE_RUN',
        severity: 'warning',
        nodeId: entry.id,
        path,
        message: `${nameOf(entry)}: ${nameOf(target)} need not have run by then, and "${written}" would be missing. Write default(…, …) around it, or lead every way through ${nameOf(target)}.`,
      },
    ];
  });
};
