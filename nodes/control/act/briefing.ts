import type { WorldModel } from '@/harness/layers/world-model/state';
import { asText, clip } from '../support/helpers';
import type { ControlChannels } from '../support/state';
import type { Work } from '../support/work';
import type { BriefingConfig } from './briefing-config';

type Part = readonly string[];
const section = (title: string, lines: readonly string[]): Part => (lines.length === 0 ? [] : [[`${title}:`, ...lines].join('\n')]);
const bullets = (lines: readonly string[]): string[] => lines.map((line) => `- ${line}`);

/** What the harness demands of the agent; stands with the system prompt. */
export function demands(state: ControlChannels, config: BriefingConfig): string {
  const { callerState, outputContract, strategyState, controlState } = state;
  const strategy = strategyState.current_strategy;
  return [
    ...section('Success criteria', bullets(callerState.success_criteria)),
    ...section('Constraints', bullets(callerState.current_constraints)),
    ...section('The result must have', bullets([...outputContract.required_sections, ...outputContract.required_interface_fields])),
    ...(outputContract.format === 'text' ? [] : [`Format of the result: ${outputContract.format}`]),
    `Strategy ${strategy}: ${config.strategies[strategy] ?? ''}`.trim(),
    ...(controlState.execution_mode === 'CAUTIOUS'
      ? section('Be cautious: confirm by a tool before you change anything', bullets(controlState.notes.slice(0, 5)))
      : []),
  ].join('\n\n');
}

/** What the harness knows, as material for the agent; stands before the task and is never stored in the conversation. */
export function digest(state: ControlChannels, work: Work, config: BriefingConfig): string {
  const { memoryState, evidenceStore, taskGraph } = state;
  const newest = <T>(items: readonly T[], count: number): readonly T[] => (count === 0 ? [] : items.slice(-count));
  const needs = work.task?.depends_on ?? [];
  const finished = taskGraph.tasks.filter(
    ({ id, status }) => status === 'COMPLETE' && id !== work.id && state.taskResults[id]?.status === 'done',
  );
  const earlier = [...finished.filter(({ id }) => needs.includes(id)), ...finished.filter(({ id }) => !needs.includes(id)).toReversed()];
  return [
    ...section(
      'Results of earlier tasks',
      bullets(
        earlier
          .slice(0, config.earlierResults)
          .map(({ id, description }) => `${description}: ${clip(asText(state.taskResults[id]?.output ?? null), 1000)}`),
      ),
    ),
    ...section(
      'Evidence so far',
      bullets(newest(evidenceStore.observations, config.evidenceItems).map(({ reliability, obs }) => `[${reliability}] ${clip(obs, 300)}`)),
    ),
    ...section('In doubt, do not rely on it', bullets(doubtful(state.worldModel))),
    ...section(
      'Journal',
      bullets(
        newest(memoryState.journal, config.journalEntries).map(
          ({ step, action_class, outcome, success }) => `step ${step}, ${action_class}${success ? '' : ' (failed)'}: ${clip(outcome, 240)}`,
        ),
      ),
    ),
  ].join('\n\n');
}

const doubtful = ({ beliefs, contradictions, stale_flags }: WorldModel): string[] => {
  const disputed = new Set(contradictions.flatMap(({ involved_belief_ids }) => involved_belief_ids));
  return beliefs
    .filter(({ id }) => disputed.has(id) || stale_flags[id] === true)
    .slice(-8)
    .map(({ id, statement }) => `${clip(statement, 240)} (${disputed.has(id) ? 'contradicted' : 'stale'})`);
};
