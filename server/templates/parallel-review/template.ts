import { defineTemplate } from '../template';
import flow from './flow.json';
import script from './script.json';

export const parallelReview = defineTemplate({
  id: 'parallel-review',
  title: 'Parallel review',
  summary: 'Three reviewers read a change at the same time, each for one thing; grave findings decide the verdict.',
  flow,
  script,
  sample: { input: { message: 'Review the password reset change.', path: 'change.diff' }, workspace: 'pull-request' },
});
