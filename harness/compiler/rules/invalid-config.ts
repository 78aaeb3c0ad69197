import { faultSeverity, nameOf, type Rule } from '../context';

/** Settings that the node's own schema refuses: something required is missing, or out of bounds. */
export const invalidConfig: Rule = (context) =>
  [...context.graph.nodes.values()].flatMap((entry) =>
    entry.issues.map(({ path, message }) => ({
      code: 'CONFIG_INVALID',
      severity: faultSeverity(context, entry),
      nodeId: entry.id,
      path,
      message: `${nameOf(entry)}: ${path === '' ? 'its settings' : `"${path}"`}: ${message}`,
    })),
  );
