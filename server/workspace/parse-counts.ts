/** How many tests passed and failed, as the runner itself says. */
export interface TestCounts {
  passed: number;
  failed: number;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for
const colours = /\u001b\[[0-9;?]*[A-Za-z]/g;

const sum = (text: string, pattern: RegExp): number | null => {
  let total: number | null = null;
  for (const match of text.matchAll(pattern)) total = (total ?? 0) + Number(match[1]);
  return total;
};

const last = (text: string, pattern: RegExp): number | null => {
  const value = [...text.matchAll(pattern)].at(-1)?.[1];
  return value === undefined ? null : Number(value);
};

const counted = (passed: number | null, failed: number | null): TestCounts | null =>
  passed === null && failed === null ? null : { passed: passed ?? 0, failed: failed ?? 0 };

/** Errors and failures both are tests that did not pass. */
const added = (...values: (number | null)[]): number | null =>
  values.every((value) => value === null) ? null : values.reduce<number>((total, value) => total + (value ?? 0), 0);

type Parser = (text: string) => TestCounts | null;

const nodeTest: Parser = (text) => {
  const field = (name: string) => last(text, new RegExp(`^(?:#|ℹ) ${name} (\\d+)\\s*$`, 'gm'));
  return field('pass') === null || field('fail') === null ? null : counted(field('pass'), added(field('fail'), field('cancelled')));
};

/** `5 passed, 1 failed, 2 errors in 0.12s`, with or without a frame of `=`. */
const pytest: Parser = (text) => {
  const line = text.match(/^=*\s*((?:(?:\d+ [a-z]+|no tests ran),? ?)+)in [\d.]+s.*$/gm)?.at(-1);
  if (line === undefined) return null;
  const field = (name: RegExp) => last(line, name);
  const passed = field(/(\d+) passed/g);
  const failed = added(field(/(\d+) failed/g), field(/(\d+) errors?/g));
  return counted(passed, failed) ?? (/no tests ran|skipped|deselected/.test(line) ? { passed: 0, failed: 0 } : null);
};

const unittest: Parser = (text) => {
  const ran = last(text, /^Ran (\d+) tests? in /gm);
  if (ran === null) return null;
  const line = text.match(/^(?:OK|FAILED)(?: \(.*\))?\s*$/gm)?.at(-1) ?? '';
  const field = (name: string) => last(line, new RegExp(`\\b${name}=(\\d+)`, 'g')) ?? 0;
  const failed = field('failures') + field('errors') + field('unexpected successes');
  return { passed: Math.max(0, ran - failed - field('skipped')), failed };
};

/** `Tests:       1 failed, 4 passed, 5 total` */
const jest: Parser = (text) => {
  const line = text.match(/^Tests:\s+.*\d+ total\s*$/gm)?.at(-1);
  return line === undefined ? null : { passed: last(line, /(\d+) passed/g) ?? 0, failed: last(line, /(\d+) failed/g) ?? 0 };
};

/** `Tests  1 failed | 4 passed (5)` */
const vitest: Parser = (text) => {
  const line = text.match(/^\s*Tests\s+\d+ (?:passed|failed|skipped|todo).*\(\d+\)\s*$/gm)?.at(-1);
  return line === undefined ? null : { passed: last(line, /(\d+) passed/g) ?? 0, failed: last(line, /(\d+) failed/g) ?? 0 };
};

/** One line for each test binary. */
const cargo: Parser = (text) =>
  counted(sum(text, /^test result: .*?(\d+) passed;/gm), sum(text, /^test result: .*?\d+ passed; (\d+) failed/gm));

/** Tests when they are listed (`-v`), else packages: without it Go names no test that passed. */
const go: Parser = (text) => {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const tests = { passed: count(/^--- PASS: /gm), failed: count(/^--- FAIL: /gm) };
  if (tests.passed > 0) return tests;
  const packages = { passed: count(/^ok\s+\S+\s+(?:[\d.]+s|\(cached\))/gm), failed: count(/^FAIL\s+\S+/gm) };
  return packages.passed + packages.failed > 0 ? { passed: packages.passed, failed: Math.max(packages.failed, tests.failed) } : null;
};

const mocha: Parser = (text) => {
  const passed = last(text, /^\s*(\d+) passing\b/gm);
  return passed === null ? null : { passed, failed: last(text, /^\s*(\d+) failing\b/gm) ?? 0 };
};

const rspec: Parser = (text) => {
  const line = text.match(/^\d+ examples?, \d+ failures?.*$/gm)?.at(-1);
  if (line === undefined) return null;
  const field = (pattern: RegExp) => last(line, pattern) ?? 0;
  const failed = field(/(\d+) failures?/g);
  return { passed: Math.max(0, field(/(\d+) examples?/g) - failed - field(/(\d+) pending/g)), failed };
};

const phpunit: Parser = (text) => {
  const ok = last(text, /^OK \((\d+) tests?,/gm);
  if (ok !== null) return { passed: ok, failed: 0 };
  const line = text.match(/^Tests: \d+, Assertions: \d+.*$/gm)?.at(-1);
  if (line === undefined) return null;
  const field = (name: string) => last(line, new RegExp(`${name}: (\\d+)`, 'g')) ?? 0;
  const failed = field('Failures') + field('Errors');
  return { passed: Math.max(0, field('Tests') - failed - field('Skipped') - field('Incomplete')), failed };
};

const dotnet: Parser = (text) => counted(sum(text, /\bPassed:\s+(\d+)/g), sum(text, /\bFailed:\s+(\d+)/g));

/** Top-level lines of the Test Anything Protocol. What is skipped or still to do counts as neither. */
const tap: Parser = (text) => {
  if (!/^(?:TAP version \d+|1\.\.\d+)/m.test(text)) return null;
  const lines = (text.match(/^(?:not )?ok\b.*$/gm) ?? []).filter((line) => !/#\s*(?:skip|todo)\b/i.test(line));
  const failed = lines.filter((line) => line.startsWith('not')).length;
  return lines.length === 0 ? null : { passed: lines.length - failed, failed };
};

const parsers: readonly Parser[] = [nodeTest, jest, vitest, pytest, unittest, cargo, rspec, phpunit, mocha, dotnet, go, tap];

/** Reads the summary of a test run. `null` when no known runner says how many there were: an exit code is never turned into a count. */
export function parseCounts(output: string): TestCounts | null {
  const text = output.replace(colours, '').replaceAll('\r\n', '\n');
  for (const parse of parsers) {
    const counts = parse(text);
    if (counts !== null) return counts;
  }
  return null;
}
