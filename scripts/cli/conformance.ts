import { runConformanceFile } from '@/harness/testing/conformance/run';
import { readArguments, readText, UsageError } from './arguments';
import type { Command } from './commands';
import { print } from './output';

export const conformanceCommand: Command = {
  arguments: 'FILE…',
  summary: 'Runs case files of the control layers',
  async run(args) {
    const { words } = readArguments(args, {});
    if (words.length === 0) throw new UsageError('Name at least one case file.');
    const total = { passed: 0, failed: 0 };
    for (const file of words) {
      const { suite, passed, failed, failures } = runConformanceFile(readText(file));
      total.passed += passed;
      total.failed += failed;
      for (const { id, expected, actual } of failures) {
        print(`${suite} ${id}\n  expected ${JSON.stringify(expected)}\n  actual   ${JSON.stringify(actual)}`);
      }
      print(`${suite}: ${passed} passed, ${failed} failed`);
    }
    print(`${total.passed} passed, ${total.failed} failed`);
    return total.failed === 0 && total.passed > 0 ? 0 : 1;
  },
};
