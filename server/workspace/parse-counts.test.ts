import { describe, expect, it } from 'vitest';
import { parseCounts } from './parse-counts';

describe('what test runners say', () => {
  it.each([
    ['node, spec', '✔ a (1ms)\nℹ tests 3\nℹ pass 2\nℹ fail 1\nℹ cancelled 0\nℹ skipped 0\n', [2, 1]],
    ['node, TAP', 'TAP version 13\nok 1 - a\n# tests 3\n# pass 1\n# fail 1\n# cancelled 1\n', [1, 2]],
    ['pytest', '==== 1 failed, 4 passed, 2 errors, 1 skipped in 0.12s ====\n', [4, 3]],
    ['pytest -q', '.....\n5 passed in 0.01s\n', [5, 0]],
    ['pytest, long', '== 2 passed, 1 warning in 75.20s (0:01:15) ==\n', [2, 0]],
    ['pytest, nothing', '=== no tests ran in 0.00s ===\n', [0, 0]],
    ['unittest', '..F\nRan 5 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1)\n', [2, 2]],
    ['unittest, good', 'Ran 1 test in 0.001s\n\nOK\n', [1, 0]],
    ['jest', 'Test Suites: 1 failed, 1 total\nTests:       1 failed, 1 skipped, 4 passed, 6 total\nTime: 1 s\n', [4, 1]],
    ['vitest', ' Test Files  1 failed | 1 passed (2)\n      Tests  1 failed | 4 passed | 1 skipped (6)\n', [4, 1]],
    [
      'vitest, colours',
      '\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m4 passed\u001b[39m\u001b[22m\u001b[90m (4)\u001b[39m\n',
      [4, 0],
    ],
    ['cargo, two binaries', 'test result: ok. 3 passed; 0 failed; 0 ignored\ntest result: FAILED. 1 passed; 2 failed; 0 ignored\n', [4, 2]],
    [
      'go, packages',
      'ok  \texample.com/a\t0.01s\nok  \texample.com/b\t(cached)\n--- FAIL: TestC (0.00s)\nFAIL\texample.com/c\t0.02s\nFAIL\n',
      [2, 1],
    ],
    ['go -v', '--- PASS: TestA (0.00s)\n--- PASS: TestB (0.00s)\n--- FAIL: TestC (0.00s)\nFAIL\texample.com/c\t0.02s\n', [2, 1]],
    ['mocha', '  5 passing (12ms)\n  1 pending\n  2 failing\n', [5, 2]],
    ['rspec', '7 examples, 2 failures, 1 pending\n', [4, 2]],
    ['phpunit', 'Tests: 5, Assertions: 6, Failures: 1, Errors: 1, Skipped: 1.\n', [2, 2]],
    ['phpunit, good', 'OK (5 tests, 6 assertions)\n', [5, 0]],
    ['dotnet', 'Failed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5\n', [4, 1]],
    ['TAP of somebody else', 'TAP version 13\n1..4\nok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP no\nnot ok 4 - d # TODO later\n', [1, 1]],
    ['Windows lines', 'ℹ pass 2\r\nℹ fail 0\r\n', [2, 0]],
  ])('%s', (_name, output, expected) => {
    expect(parseCounts(output)).toEqual({ passed: expected[0], failed: expected[1] });
  });

  it.each(['', 'all good', 'ok, 5 things passed in the end', 'I passed 3 tests', 'Passed: the exam'])(
    'makes no number out of %j',
    (output) => expect(parseCounts(output)).toBeNull(),
  );
});
