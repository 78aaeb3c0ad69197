import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import type { Json } from '../../contract/json';
import { compared, decided } from '../../layers/shared/explain';
import type { FileObservation } from '../artefacts/file-summary';
import { recordObservation } from './observations';

export const completionGateConfigSchema = z.object({
  minObservations: z.int().min(0).default(1).meta({ title: 'Files that must be recorded before exploration may end' }),
});
export type CompletionGateConfig = z.output<typeof completionGateConfigSchema>;
export const defaultCompletionGateConfig: CompletionGateConfig = completionGateConfigSchema.parse({});

export interface GateVerdict {
  accepted: boolean;
  /** The tool result of a refused `task_complete`, empty when it was accepted. */
  reply: string;
  decision: Decision;
}

/** Whether exploration may end (planning.md §6, hard gate). Count after the other calls of the same turn. */
export function gateTaskComplete(
  observations: readonly FileObservation[],
  config: CompletionGateConfig = defaultCompletionGateConfig,
): GateVerdict {
  const accepted = observations.length >= config.minObservations;
  const because = [compared('observations', observations.length, '>=', config.minObservations)];
  if (accepted) return { accepted, reply: '', decision: decided({ rule: 'exploration_complete', outcome: 'accepted', because }) };
  const lacking = config.minObservations - observations.length;
  return {
    accepted,
    reply: `ERROR: task_complete is refused: ${observations.length} of ${config.minObservations} required files recorded. Call record_file_observation for each relevant file, then task_complete.`,
    decision: decided({
      rule: 'complete_rejected',
      outcome: 'the loop continues',
      because,
      alternatives: [{ outcome: 'accepted', needs: `${lacking} more recorded file${lacking === 1 ? '' : 's'}` }],
    }),
  };
}

export interface TurnCall {
  id: string;
  name: string;
  arguments: Json;
}

export interface TurnOutcome {
  observations: FileObservation[];
  /** Answers to the two calls that belong to exploration itself, by call id; other tools are answered by their own. */
  replies: Record<string, string>;
  complete: boolean;
  decisions: Decision[];
}

/** One turn of exploration: records first, in order, and `task_complete` last wherever it stood, so that `[complete, record]` passes as well. */
export function takeTurn(
  observations: readonly FileObservation[],
  calls: readonly TurnCall[],
  config: CompletionGateConfig = defaultCompletionGateConfig,
): TurnOutcome {
  let known = [...observations];
  const replies: Record<string, string> = {};
  const decisions: Decision[] = [];
  for (const call of calls) {
    if (call.name !== 'record_file_observation') continue;
    const record = recordObservation(known, call.arguments);
    known = record.observations;
    replies[call.id] = record.reply;
    decisions.push(record.decision);
  }
  const completing = calls.filter(({ name }) => name === 'task_complete');
  if (completing.length === 0) return { observations: known, replies, complete: false, decisions };
  const verdict = gateTaskComplete(known, config);
  for (const { id } of completing) replies[id] = verdict.reply;
  return { observations: known, replies, complete: verdict.accepted, decisions: [...decisions, verdict.decision] };
}
