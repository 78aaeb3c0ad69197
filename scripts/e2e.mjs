import { spawn } from 'node:child_process';
import { findBrowser } from './lib/browser.mjs';
import { build, checkNode, freePort, install } from './lib/prepare.mjs';

// npm run test:e2e [-- file or options of Playwright]
checkNode();
await install();
await build();
const browser = await findBrowser();
if (browser === null) process.exit(1);
const child = spawn('npx', ['playwright', 'test', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, BRIDLE_BROWSER: browser, BRIDLE_E2E_PORT: String(await freePort('127.0.0.1', 4571)) },
});
child.on('exit', (code) => process.exit(code ?? 1));
