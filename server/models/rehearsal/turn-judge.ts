import type { ModelRequest } from '@/harness/contract/model';
import { judgeTurnByRules } from '@/harness/layers/adaptive-control/rules';

/** The rehearsal model judges a turn by the deterministic rule set instead of making a judgement up (layers.md R14). */
export function judgedTurn({ messages }: Pick<ModelRequest, 'messages'>): string {
  const asked = messages.findLast(({ role }) => role === 'user');
  return JSON.stringify(judgeTurnByRules(asked?.content ?? ''));
}
