import { defineTemplate } from '../template';
import flow from './flow.json';
import script from './script.json';

export const planAndBuild = defineTemplate({
  id: 'plan-and-build',
  title: 'Plan and build',
  summary:
    'From a request to a validated change: it asks, explores, designs and plans; you approve; then tests first, the change, the checks, and repairs.',
  flow,
  script,
  sample: {
    input: {
      message: 'Add a password-reset flow: whoever forgot a password can ask for a mail with a link and set a new one.',
    },
    workspace: 'notes-api',
  },
  answers: [
    { node: 'clarify', choice: 'answered', values: { answer: 'End all open sessions. A link is good for one hour.' } },
    { node: 'approval', choice: 'feedback', values: { feedback: 'Please document the two routes in docs/api.md as well.' } },
    { node: 'approval', choice: 'approve' },
  ],
});
