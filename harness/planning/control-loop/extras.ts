import { compared, decided, fact } from '../../layers/shared/explain';
import { findClaims, hasUnverifiedMark } from '../claims/claims';
import type { DetectedLoop } from './calls';
import type { LoopConfig } from './config';
import type { LoopState } from './state';
import type { Extra, Firing, Turn } from './turn';

type Fired = Firing & { extra: Extra };

export const loopNudge = (loop: DetectedLoop, turn: Turn, config: LoopConfig): Fired => ({
  extra: { key: 'loop', text: config.texts.loop },
  event: { kind: 'loop_detected', tool_name: loop.tool_name, count: loop.count, turn_index: turn.turn_index },
  decision: decided({
    rule: 'control loop: loop detection',
    outcome: 'ask for a different approach',
    because: [compared('same calls in a row', loop.count, '>=', config.loopDetection), fact('tool', loop.tool_name)],
    alternatives: [{ outcome: 'say nothing', needs: 'another tool, or other arguments' }],
    note: 'The count starts again from 0.',
  }),
});

export const reasoningNudge = (interrupts: number, turn: Turn, config: LoopConfig): Fired => ({
  extra: { key: 'reasoning_budget', text: config.texts.reasoning },
  event: { kind: 'nudge', key: 'reasoning_budget', turn_index: turn.turn_index },
  decision: decided({
    rule: 'control loop: reasoning budget',
    outcome: 'ask to commit',
    because: [compared('thinking aborted in a row', interrupts, '>', config.reasoningInterrupts)],
    alternatives: [{ outcome: 'exit', needs: `${config.reasoningInterrupts + 1} in a row` }],
  }),
});

const used = (turn: Turn, tools: readonly string[]): string[] => [
  ...new Set(turn.calls.map(({ name }) => name).filter((name) => tools.includes(name))),
];

/** A claim about the outside world while checks keep failing and nothing was looked up. `state` already holds this turn's checks. */
export function claimNudge(turn: Turn, state: LoopState, config: LoopConfig): Fired | null {
  if (!config.claimVerification || state.recent_test_failures < config.claimFailures) return null;
  if (used(turn, [...config.searchTools, ...config.readTools]).length > 0) return null;
  const [claim] = findClaims(turn.text, config.claims);
  if (claim === undefined) return null;
  return {
    extra: { key: 'claim', text: config.texts.claim },
    event: { kind: 'claim_unverified', turn_index: turn.turn_index, recent_test_failures: state.recent_test_failures },
    decision: decided({
      rule: 'control loop: claim verification',
      outcome: 'ask for a search',
      because: [
        compared('failing checks in a row', state.recent_test_failures, '>=', config.claimFailures),
        fact('claim', claim.match),
        fact('kind of claim', claim.kind),
        fact('search or read tools used this turn', 0),
      ],
      alternatives: [{ outcome: 'say nothing', needs: 'a search or read tool in the same turn' }],
      note: 'The streak of failing checks starts again from 0.',
    }),
  };
}

export function confidenceNudge(turn: Turn, config: LoopConfig): Fired | null {
  if (!config.confidenceCheck || !hasUnverifiedMark(turn.text)) return null;
  const available = config.searchTools.filter((tool) => turn.offered.includes(tool));
  if (available.length === 0 || used(turn, config.searchTools).length > 0) return null;
  return {
    extra: { key: 'confidence', text: config.texts.confidence },
    event: { kind: 'nudge', key: 'confidence', turn_index: turn.turn_index },
    decision: decided({
      rule: 'control loop: confidence check',
      outcome: 'ask to verify',
      because: [fact('text holds [UNVERIFIED]', true), fact('search tools at hand', available), fact('search tools used this turn', 0)],
      alternatives: [{ outcome: 'say nothing', needs: 'a search tool in the same turn' }],
    }),
  };
}
