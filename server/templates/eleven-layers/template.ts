import { defineTemplate } from '../template';
import flow from './flow.json';
import script from './script.json';

export const elevenLayers = defineTemplate({
  id: 'eleven-layers',
  title: 'Eleven layers',
  summary:
    'The whole control plane around an agent: it senses, judges, plans, gates, acts, checks and recovers, each layer a node you can open.',
  flow,
  script,
  sample: {
    input: {
      message:
        'Correct the late fee: the first day after grace must cost one day whatever the hour, and the rules for the desk must say what the code does.',
    },
    workspace: 'late-fees',
  },
});
