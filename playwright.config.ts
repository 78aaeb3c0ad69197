import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

const port = Number(process.env.BRIDLE_E2E_PORT ?? 4571);
// Workers load this file again; the folder is made once and handed on.
process.env.BRIDLE_E2E_DATA ??= mkdtempSync(join(tmpdir(), 'bridle-e2e-'));

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  timeout: 150_000,
  expect: { timeout: 20_000 },
  workers: 1,
  // A shared machine can starve a browser for seconds; what passes only the second time is named by `npm test`.
  retries: process.env.CI ? 1 : 0,
  reporter: process.env.BRIDLE_E2E_REPORT ? [['list'], ['json', { outputFile: process.env.BRIDLE_E2E_REPORT }]] : [['list']],
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 1440, height: 900 },
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    launchOptions: {
      ...(process.env.BRIDLE_BROWSER ? { executablePath: process.env.BRIDLE_BROWSER } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  webServer: {
    command: 'node scripts/start.mjs',
    url: `http://127.0.0.1:${port}/api/health`,
    timeout: 300_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
    env: { PORT: String(port), HOST: '127.0.0.1', BRIDLE_DATA_DIR: process.env.BRIDLE_E2E_DATA ?? '' },
  },
});
