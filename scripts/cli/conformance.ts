import { toErrorRecord } from '@/harness/contract/errors';
import { runConformanceFile } from '@/harness/testing/conformance/run';
import { readArguments, readText, UsageError } from './arguments';
import type { Command } from './commands';
import { print } from './output';

/** Prints one file's result; a file that cannot be read or is no suite is one failure, and the others still run. */
function runFile(file: string): { passed: number; failed: number } {
  try {
    const { suite, passed, failed, failures } = runConformanceFile(readText(file));
    print(`${suite}: ${passed} passed, ${failed} failed`);
    for (const { id, expected, actual } of failures) {
      print(`  ${id}\n    expected ${JSON.stringify(expected)}\n    actual   ${JSON.stringify(actual)}`);
    }
    return { passed, failed };
  } catch (thrown) {
    print(`${file}: ${toErrorRecord(thrown).message}`);
    return { passed: 0, failed: 1 };
  }
}

export const conformanceCommand: Command = {
  arguments: 'FILE…',
  summary: 'Runs case files of the control layers',
  async run(args) {
    const { words } = readArguments(args, {});
    if (words.length === 0) throw new UsageError('Name at least one case file.');
    const results = words.map(runFile);
    const passed = results.reduce((sum, result) => sum + result.passed, 0);
    const failed = results.reduce((sum, result) => sum + result.failed, 0);
    print(`${passed} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  },
};
