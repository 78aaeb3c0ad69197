import type { PlanNode } from '../compiler/plan';
import type { Ask } from '../contract/ask';

/** A breakpoint is an ask like any other, so it survives a restart and is answered through the same door. */
export const breakpointAsk = (node: PlanNode): Ask => ({
  kind: 'breakpoint',
  title: `Stopped before "${node.label}"`,
  body: '',
  choices: [
    { id: 'continue', label: 'Continue', tone: 'accept' },
    { id: 'step', label: 'Step', tone: 'neutral' },
  ],
});
