import type { ExecuteContext } from '@/harness/contract/execute';
import { type RetrievalConfig, retrieveMemories } from '@/harness/planning/memory/retrieve';
import { planningState } from './state';

/** Memories for a prompt as text, empty when none fits; what was injected is a decision (planning.md §16). */
export async function recall(
  context: Pick<ExecuteContext, 'state' | 'now' | 'decide'>,
  { query, window, retrieval }: { query: string; window: number; retrieval: RetrievalConfig | null },
): Promise<string> {
  const { workspaceMemories } = planningState(context);
  if (retrieval === null || workspaceMemories.length === 0) return '';
  const found = retrieveMemories(workspaceMemories, { query, window, now: await context.now() }, retrieval);
  context.decide(found.decision);
  return found.text;
}
