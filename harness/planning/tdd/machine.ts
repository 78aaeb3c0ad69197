import { z } from 'zod';
import type { Decision, Reason } from '../../contract/decision';
import { compared, decided, fact } from '../../layers/shared/explain';
import { defaultTierConfig } from '../context/tier';
import { type CommandExit, classifyExit, runnerExitMapSchema } from './exits';

export const tddStates = [
  'ELIGIBILITY',
  'BASELINE',
  'WRITE_TESTS',
  'RED_CHECK',
  'IMPLEMENT',
  'GREEN_CHECK',
  'POST_VALIDATION',
  'NORMAL',
  'HALTED',
] as const;
export type TddState = (typeof tddStates)[number];

export const haltReasons = [
  'missing_test_command',
  'dirty_baseline',
  'infrastructure_failure',
  'test_writing_failed',
  'unexpected_pass',
  'step_failed',
  'still_red',
] as const;
export type HaltReason = (typeof haltReasons)[number];

export const tddConfigSchema = z.object({
  enabled: z.boolean().default(false).meta({ title: 'Tests first' }),
  smallWindow: z.int().min(0).default(defaultTierConfig.smallWindow).meta({ title: 'Largest window in which it is off, tokens' }),
  runnerExitMap: runnerExitMapSchema,
  dispute: z.boolean().default(false).meta({ title: 'The implementer may dispute a test' }),
  disputeTurns: z.int().min(1).default(10).meta({ title: 'Turns to settle a dispute' }),
});
export type TddConfig = z.output<typeof tddConfigSchema>;
export const defaultTddConfig: TddConfig = tddConfigSchema.parse({});

/** An authored test and the command that runs it alone. */
export interface TargetedCommand {
  step_number: number;
  command: string;
}

/** What each state is judged by. */
export type TddInput =
  | {
      state: 'ELIGIBILITY';
      window: number | null;
      test_command: string;
      test_steps: readonly number[];
      targeted: readonly TargetedCommand[];
    }
  | { state: 'BASELINE'; exit: CommandExit }
  | { state: 'WRITE_TESTS'; complete: boolean; problem?: string }
  | { state: 'RED_CHECK'; targeted: readonly TargetedCommand[]; exits: readonly CommandExit[] }
  | { state: 'IMPLEMENT'; complete: boolean; problem?: string }
  | { state: 'GREEN_CHECK'; targeted: readonly TargetedCommand[]; exits: readonly CommandExit[] };

/** `NORMAL`: the plan is carried out without tests first. `HALTED` always has a reason. */
export interface TddStep {
  state: TddState;
  halt: HaltReason | null;
  decision: Decision;
}

const step = (from: TddState, to: TddState, because: Reason[], more: { halt?: HaltReason; note?: string } = {}): TddStep => ({
  state: to,
  halt: more.halt ?? null,
  decision: decided({
    rule: `TDD: ${from}`,
    outcome: more.halt === undefined ? to : `halt: ${more.halt}`,
    because,
    note: more.note,
  }),
});

const halt = (from: TddState, reason: HaltReason, because: Reason[], note?: string): TddStep =>
  step(from, 'HALTED', because, { halt: reason, ...(note === undefined ? {} : { note }) });

function eligibility(input: Extract<TddInput, { state: 'ELIGIBILITY' }>, config: TddConfig): TddStep {
  const { window, test_command, test_steps, targeted } = input;
  if (!config.enabled) return step('ELIGIBILITY', 'NORMAL', [fact('tests first', false)]);
  if (window !== null && window <= config.smallWindow) {
    return step('ELIGIBILITY', 'NORMAL', [compared('context window', window, '>', config.smallWindow)], {
      note: 'The window is too small for tests first; the plan is carried out in normal mode.',
    });
  }
  const withCommand = new Set(targeted.filter(({ command }) => command.trim() !== '').map(({ step_number }) => step_number));
  const without = test_steps.filter((number) => !withCommand.has(number));
  const because = [
    fact('test command', test_command),
    compared('test steps', test_steps.length, '>', 0),
    fact('test steps without a command of their own', without),
  ];
  return test_command.trim() === '' || test_steps.length === 0 || without.length > 0
    ? halt('ELIGIBILITY', 'missing_test_command', because)
    : step('ELIGIBILITY', 'BASELINE', because);
}

const exitFact = (exit: CommandExit): Reason =>
  fact(exit.command, exit.timed_out ? 'timed out' : exit.signal !== null ? `signal ${exit.signal}` : exit.exit_code);

function baseline(exit: CommandExit, config: TddConfig): TddStep {
  const meant = classifyExit(exit, config.runnerExitMap);
  const because = [exitFact(exit), fact('meaning', meant)];
  if (meant === 'pass') return step('BASELINE', 'WRITE_TESTS', because);
  return halt('BASELINE', meant === 'fail' ? 'dirty_baseline' : 'infrastructure_failure', because);
}

/** Commands that were to run and did not. */
const notRun = (targeted: readonly TargetedCommand[], exits: readonly CommandExit[]): string[] => {
  const ran = new Set(exits.map(({ command }) => command));
  return targeted.map(({ command }) => command).filter((command) => !ran.has(command));
};

function redCheck({ targeted, exits }: Extract<TddInput, { state: 'RED_CHECK' }>, config: TddConfig): TddStep {
  const missing = notRun(targeted, exits);
  const because = [...exits.map(exitFact), ...(missing.length === 0 ? [] : [fact('not run', missing)])];
  const of = (wanted: string): CommandExit[] => exits.filter((exit) => classifyExit(exit, config.runnerExitMap) === wanted);
  if (exits.length === 0 || missing.length > 0 || of('infrastructure').length > 0)
    return halt('RED_CHECK', 'infrastructure_failure', because);
  const passing = of('pass');
  return passing.length > 0
    ? halt(
        'RED_CHECK',
        'unexpected_pass',
        because,
        `Passes before anything is implemented: ${passing.map(({ command }) => command).join(', ')}.`,
      )
    : step('RED_CHECK', 'IMPLEMENT', because);
}

function greenCheck({ targeted, exits }: Extract<TddInput, { state: 'GREEN_CHECK' }>, config: TddConfig): TddStep {
  const missing = notRun(targeted, exits);
  const red = exits.filter((exit) => classifyExit(exit, config.runnerExitMap) !== 'pass');
  const because = [
    ...exits.map(exitFact),
    compared('commands not green', red.length + missing.length, '==', 0),
    fact(
      'of these for infrastructure',
      red.filter((exit) => classifyExit(exit, config.runnerExitMap) === 'infrastructure').map(({ command }) => command),
    ),
  ];
  return exits.length === 0 || missing.length > 0 || red.length > 0
    ? halt('GREEN_CHECK', 'still_red', because)
    : step('GREEN_CHECK', 'POST_VALIDATION', because);
}

/** One step of the machine of planning.md §14. Red and green go by exit codes, never by output. */
export function tddNext(input: TddInput, config: TddConfig = defaultTddConfig): TddStep {
  switch (input.state) {
    case 'ELIGIBILITY':
      return eligibility(input, config);
    case 'BASELINE':
      return baseline(input.exit, config);
    case 'WRITE_TESTS':
      return input.complete
        ? step('WRITE_TESTS', 'RED_CHECK', [fact('all test steps complete', true)])
        : halt('WRITE_TESTS', 'test_writing_failed', [fact('all test steps complete', false)], input.problem);
    case 'RED_CHECK':
      return redCheck(input, config);
    case 'IMPLEMENT':
      return input.complete
        ? step('IMPLEMENT', 'GREEN_CHECK', [fact('all steps complete', true)])
        : halt('IMPLEMENT', 'step_failed', [fact('all steps complete', false)], input.problem);
    case 'GREEN_CHECK':
      return greenCheck(input, config);
  }
}

/** Whether test files are locked (G2): from the first implementation step until the check is green. */
export const isTddLocked = (state: TddState): boolean => state === 'IMPLEMENT' || state === 'GREEN_CHECK';
