import type { Rule } from '../context';

/** A run needs somewhere to begin. */
export const noInput: Rule = ({ bodies }) =>
  (bodies.entries.get(null) ?? []).length > 0
    ? []
    : [{ code: 'FLOW_NO_INPUT', severity: 'error', message: 'The flow has no input node, so a run has nowhere to begin. Add an input.' }];
