import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createSandbox } from '../sandbox/sandbox';
import { loadScenario } from './load-scenario';
import { runScenario } from './run-scenario';

/** The golden flows: every scenario file of the repository, through the runner that anyone can call. */
const root = process.cwd();
const samples = join(root, 'public', 'samples');
const files = readdirSync(join(root, 'scenarios'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.scenario.json'))
  .map((file) => join('scenarios', file))
  .sort();

const sandbox = createSandbox();
afterAll(() => sandbox.close());

describe('scenarios', () => {
  test('are found', () => {
    expect(files.length).toBeGreaterThan(0);
  });

  test.each(files)(
    '%s',
    async (file) => {
      const result = await runScenario(loadScenario(join(root, file), samples), sandbox);
      expect(result.problems).toEqual([]);
    },
    120_000,
  );
});
