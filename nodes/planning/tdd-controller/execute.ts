import { type ExecuteContext, implementNode } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import type { CommandExit } from '@/harness/planning/tdd/exits';
import { type TddInput, type TddState, type TddStep, tddConfigSchema, tddNext } from '@/harness/planning/tdd/machine';
import { authoredTests, targetedCommand } from '@/harness/planning/tdd/targeted';
import type { TddProgress } from '../channels';
import { progressOf } from '../support/execution-progress';
import { requirePlan } from '../support/material';
import { runCommand, tellResult } from '../support/run-command';
import { type PlanningChannels, planningState, planningWrites } from '../support/state';
import { workspaceCommands } from '../support/workspace-commands';
import { tddControllerNode } from './node';

type Context = ExecuteContext<ConfigOf<typeof tddControllerNode>>;

const tool = 'run_tests';

/** The port by which each resting state leaves; the others are passed within one visit. */
const ports: Partial<Record<TddState, string>> = {
  WRITE_TESTS: 'tests',
  IMPLEMENT: 'implement',
  NORMAL: 'implement',
  POST_VALIDATION: 'green',
  HALTED: 'halt',
};

/**
 * One visit goes from where the machine rests to where it rests next, running what it must see (planning.md §14). The steps themselves are
 * carried out by what is drawn behind `tests` and `implement`, which lead back here.
 */
export const executeTddController = implementNode(tddControllerNode, async (context) => {
  const state = planningState(context);
  const machine = new Machine(context, state);
  await machine.advance();
  const { progress, exits } = machine;
  return {
    port: machine.finished ? 'green' : (ports[progress.state] ?? 'halt'),
    output: {
      state: progress.state,
      halt: progress.halt,
      problem: progress.problem,
      commands: exits.map(({ command, exit_code }) => ({ command, exit_code })),
    },
    writes: planningWrites({ tddState: progress }),
  };
});

class Machine {
  progress: TddProgress;
  /** A plan that was carried out without tests first. */
  finished = false;
  readonly exits: CommandExit[] = [];
  readonly #config;
  #testCommand = '';

  constructor(
    private readonly context: Context,
    private readonly state: PlanningChannels,
  ) {
    const { enabled, smallWindow, runnerExitMap } = context.config;
    this.#config = tddConfigSchema.parse({ enabled, smallWindow, runnerExitMap });
    this.progress = state.tddState;
  }

  async advance(): Promise<void> {
    switch (this.progress.state) {
      case 'HALTED':
      case 'POST_VALIDATION':
        return;
      case 'NORMAL':
        return this.#afterNormal();
      case 'WRITE_TESTS':
        return this.#afterTests();
      case 'IMPLEMENT':
        return this.#afterImplementation();
      default:
        return this.#begin();
    }
  }

  async #begin(): Promise<void> {
    const plan = requirePlan(this.context, this.state);
    const { enabled } = this.#config;
    if (enabled) this.#testCommand = (await workspaceCommands(this.context)).test;
    const tests = authoredTests(plan.tdd_test_steps);
    const targeted = tests.map((step) => targetedCommand(step, this.#testCommand));
    this.progress = { ...this.progress, targeted };
    const window = this.context.config.contextWindow;
    const test_steps = tests.map(({ step_number }) => step_number);
    this.#take(tddNext({ state: 'ELIGIBILITY', window, test_command: this.#testCommand, test_steps, targeted }, this.#config));
    if (this.progress.state === 'BASELINE')
      this.#take(tddNext({ state: 'BASELINE', exit: await this.#run(this.#testCommand) }, this.#config));
  }

  async #afterTests(): Promise<void> {
    const written = progressOf(requirePlan(this.context, this.state).tdd_test_steps, this.state);
    this.#take(tddNext({ state: 'WRITE_TESTS', ...written }, this.#config), written.problem);
    if (this.progress.state === 'RED_CHECK') this.#take(tddNext(await this.#check('RED_CHECK'), this.#config));
  }

  async #afterImplementation(): Promise<void> {
    const done = progressOf(requirePlan(this.context, this.state).steps, this.state);
    this.#take(tddNext({ state: 'IMPLEMENT', ...done }, this.#config), done.problem);
    if (this.progress.state === 'GREEN_CHECK') this.#take(tddNext(await this.#check('GREEN_CHECK'), this.#config));
  }

  /** The plan as a whole has been carried out, or it has not. */
  #afterNormal(): void {
    const plan = requirePlan(this.context, this.state);
    const { complete, problem } = progressOf([...plan.tdd_test_steps, ...plan.steps], this.state);
    this.context.decide({
      rule: 'TDD: NORMAL',
      outcome: complete ? 'carried out' : 'halt: step_failed',
      because: [{ name: 'all steps complete', value: complete, holds: complete }],
      ...(problem === '' ? {} : { note: problem }),
    });
    this.finished = complete;
    if (!complete) this.progress = { ...this.progress, state: 'HALTED', halt: 'step_failed', problem };
  }

  /** Runs the command of each authored test, one after another: two runners at once disturb each other’s files. */
  async #check(state: 'RED_CHECK' | 'GREEN_CHECK'): Promise<TddInput> {
    const { targeted } = this.progress;
    const exits: CommandExit[] = [];
    for (const command of new Set(targeted.map((test) => test.command))) exits.push(await this.#run(command));
    return { state, targeted, exits };
  }

  async #run(command: string): Promise<CommandExit> {
    const run = await runCommand(this.context, { tool, command, timeoutSeconds: this.context.config.timeoutSeconds });
    tellResult(this.context, { tool, run });
    const exit: CommandExit = { command, exit_code: run.exit_code, timed_out: run.timed_out, signal: run.signal };
    this.exits.push(exit);
    return exit;
  }

  #take({ state, halt, decision }: TddStep, problem = ''): void {
    this.context.decide(decision);
    this.progress = {
      ...this.progress,
      state,
      halt,
      problem: halt === null ? '' : problem || (decision.note ?? '') || halt.replaceAll('_', ' '),
    };
  }
}
