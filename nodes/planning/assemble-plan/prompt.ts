import { missingFilesBlock } from '@/harness/planning/assembly/assemble';
import { contextPart, designOf, designPart, scopePart, taskPart } from '../support/material';
import { prompt } from '../support/prompt';
import type { PlanningChannels } from '../support/state';

const rules = [
  'You turn a finished design into an execution plan for a change to a code base.',
  '',
  '- One step is exactly one tool call. Allowed tools: create_file, edit_file, read_file, run_command, run_tests, run_lint, format_code.',
  '- Whoever carries a step out sees this step alone, in a fresh conversation: give exact snippets, paths, signatures, the place in the file, and a reason.',
  '- Use only paths that the material below names. Signatures come from its snippets, never from memory.',
  '- Order the steps so that nothing is used before it exists.',
  '- name_registry: one entry for each entity that several files name. Each file in registered_in has an edit_file step.',
  '- affected_files: every file that a step creates or edits.',
  '- user_summary: for the person who approves the plan, in plain words, at most 1,000.',
  '- Tests are added in a later phase; say in test_strategy what they have to show.',
].join('\n');

const testability = [
  'TESTABILITY',
  'A step that touches the clock, random numbers, the network, the file system, standard input or output, a main loop, the environment or a',
  'subprocess names in its instruction the seam that tests will use: an injected parameter, a factory, or a pure function taken out.',
].join('\n');

const contracts =
  'Each step also has a contract: job, inputs, may_change, must_not_change, allowed_tools, output_shape, success_checks (each with a tool and the exact command), blocked_protocol.';

export const planSystem = (options: { testability: boolean; contracts: boolean; instructions: string }): string =>
  prompt(rules, options.testability ? testability : '', options.contracts ? contracts : '', options.instructions);

/** Scope and project context are not put in again when the window is small (planning.md §0). */
export const planPrompt = (channels: PlanningChannels, { task, files, whole }: { task: string; files: string; whole: boolean }): string =>
  prompt(
    taskPart(task),
    whole ? scopePart(channels) : '',
    whole ? contextPart(channels) : '',
    designPart(channels),
    files,
    missingFilesBlock(designOf(channels).missing_files),
  );
