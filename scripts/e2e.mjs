import { spawn } from 'node:child_process';
import { findBrowser } from './lib/browser.mjs';
import { build, checkNode, install } from './lib/prepare.mjs';

// npm run test:e2e [-- file or options of Playwright]
checkNode();
await install();
await build();
const browser = await findBrowser();
if (browser === null) process.exit(1);
const child = spawn('npx', ['playwright', 'test', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, BRIDLE_BROWSER: browser },
});
child.on('exit', (code) => process.exit(code ?? 1));
