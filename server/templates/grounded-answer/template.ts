import { defineTemplate } from '../template';
import flow from './flow.json';
import script from './script.json';

export const groundedAnswer = defineTemplate({
  id: 'grounded-answer',
  title: 'Grounded answer',
  summary: 'Answers from the files of a folder and cites the lines it has read; a person decides when the evidence is thin.',
  flow,
  script,
  sample: { input: { message: 'How often is a failed delivery tried again, and where is that set?' }, workspace: 'webhook-relay' },
});
