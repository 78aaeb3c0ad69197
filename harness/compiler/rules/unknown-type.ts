import { faultSeverity, nameOf, type Rule } from '../context';

/** A node of a type that this build does not have: kept as it is, but nothing can run it (BR-31). */
export const unknownType: Rule = (context) =>
  [...context.graph.nodes.values()]
    .filter(({ status }) => status === 'unknown')
    .map((entry) => ({
      code: 'NODE_TYPE_UNKNOWN',
      severity: faultSeverity(context, entry),
      nodeId: entry.id,
      message: `${nameOf(entry)} is of the type "${entry.node.type}", which is not installed here. It is kept as it is; delete, disable or replace it to run the flow.`,
    }));
