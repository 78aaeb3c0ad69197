import type { Decision } from '@/harness/contract/decision';
import type { ExecuteContext } from '@/harness/contract/execute';
import { isJsonObject, type Json } from '@/harness/contract/json';
import { type Task, taskById } from '@/harness/layers/planning/state';
import { formatInstant } from '@/harness/layers/shared/instant';
import type { ControlChannels } from './state';

/** Records decisions in their order. */
export function decideAll(context: Pick<ExecuteContext, 'decide'>, decisions: readonly Decision[]): void {
  for (const decision of decisions) context.decide(decision);
}

/** The task this branch works on; `null` when none is chosen or it is no longer in the graph. */
export const currentTask = ({ currentTask: id, taskGraph }: Pick<ControlChannels, 'currentTask' | 'taskGraph'>): Task | null =>
  id === null ? null : (taskById(taskGraph, id) ?? null);

/** The run's clock as an ISO 8601 timestamp. Durable: a resumed visit sees the same. */
export const isoNow = async (context: Pick<ExecuteContext, 'now'>): Promise<string> => formatInstant(await context.now());

/** The message of the turn: `input.message`, or the whole input as text. */
export function messageOf(input: Json): string {
  if (typeof input === 'string') return input;
  if (isJsonObject(input) && typeof input.message === 'string') return input.message;
  return input === null ? '' : JSON.stringify(input);
}

/** `text` cut at `length` characters, with a mark where something is missing. */
export const clip = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length)}…`);

/** Text of any JSON value: a string as it is, anything else as JSON. */
export const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** True when the turn's layer policy leaves this layer or check out; then a decision says so (layers.md R14, layer policy `adaptive`). */
export function layerSkipped(
  context: Pick<ExecuteContext, 'decide'>,
  { progress }: Pick<ControlChannels, 'progress'>,
  layer: string,
): boolean {
  if (!progress.skipped_layers.includes(layer)) return false;
  context.decide({ rule: 'layer policy', outcome: `${layer} is left out of this turn`, because: [{ name: 'layer', value: layer }] });
  return true;
}
