import { defineTemplate } from '../template';
import flow from './flow.json';
import script from './script.json';

export const leanLoop = defineTemplate({
  id: 'lean-loop',
  title: 'Lean loop',
  summary: 'The smallest loop that still checks its work: control state, planning, execution, evidence, verification and recovery.',
  flow,
  script,
  sample: { input: { message: 'The notice must say how many days late a loan is.' }, workspace: 'late-fees' },
});
