import type { ValidationResults, ValidationStep } from '../artefacts/results';
import { failureText, regressionsNamed } from './failures';
import { defaultPostValidationConfig, type PostValidationConfig } from './plan';

export interface FixPromptParts {
  results: ValidationResults;
  failing: readonly ValidationStep[];
  /** Commands by step, to be run again by the model. */
  commands: Readonly<Partial<Record<ValidationStep, string>>>;
  affected_files: readonly string[];
  memories: string;
  journal: string;
  scratchpad: string;
  regression_pattern?: string;
}

/** Said first when a regression test is among what fails. */
export const regressionBanner = (paths: readonly string[]): string =>
  [
    '## REGRESSION',
    `These regression tests fail: ${paths.join(', ')}.`,
    'They guard behaviour that was agreed on before. They must not be edited, and edits are refused. Mend the code that broke them.',
  ].join('\n');

/** What a model is told to repair failing checks: how to work, what fails, what it may touch, what is known (planning.md §15, 5). */
export function fixPrompt(parts: FixPromptParts, config: PostValidationConfig = defaultPostValidationConfig): string {
  const { results, failing, commands, affected_files, memories, journal, scratchpad } = parts;
  const output = failing.map((step) => results[step]?.full_output ?? '').join('\n');
  const regressions = regressionsNamed(output, parts.regression_pattern);
  const section = (title: string, body: string): string[] => (body.trim() === '' ? [] : [`## ${title}\n${body}`]);
  const list = failing.map((step) => `- ${step}${commands[step] === undefined ? '' : `: ${commands[step]}`}`).join('\n');
  return [
    ...(regressions.length === 0 ? [] : [regressionBanner(regressions)]),
    section(
      'How to work',
      [
        '1. Run what fails again and read its whole output.',
        '2. Diagnose: say in one paragraph what is wrong and why, before you change anything.',
        '3. Fix the cause with the smallest change.',
        '4. Verify: run it again, and end with task_complete only when it passes or you can do no more.',
      ].join('\n'),
    ),
    section('Failing', list),
    section(
      'Files you may change',
      affected_files.length === 0
        ? 'No existing file. New files may be created.'
        : `${affected_files.map((path) => `- ${path}`).join('\n')}\nNew files may be created.`,
    ),
    section('Output', failureText(results, failing, config)),
    section('What earlier repairs taught', memories),
    section('Journal', journal),
    section('Scratchpad', scratchpad),
  ]
    .flat()
    .join('\n\n');
}
