import { faultSeverity, nameOf, type Rule, subflowCall } from '../context';
import type { Diagnostic } from '../diagnostic';

/** How deep flows may run inside one another. */
export const maxSubflowDepth = 12;

/** A node that runs another flow: the flow must exist, and may not lead back to itself. */
export const subflow: Rule = (context) =>
  [...context.graph.nodes.values()].flatMap((entry): Diagnostic[] => {
    const call = subflowCall(entry);
    if (!call) return [];
    const place = { nodeId: entry.id, path: call.field };
    const severity = faultSeverity(context, entry);
    if (context.path.includes(call.flow)) {
      const message = `${nameOf(entry)} runs the flow "${call.flow}", which runs this one again: it would never end.`;
      return [{ ...place, code: 'SUBFLOW_RECURSIVE', severity, message }];
    }
    if (context.path.length >= maxSubflowDepth) {
      return [
        {
          ...place,
          code: 'SUBFLOW_TOO_DEEP',
          severity,
          message: `Flows run inside one another more than ${maxSubflowDepth} deep at ${nameOf(entry)}.`,
        },
      ];
    }
    const { resolveFlow } = context.options;
    if (!resolveFlow || resolveFlow(call.flow, call.version)) return [];
    const version = call.version === undefined ? '' : ` in version ${call.version}`;
    return [
      {
        ...place,
        code: 'SUBFLOW_UNKNOWN',
        severity,
        message: `${nameOf(entry)} runs the flow "${call.flow}"${version}, which does not exist here. Choose another.`,
      },
    ];
  });
