import { defineTemplate } from '../template';
import flow from './flow.json';
import script from './script.json';

export const approvalLoop = defineTemplate({
  id: 'approval-loop',
  title: 'Approval loop',
  summary: 'Drafts a text, asks a person, and revises it at most five times until it is approved.',
  flow,
  script,
  sample: { input: { message: 'Write the release note from the brief.', path: 'brief.md' }, workspace: 'product-brief' },
  answers: [
    { node: 'approval', choice: 'rejected', values: { change: 'Do not promise an exact outage length.' } },
    { node: 'approval', choice: 'approved' },
  ],
});
