import { planPath } from '../artefacts/paths';
import type { PlanStep } from '../artefacts/plan-step';
import { isWriteStep } from '../artefacts/plan-step';
import { commandText } from '../guards/command-line';
import { isRegressionPath, isTestFilePath } from '../guards/path-rules';
import { commandsOf, programName } from '../guards/unwrap-command';
import type { TargetedCommand } from './machine';

/** Steps of the tests-first phase that write a test; others set up what tests need and have no command of their own. */
export const authoredTests = (steps: readonly PlanStep[]): PlanStep[] =>
  steps.filter((step) => isWriteStep(step) && (isTestFilePath(planPath(step.file_path)) || isRegressionPath(planPath(step.file_path))));

/** Runners that run only the files they are given. */
const takesFiles: ReadonlySet<string> = new Set([
  'pytest',
  'py.test',
  'vitest',
  'jest',
  'mocha',
  'ava',
  'tap',
  'rspec',
  'phpunit',
  'pest',
  'bats',
  'playwright',
]);
const scripts: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun']);

/** `Command: …` on a line of its own in the context, as phase 5 is told to write it. */
const saidCommand = ({ context }: PlanStep): string | undefined => /^[ \t]*Command:[ \t]*`?([^`\n]*[^`\s])`?[ \t]*$/m.exec(context)?.[1];

/**
 * The command that runs the test of a step alone; blank when none is known (planning.md §14). First what the step's contract gives as a check,
 * then what its context says, then the test command with the file behind it, for runners that take files.
 */
export function targetedCommand(step: PlanStep, testCommand: string): TargetedCommand {
  const check = step.contract?.success_checks.find(({ command }) => command.trim() !== '');
  const command = check?.command.trim() ?? saidCommand(step) ?? ofFile(planPath(step.file_path), testCommand.trim());
  return { step_number: step.step_number, command };
}

function ofFile(path: string, testCommand: string): string {
  const [argv, ...others] = commandsOf(testCommand);
  if (argv === undefined || argv === null || others.length > 0 || path === '') return '';
  const file = commandText([path]);
  const words = argv.map((word) => programName(word));
  const [program = '', ...rest] = words;
  if (program === 'node' && rest.includes('--test')) return `${withoutFiles(testCommand, argv, rest.lastIndexOf('--test') + 2)} ${file}`;
  if (program === 'cargo') return cargoTest(path, testCommand);
  if (program === 'go') return `go test ./${path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''}`;
  if (/^python[\d.]*$/.test(program) && rest.includes('unittest')) return `${argv[0]} -m unittest ${file}`;
  if (words.slice(0, 4).some((word) => takesFiles.has(word))) return `${testCommand} ${file}`;
  // What stands behind `--` reaches the runner that the script calls.
  if (scripts.has(program) && words.some((word) => word === 'test' || word.startsWith('test:')))
    return program === 'npm' && !argv.includes('--') ? `${testCommand} -- ${file}` : `${testCommand} ${file}`;
  return '';
}

/** The command up to a word: files that it names itself would run as well. Options before them stay. */
const withoutFiles = (testCommand: string, argv: readonly string[], from: number): string => {
  const files = argv.slice(from).filter((word) => !word.startsWith('-'));
  return files.length === 0 ? testCommand : commandText(argv.filter((word, at) => at < from || !files.includes(word)));
};

/** An integration test of Cargo is a target by its file's name; unit tests stand in the source and have none. */
function cargoTest(path: string, testCommand: string): string {
  const target = /(?:^|\/)tests\/([\w-]+)\.rs$/.exec(path)?.[1];
  return target === undefined ? '' : `${testCommand} --test ${target}`;
}
