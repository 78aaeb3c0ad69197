import { z } from 'zod';
import type { ExecuteContext } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import { beliefsToCheck, type ExternalContradiction, isCompletionTrail } from '@/harness/layers/contradiction/external';
import type { Belief } from '@/harness/layers/world-model/state';
import { layerSkipped } from '../support/helpers';
import { modelCheck } from '../support/model-check';
import type { ControlChannels } from '../support/state';
import type { contradiction } from './node';

type Context = ExecuteContext<ConfigOf<typeof contradiction>>;

const replySchema = z.object({
  conflicts: z.array(
    z.object({ beliefs: z.array(z.string()), reason: z.string(), severity: z.enum(['LOW', 'MEDIUM', 'HIGH']).default('MEDIUM') }),
  ),
});

export interface SemanticResult {
  conflicts: ExternalContradiction[];
  /** Beliefs that count as looked at from now on, also when the call failed: the words stood in for it. */
  checkedIds: string[];
  /** `failed`: the words decide instead. `idle`: there was nothing to ask about. */
  status: 'done' | 'failed' | 'idle';
}

/** One call about beliefs that are new since the last one; the trail of finished tasks is left out (layers.md R0, R4). */
export async function semanticCheck(context: Context, state: ControlChannels): Promise<SemanticResult> {
  const { config } = context;
  const seen = new Set(state.progress.checked_belief_ids);
  const worthy = state.worldModel.beliefs.filter((belief) => !isCompletionTrail(belief));
  const sets = beliefsToCheck(worthy, seen);
  if (!config.semantic || sets === null || layerSkipped(context, state, 'semantic_contradiction'))
    return { conflicts: [], checkedIds: [...seen], status: 'idle' };
  const fresh = sets.fresh.slice(-config.maxBeliefs);
  const known = sets.known.slice(-Math.max(0, config.maxBeliefs - fresh.length) || sets.known.length);
  const shown = fresh.length >= config.maxBeliefs ? fresh : [...fresh, ...known];
  if (shown.length < worthy.length)
    context.log('warning', `${worthy.length - shown.length} of ${worthy.length} beliefs did not fit into the check by meaning.`);
  const answer = await modelCheck(context, {
    what: 'contradictions by meaning',
    role: config.role,
    schema: replySchema,
    otherwise: 'the comparison by words stands',
    system: [
      'Name every set of two or three beliefs that cannot all be true at the same time, where at least one of them is new.',
      'Use the ids exactly as given. Different topics, or different times that do not exclude each other, are no conflict. An empty list is a good answer.',
      config.grading
        ? 'severity: HIGH when work built on them would be wrong whichever is believed, MEDIUM when it may be, LOW when it hardly matters.'
        : 'severity: MEDIUM.',
      'Reply with JSON.',
    ].join('\n'),
    prompt: [`New beliefs:\n${listed(fresh)}`, `Other beliefs:\n${listed(shown.slice(fresh.length)) || '(none)'}`].join('\n\n'),
  });
  const checkedIds = [...seen, ...sets.fresh.map(({ id }) => id)];
  if (answer === null) return { conflicts: [], checkedIds, status: 'failed' };
  const freshIds = new Set(fresh.map(({ id }) => id));
  const shownIds = new Set(shown.map(({ id }) => id));
  const conflicts = answer.conflicts.flatMap(({ beliefs, reason, severity }): ExternalContradiction[] => {
    const ids = [...new Set(beliefs)];
    // a model that names what it was not shown, or only what was compared before, has found nothing
    if (ids.length < 2 || !ids.every((id) => shownIds.has(id)) || !ids.some((id) => freshIds.has(id))) return [];
    return [{ beliefIds: ids, description: reason, severity: config.grading ? severity : undefined }];
  });
  return { conflicts, checkedIds, status: 'done' };
}

const listed = (beliefs: readonly Belief[]): string =>
  beliefs.map(({ id, statement, confidence }) => `- ${id} (confidence ${confidence}): ${statement}`).join('\n');
