import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from './lib/browser.mjs';
import { build, checkNode, freePort, install } from './lib/prepare.mjs';

// npm test: everything, from a fresh clone, ending with one line that counts
checkNode();
await install();

const reports = mkdtempSync(join(tmpdir(), 'bridle-test-'));
const total = { passed: 0, failed: 0 };
/** Named again at the very end, where a long log is read first. */
const failures = [];

function run(command, args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...env } });
    child.on('error', () => resolve(1));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

function count(name, passed, failed) {
  total.passed += passed;
  total.failed += failed;
  console.log(`— ${name}: ${passed} passed, ${failed} failed`);
}

/** A check without tests of its own counts as one. */
async function check(name, ...command) {
  const code = await run('npx', command);
  count(name, code === 0 ? 1 : 0, code === 0 ? 0 : 1);
  if (code !== 0) failures.push(name);
}

/** A runner that died without a report, or found no test, has failed. */
function counted(name, code, read) {
  let result = { passed: 0, failed: 0 };
  try {
    result = read();
  } catch {
    console.error(`${name} left no report`);
  }
  const silent = result.failed === 0 && (code !== 0 || result.passed === 0);
  failures.push(...(silent ? [`${name}: ended with exit code ${code} and no failed test`] : (result.names ?? [])));
  count(name, result.passed, silent ? 1 : result.failed);
}

const json = (file) => JSON.parse(readFileSync(file, 'utf8'));

async function unit() {
  const file = join(reports, 'unit.json');
  const code = await run('npx', ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]);
  counted('unit', code, () => {
    const { numPassedTests, testResults } = json(file);
    const names = testResults.flatMap(({ name, status, message, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === 'failed');
      const texts = failed.map((test) => `${test.fullName}\n${test.failureMessages.join('\n').slice(0, 2000)}`);
      // A file that does not load has failed without a test.
      return status === 'failed' && texts.length === 0 ? [`${name}\n${message}`] : texts.map((text) => `${name}: ${text}`);
    });
    return { passed: numPassedTests, failed: names.length, names };
  });
}

async function endToEnd() {
  await build();
  const browser = await findBrowser();
  if (browser === null) return count('end to end', 0, 1);
  const file = join(reports, 'e2e.json');
  const code = await run('npx', ['playwright', 'test'], {
    BRIDLE_BROWSER: browser,
    BRIDLE_E2E_REPORT: file,
    BRIDLE_E2E_PORT: String(await freePort('127.0.0.1', 4571)),
  });
  counted('end to end', code, () => {
    const { expected, unexpected, flaky } = json(file).stats;
    const names = unexpected > 0 ? ['end to end: see the list above'] : [];
    if (flaky > 0) console.log(`${flaky} passed only the second time; the list above names them`);
    return { passed: expected + flaky, failed: unexpected, names };
  });
}

await check('lint', 'biome', 'check', '.');
await check('types', 'tsc', '--noEmit');
await check('unused', 'knip');
await unit();
await endToEnd();
rmSync(reports, { recursive: true, force: true });
for (const failure of failures) console.log(`✗ ${failure}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
