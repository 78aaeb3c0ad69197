import { approvalLoop } from './approval-loop/template';
import { debugAFailingTest } from './debug-a-failing-test/template';
import { elevenLayers } from './eleven-layers/template';
import { groundedAnswer } from './grounded-answer/template';
import { leanLoop } from './lean-loop/template';
import { parallelReview } from './parallel-review/template';
import { planAndBuild } from './plan-and-build/template';
import type { Template } from './template';

/** Every template, in the order of the home page. */
export const templates: readonly Template[] = [
  groundedAnswer,
  parallelReview,
  approvalLoop,
  debugAFailingTest,
  leanLoop,
  elevenLayers,
  planAndBuild,
];

export const templateById = (id: string): Template | undefined => templates.find((template) => template.id === id);
