import { implementNode } from '@/harness/contract/execute';
import { retrievalOf, retrieveMemories } from '@/harness/planning/memory/retrieve';
import { windowOf } from '../support/config';
import { planningState } from '../support/state';
import { memoryReadNode } from './node';

export const executeMemoryRead = implementNode(memoryReadNode, async (context) => {
  const { config } = context;
  const { limit, categories, statuses, searchFactor, windowShare } = config;
  const chosen = config.preset === 'own' ? { limit, categories } : retrievalOf(config.preset);
  const found = retrieveMemories(
    planningState(context).workspaceMemories,
    { query: context.text(config.query), window: windowOf(config), now: await context.now() },
    { ...chosen, statuses, searchFactor, windowShare },
  );
  context.decide(found.decision);
  return { output: { text: found.text, memories: found.rows.map((row) => ({ ...row })) } };
});
