import type { Json } from '../../../contract/json';
import type { RecoveryConfig, StallConfig } from '../../../layers/recovery/config';
import { occurrenceIn } from '../../../layers/recovery/failure-library';
import { detectStall, type StallReason } from '../../../layers/recovery/stall';
import { plainNumber } from '../decision-words';
import type { Wrote } from './conflicts';
import type { LayerPoint } from './history';
import { fieldOf, listAt, numberAt, textAt, textOf, textsAt } from './read';

/** One rung of the ladder. */
export interface Rung {
  strategy: string;
  state: 'current' | 'tried' | 'open';
}

/** A change of strategy and what set it off. */
export interface StrategySwitch extends Wrote {
  from: string;
  to: string;
  trigger: string;
}

/** The ladder in the order that counts: what experience taught, else the configured one; a strategy outside it is a rung of its own. */
export function ladderOf(strategyState: Json, config: Pick<RecoveryConfig, 'order'>): { rungs: Rung[]; learned: boolean } {
  const learned = textsAt(strategyState, 'order');
  const current = textAt(strategyState, 'current_strategy');
  const tried = new Set(textsAt(strategyState, 'tried'));
  const order = learned.length > 0 ? learned : [...config.order];
  const all = [...order, ...[...tried, current].filter((strategy) => strategy !== '' && !order.some((known) => known === strategy))];
  return {
    learned: learned.length > 0,
    rungs: [...new Set(all)].map((strategy) => ({
      strategy,
      state: strategy === current ? 'current' : tried.has(strategy) ? 'tried' : 'open',
    })),
  };
}

/** Every handled failure moved the strategy or kept it: one entry per trigger, oldest first. */
export function strategySwitches(points: readonly LayerPoint[], initial: Json = null): StrategySwitch[] {
  const switches: StrategySwitch[] = [];
  let before = initial;
  for (const { seq, visit, value } of points) {
    const [old, now] = [listAt(before, 'switch_triggers'), listAt(value, 'switch_triggers')];
    const from = textAt(before, 'current_strategy');
    const to = textAt(value, 'current_strategy');
    const fresh = now.slice(old.length).map(textOf);
    if (fresh.length > 0) for (const trigger of fresh) switches.push({ seq, visit, from, to, trigger });
    else if (from !== '' && from !== to) switches.push({ seq, visit, from, to, trigger: '' });
    before = value;
  }
  return switches;
}

/** How near one of the four signals is to saying that the run makes no progress. */
export interface StallSignal {
  reason: StallReason;
  title: string;
  /** What counts, and how much of it there is; the signal fires at `fires`. Zero `fires` means it is switched off. */
  value: number;
  fires: number;
  fired: boolean;
  /** In words: what is counted, and what is missing. */
  detail: string;
}

/** How many entries at the end of a list are equal. */
function run<T>(items: readonly T[]): number {
  let count = 0;
  while (count < items.length && items[items.length - 1 - count] === items[items.length - 1]) count += 1;
  return count;
}

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
const more = (count: number, one: string, many = `${one}s`): string => `${count} more ${count === 1 ? one : many}`;

/** The four signals of the stall rule with their distance to firing (layers.md R10). The first that fires gives the reason. */
export function stallSignals(strategyState: Json, failureDiagnostics: Json, config: StallConfig): StallSignal[] {
  const completions = listAt(strategyState, 'completion_history').filter((count) => typeof count === 'number');
  const risks = textsAt(strategyState, 'risk_state_history');
  const switches = numberAt(strategyState, 'switch_count') ?? 0;
  const classes = listAt(failureDiagnostics, 'failure_history').map((failure) => textAt(failure, 'failure_class'));

  const still = Math.min(run(completions), Math.max(config.completionWindow, 1));
  const gained = completions.length > 0 && completions[completions.length - 1] !== completions[0];
  const same = Math.min(run(classes), Math.max(config.recurrence, 1));
  const recent = risks.slice(-Math.max(config.oscillationWindow, 1)).map((risk) => risk === 'NORMAL');
  const crossings = recent.filter((normal, i) => i > 0 && normal !== recent[i - 1]).length;
  const full = config.oscillationWindow > 0 && risks.length >= config.oscillationWindow;

  const completion = config.completionWindow > 0 && completions.length >= config.completionWindow && still >= config.completionWindow;
  const loop = switches > config.maxSwitches && !gained;
  const recurrence = config.recurrence > 0 && classes.length >= config.recurrence && same >= config.recurrence;
  const swing = full && crossings >= config.crossings;
  return [
    {
      reason: 'completion_velocity',
      title: 'Nothing completed',
      value: still,
      fires: config.completionWindow,
      fired: completion,
      detail: completion
        ? `The last ${config.completionWindow} completion counts are equal.`
        : `${still} of ${config.completionWindow} equal completion counts in a row; ${more(Math.max(0, config.completionWindow - still), 'round')} without a completed task.`,
    },
    {
      reason: 'strategy_loop',
      title: 'Going round in strategies',
      value: switches,
      fires: config.maxSwitches + 1,
      fired: loop,
      detail: loop
        ? `${switches} switches, more than ${config.maxSwitches}, and no task was completed since the first.`
        : switches > config.maxSwitches
          ? `${switches} switches, more than ${config.maxSwitches}, but tasks were completed since the first.`
          : `${counted(switches, 'switch', 'switches')}; ${more(config.maxSwitches + 1 - switches, 'switch', 'switches')} without a completed task.`,
    },
    {
      reason: 'failure_recurrence',
      title: 'The same failure again',
      value: same,
      fires: config.recurrence,
      fired: recurrence,
      detail: recurrence
        ? `The last ${config.recurrence} failures are ${classes[classes.length - 1] ?? ''}.`
        : `${same} of ${config.recurrence} failures of one class in a row${classes.length === 0 ? '' : ` (${classes[classes.length - 1]})`}.`,
    },
    {
      reason: 'risk_oscillation',
      title: 'Risk swings',
      value: crossings,
      fires: config.crossings,
      fired: swing,
      detail: full
        ? `${crossings} of ${config.crossings} crossings of the NORMAL line in the last ${config.oscillationWindow} rounds.`
        : `${counted(crossings, 'crossing')} so far; judged from ${config.oscillationWindow} rounds on, ${more(config.oscillationWindow - risks.length, 'round')}.`,
    },
  ];
}

/** The reason the stall rule itself would give for these numbers. */
export const stallReason = (strategyState: Json, failureDiagnostics: Json, config: StallConfig): StallReason | '' =>
  detectStall(
    {
      strategy: {
        completion_history: listAt(strategyState, 'completion_history').filter((count) => typeof count === 'number'),
        switch_count: numberAt(strategyState, 'switch_count') ?? 0,
        risk_state_history: textsAt(strategyState, 'risk_state_history'),
      },
      failures: listAt(failureDiagnostics, 'failure_history').map((failure) => ({ failure_class: textAt(failure, 'failure_class') })),
    },
    config,
  ).reason;

export interface Symptom {
  text: string;
  observed: boolean;
}

export interface PatternReading {
  id: string;
  failureClass: string;
  description: string;
  affinity: string;
  symptoms: Symptom[];
  matched: boolean;
}

export interface MatchReading {
  pattern: string;
  failureClass: string;
  confidence: number;
  affinity: string;
}

export interface FailureReading {
  id: string;
  failureClass: string;
  description: string;
  taskId: string;
  kind: string;
  handled: boolean;
}

export interface LibraryReading {
  patterns: PatternReading[];
  match: MatchReading | null;
  failures: FailureReading[];
  /** Observations the match was made against. */
  observed: number;
}

/** The library with the symptoms that were observed, and the match as the run recorded it. `observed` are the observations at that write. */
export function libraryReading(failureDiagnostics: Json, observed: readonly string[]): LibraryReading {
  const held = fieldOf(failureDiagnostics, 'matched_pattern');
  const match: MatchReading | null =
    held === undefined || held === null
      ? null
      : {
          pattern: textAt(held, 'matched_pattern'),
          failureClass: textAt(held, 'failure_class'),
          confidence: numberAt(held, 'confidence') ?? 0,
          affinity: textAt(held, 'strategy_affinity'),
        };
  const entries = listAt(fieldOf(failureDiagnostics, 'failure_mode_library'), 'entries');
  const symptomsOf = entries.map((entry) => textsAt(entry, 'symptoms'));
  const occurs = occurrenceIn(observed, Math.max(0, ...symptomsOf.flat().map(({ length }) => length)));
  return {
    patterns: entries.map((entry, position) => ({
      id: textAt(entry, 'id'),
      failureClass: textAt(entry, 'failure_class'),
      description: textAt(entry, 'pattern_description'),
      affinity: textAt(entry, 'strategy_affinity'),
      symptoms: (symptomsOf[position] ?? []).map((text) => ({ text, observed: occurs(text) })),
      matched: match?.pattern === textAt(entry, 'id'),
    })),
    match,
    failures: listAt(failureDiagnostics, 'failure_history').map((failure) => ({
      id: textAt(failure, 'id'),
      failureClass: textAt(failure, 'failure_class'),
      description: textAt(failure, 'description'),
      taskId: textAt(fieldOf(failure, 'context'), 'task_id'),
      kind: textAt(fieldOf(failure, 'context'), 'kind'),
      handled: fieldOf(failure, 'handled') === true,
    })),
    observed: observed.length,
  };
}

/** How the confidence came about: `2 of 4 symptoms; 9 observations: 2 / 9 = 0.222, 0.478 short of 0.7`. */
export function matchWords(pattern: PatternReading, match: MatchReading, observed: number, affinityFrom: number): string {
  const seen = pattern.symptoms.filter((symptom) => symptom.observed).length;
  const whole = Math.max(pattern.symptoms.length, observed);
  const how =
    Math.abs(seen / Math.max(1, whole) - match.confidence) < 0.0005
      ? `${seen} of ${pattern.symptoms.length} symptoms in ${observed} observations: ${seen} / ${whole} = ${plainNumber(match.confidence)}`
      : `confidence ${plainNumber(match.confidence)}`;
  const gap = affinityFrom - match.confidence;
  if (match.affinity === '') return how;
  return gap <= 0
    ? `${how}, at or above ${plainNumber(affinityFrom)}: its strategy is taken`
    : `${how}, ${plainNumber(gap)} short of ${plainNumber(affinityFrom)} from which its strategy is taken`;
}

/** Texts of the observations in a world model. */
export const observationsOf = (worldModel: Json): string[] => listAt(worldModel, 'observations').map((item) => textAt(item, 'content'));
