import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'chrome'];
const macs = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium'];

const executable = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

function onPath() {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of names) if (folder !== '' && executable(join(folder, name))) return join(folder, name);
  }
  return macs.find((path) => existsSync(path)) ?? null;
}

async function playwrightsOwn() {
  const { chromium } = await import('@playwright/test');
  const path = chromium.executablePath();
  return path !== '' && existsSync(path) ? path : null;
}

const works = (path) => spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0;
const run = (command, args, timeout) => spawnSync(command, args, { stdio: 'inherit', timeout }).status === 0;

/**
 * A browser that starts: an installed Chrome or Chromium, Playwright's own, or one of them installed now. Returns its path, or null with the
 * reason printed.
 */
export async function findBrowser() {
  const chosen = process.env.BRIDLE_BROWSER;
  if (chosen) return works(chosen) ? chosen : null;
  for (const find of [onPath, playwrightsOwn]) {
    const path = await find();
    if (path && works(path)) return path;
  }
  console.error('No browser found; trying to install one.');
  if (run('npx', ['playwright', 'install', 'chromium'], 120_000)) {
    const path = await playwrightsOwn();
    if (path && works(path)) return path;
  }
  if (process.getuid?.() === 0 && executable('/usr/bin/apt-get')) {
    run('apt-get', ['update'], 300_000);
    run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], 900_000);
    const path = onPath();
    if (path && works(path)) return path;
  }
  console.error('Install Chrome or Chromium, or name one in BRIDLE_BROWSER.');
  return null;
}
