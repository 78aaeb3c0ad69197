import { join } from 'node:path';
import { toErrorRecord } from '@/harness/contract/errors';
import { createSandbox } from '@/server/sandbox/sandbox';
import { loadScenario } from '@/server/scenarios/load-scenario';
import { runScenario, type ScenarioResult } from '@/server/scenarios/run-scenario';
import { readArguments, UsageError } from './arguments';
import type { Command } from './commands';
import { print, printJson } from './output';

export const scenarioCommand: Command = {
  arguments: 'FILE… [--json] [--events]',
  summary: 'Runs scenario files (docs/scenarios.md)',
  async run(args) {
    const { values, words } = readArguments(args, { json: { type: 'boolean' }, events: { type: 'boolean' } });
    if (words.length === 0) throw new UsageError('Name at least one scenario file.');
    const sandbox = createSandbox();
    const results: (ScenarioResult & { file: string })[] = [];
    try {
      for (const file of words) {
        const result = await attempt(file, sandbox);
        results.push({ ...result, file });
        if (values.json) continue;
        print(`${result.passed ? 'ok  ' : 'FAIL'} ${result.name} (${result.status})`);
        for (const problem of result.problems) print(`     ${problem}`);
        if (values.events) for (const event of result.events) print(JSON.stringify(event));
      }
    } finally {
      await sandbox.close();
    }
    const failed = results.filter((result) => !result.passed).length;
    if (values.json) printJson(results.map(({ events, ...rest }) => (values.events ? { ...rest, events } : rest)));
    else print(`${results.length - failed} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  },
};

/** A file that cannot even be read is one failed scenario, and the others still run. */
async function attempt(file: string, sandbox: ReturnType<typeof createSandbox>): Promise<ScenarioResult> {
  try {
    return await runScenario(loadScenario(file, join(process.cwd(), 'public', 'samples')), sandbox);
  } catch (thrown) {
    const { code, message } = toErrorRecord(thrown);
    return { name: file, passed: false, problems: [`${code}: ${message}`], status: 'error', events: [] };
  }
}
