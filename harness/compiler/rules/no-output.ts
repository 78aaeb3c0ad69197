import type { Rule } from '../context';

/** A run that reaches no output is `incomplete`; without any output node it always would be. */
export const noOutput: Rule = ({ graph }) =>
  [...graph.nodes.values()].some(({ role, container, node }) => role === 'end' && container === null && !node.disabled)
    ? []
    : [
        {
          code: 'FLOW_NO_OUTPUT',
          severity: 'error',
          message: 'The flow has no output node, so no run could end with a result. Add an output.',
        },
      ];
