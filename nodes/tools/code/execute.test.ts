import { expect, test } from 'vitest';
import { fakeContext } from '../../testing/fake-context';
import { executeCode } from './execute';
import { code } from './node';

test('inputs, source or limits did not reach the sandbox', async () => {
  const seen: unknown[] = [];
  const fake = fakeContext(code, {
    config: { source: 'return n + 1;', inputs: { n: 'input.n', all: '[input.n, "x"]' }, timeoutMs: 250, memoryMb: 16 },
    input: { n: 4 },
    sandbox: (...call) => {
      seen.push(...call);
      return 5;
    },
  });
  expect(await executeCode.execute(fake.context)).toEqual({ output: 5 });
  expect(seen).toEqual(['return n + 1;', { n: 4, all: [4, 'x'] }, { timeoutMs: 250, memoryBytes: 16_777_216 }]);
});
