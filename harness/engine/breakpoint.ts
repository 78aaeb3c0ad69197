import type { PlanNode } from '../compiler/plan';
import type { Ask } from '../contract/ask';

/** The key under which a visit waits at a breakpoint. */
export const breakpointKey = 'breakpoint';

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
