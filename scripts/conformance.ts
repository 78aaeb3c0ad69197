import { readFileSync } from 'node:fs';
import { runConformanceFile } from '../harness/testing/conformance/run';

/**
 * Runs conformance files and prints `suite: N passed, N failed` per file, each failure with id, expected and actual, and a last
 * line with the sums. Returns the exit code: 1 on any failure, 2 when a file cannot be read or is no suite.
 */
export function runConformance(files: readonly string[], print: (line: string) => void): number {
  let passed = 0;
  let failed = 0;
  let unreadable = 0;
  for (const file of files) {
    try {
      const report = runConformanceFile(readFileSync(file, 'utf8'));
      passed += report.passed;
      failed += report.failed;
      print(`${report.suite}: ${report.passed} passed, ${report.failed} failed`);
      for (const { id, expected, actual } of report.failures) {
        print(`  ${id}\n    expected ${JSON.stringify(expected)}\n    actual   ${JSON.stringify(actual)}`);
      }
    } catch (thrown) {
      unreadable += 1;
      print(`${file}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  }
  print(`${passed} passed, ${failed} failed`);
  if (unreadable > 0) return 2;
  return failed > 0 ? 1 : 0;
}
