import { approvalLoop } from './approval-loop/template';
import { groundedAnswer } from './grounded-answer/template';
import { parallelReview } from './parallel-review/template';
import type { Template } from './template';

/** Every template, in the order of the home page. */
export const templates: readonly Template[] = [groundedAnswer, parallelReview, approvalLoop];

export const templateById = (id: string): Template | undefined => templates.find((template) => template.id === id);
