import type { Decision } from '../../contract/decision';
import { internalSources } from '../evidence/gather';
import type { ToolManifest } from '../evidence/state';
import { compared, decided, fact } from '../shared/explain';

/** The tools of a manifest without the harness's own sources, which are always there. */
export const outsideTools = (manifest: ToolManifest): ToolManifest =>
  Object.fromEntries(Object.entries(manifest).filter(([name]) => !internalSources.some((source) => source === name)));

/**
 * Whether evidence may be gathered now, given that it is worth it: once between two turns, or once per task, else a run whose value of
 * information stays high would look for ever and never act.
 */
export function mayGather(
  input: { worth: boolean; justGathered: boolean; turns: number },
  oncePerTask: boolean,
): { gather: boolean; decision: Decision | null } {
  if (!input.worth) return { gather: false, decision: null };
  const again = input.justGathered || (oncePerTask && input.turns > 0);
  if (!again) return { gather: true, decision: null };
  return {
    gather: false,
    decision: decided({
      rule: input.justGathered ? 'gathered since the last turn' : 'gathered once for this task',
      outcome: 'act',
      because: [fact('evidence was just gathered', input.justGathered), compared('turns of this task', input.turns, '>', 0)],
      alternatives: [{ outcome: 'gather', needs: input.justGathered ? 'a turn of the task' : '“Gather once per task” switched off' }],
    }),
  };
}
