import { defineTemplate } from '../template';
import flow from './flow.json';
import script from './script.json';

export const debugAFailingTest = defineTemplate({
  id: 'debug-a-failing-test',
  title: 'Debug a failing test',
  summary: 'Five drawn tasks find and mend what a failing test shows; the tests of the folder decide.',
  flow,
  script,
  sample: {
    input: { message: 'A test of the late fees fails since loans carry the hour. Find out why and mend it.' },
    workspace: 'late-fees',
  },
});
