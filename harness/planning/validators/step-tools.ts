import { compared, fact } from '../../layers/shared/explain';
import { allSteps, type Check } from './context';

/** V4: steps use the allowed tools only. Plan assembly strips the others before it asks; here they are told. */
export const stepToolsAllowed: Check = {
  title: 'Step tools allowed',
  run(context) {
    const { allowedTools } = context.config;
    const stray = allSteps(context).filter(({ tool }) => !allowedTools.includes(tool));
    return {
      warnings: stray.map(({ step_number, tool }) => `step ${step_number} uses a tool that is not allowed: ${tool}`),
      because: [compared('steps with other tools', stray.length, '==', 0), fact('allowed tools', allowedTools)],
    };
  },
};
