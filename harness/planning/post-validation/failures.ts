import type { ValidationResults, ValidationStep } from '../artefacts/results';
import { lastLines } from '../context/tool-output';
import { regressionPattern } from '../guards/path-rules';
import { defaultPostValidationConfig, type PostValidationConfig } from './plan';

/** A path in the output of a tool: it may stand in quotes or brackets, with a line behind it, or with the name of a test (`a.py::test_b`). */
const pathLike = /[^\s"'`()[\]{}<>,;|=]+/g;

/** Regression tests that an output names, each once, in their order. */
export function regressionsNamed(output: string, pattern: string = regressionPattern): string[] {
  const found = new Set<string>();
  const convention = new RegExp(pattern);
  for (const [word] of output.matchAll(pathLike)) {
    const path = (word.split('::')[0] ?? '').replace(/^(?:file:\/\/|a\/|b\/)/, '').replace(/(?::\d+)*[:.,]*$/, '');
    if (path !== '' && convention.test(path.replaceAll('\\', '/'))) found.add(path);
  }
  return [...found];
}

/** The first line that names an error, for a search in what earlier repairs taught. */
export function firstErrorLine(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  return (
    lines.find((line) => /\b(?:error|fail(?:ed|ure)?|exception|panic(?:ked)?|assert\w*|not ok)\b|Error\b|Exception\b/i.test(line)) ??
    lines.find((line) => line !== '') ??
    ''
  );
}

/** What to look for among memories: the failing steps and the first error line of each. */
export const memoryQuery = (results: ValidationResults, failing: readonly ValidationStep[]): string =>
  [...failing, ...failing.map((step) => firstErrorLine(results[step]?.full_output ?? ''))].filter((part) => part !== '').join(' ');

/** The failures as the model sees them: whole up to 8,000 characters, else their last 80 lines, and never more than that. */
export function failureText(
  results: ValidationResults,
  failing: readonly ValidationStep[],
  config: PostValidationConfig = defaultPostValidationConfig,
): string {
  const text = failing.map((step) => `### ${step}\n${results[step]?.full_output ?? ''}`).join('\n\n');
  if (text.length <= config.failureLimit) return text;
  const tail = lastLines(text, config.failureLines);
  // Lines can be of any length.
  return tail.length <= config.failureLimit ? tail : tail.slice(tail.length - config.failureLimit);
}
