import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Plain Node without dependencies: these scripts run before anything is installed. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

const oldest = [20, 19];

export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return;
  fail(
    `Bridle needs Node.js ${oldest.join('.')} or newer; this is ${process.versions.node}. Install a newer one from https://nodejs.org and try again.`,
  );
}

export function fail(message) {
  console.error(message);
  process.exit(1);
}

/** Runs a program to its end; resolves with its exit code. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 128)));
  });
}

const readJson = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
};

/** True when every package of the lockfile is installed in the version it names. */
export function isInstalled() {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages ?? {};
  const installed = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages;
  if (!installed) return false;
  return Object.entries(wanted).every(
    ([path, entry]) => path === '' || entry.link || entry.optional || entry.devOptional || installed[path]?.version === entry.version,
  );
}

export async function install() {
  if (isInstalled()) return;
  console.log('Installing packages…');
  // npm names itself to the scripts it runs; without it the one on the path is used
  const own = process.env.npm_execpath;
  const viaNode = own !== undefined && /\.c?js$/.test(own);
  const [command, args] = viaNode ? [process.execPath, [own]] : [process.platform === 'win32' ? 'npm.cmd' : 'npm', []];
  const code = await run(command, [...args, 'ci', '--no-audit', '--no-fund'], { shell: !viaNode && process.platform === 'win32' });
  if (code !== 0) fail('The packages could not be installed. The lines above say why; check the network and try again.');
}

const sources = ['app', 'components', 'nodes', 'harness', 'server', 'db', 'instrumentation.ts', 'instrumentation-node.ts'];
const settings = ['package.json', 'package-lock.json', 'next.config.mjs', 'postcss.config.mjs', 'tsconfig.json'];

function* filesBelow(path) {
  if (!existsSync(join(root, path))) return;
  const entries = readdirSync(join(root, path), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const inner = `${path}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(inner);
    else if (!/\.test\.tsx?$/.test(entry.name)) yield inner;
  }
}

/** A hash of everything a build is made from, its own Node version included. */
export function sourceHash() {
  const hash = createHash('sha256').update(process.versions.node);
  for (const source of [...sources, ...settings]) {
    const isFile = /\.\w+$/.test(source);
    for (const file of isFile ? [source] : filesBelow(source)) {
      if (!existsSync(join(root, file))) continue;
      hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
    }
  }
  return hash.digest('hex');
}

const stampFile = join(root, '.next', 'bridle-build');
const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next');

export const nextEnvironment = (more = {}) => ({ ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...more });

export async function build() {
  const hash = sourceHash();
  const built = existsSync(join(root, '.next', 'BUILD_ID')) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hash;
  if (built) return;
  console.log('Building…');
  rmSync(stampFile, { force: true });
  // types of removed routes stay behind in it and break the build
  rmSync(join(root, '.next', 'dev'), { recursive: true, force: true });
  const code = await run(process.execPath, [next, 'build'], { env: nextEnvironment({ NODE_ENV: 'production' }) });
  if (code !== 0) fail('The build failed. The lines above say why.');
  writeFileSync(stampFile, hash);
}

const isFree = (host, port) =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ host, port }, () => probe.close(() => resolve(true)));
  });

/** The first free port from the wanted one on. */
export async function freePort(host, wanted) {
  for (let port = wanted; port < wanted + 100 && port <= 65_535; port += 1) if (await isFree(host, port)) return port;
  return fail(`No port from ${wanted} on is free at ${host}. Set PORT to another one.`);
}

/** Where to listen. Refuses an address that other machines reach while nobody would be asked for a token. */
export function wantedAddress() {
  const host = process.env.HOST?.trim() || '127.0.0.1';
  const port = Number(process.env.PORT?.trim() || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) fail(`PORT is "${process.env.PORT}"; it should be a number from 1 to 65535.`);
  const loopback = host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
  if (!loopback && !process.env.BRIDLE_TOKEN?.trim()) {
    fail(
      `Bridle does not listen on ${host} without a token, because anyone who reaches it could run flows on this machine. Set BRIDLE_TOKEN to a long random text, or leave HOST unset.`,
    );
  }
  return { host, port };
}

const longestBoot = 90_000;
const longestGoodbye = 5000;

const isUp = async (url, child) => {
  const end = Date.now() + longestBoot;
  while (Date.now() < end && child.exitCode === null) {
    const up = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(5000) }).then(
      (answer) => answer.ok,
      () => false,
    );
    if (up) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
};

/** Serves until a signal or the end of the server. Ends the server cleanly and takes over its exit code. */
export async function serve(mode) {
  const { host, port: wanted } = wantedAddress();
  const port = await freePort(host, wanted);
  // a wildcard address is listened on, not called
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const url = `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
  const child = spawn(process.execPath, [next, mode, '-H', host, '-p', String(port)], {
    cwd: root,
    stdio: ['ignore', mode === 'dev' ? 'inherit' : 'ignore', 'inherit'],
    env: nextEnvironment({
      NODE_ENV: mode === 'dev' ? 'development' : 'production',
      HOST: host,
      PORT: String(port),
      BRIDLE_SUPERVISOR: String(process.pid),
    }),
  });
  let ending = false;
  const end = () => {
    ending = true;
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), longestGoodbye).unref();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, end);
  child.on('exit', (code) => process.exit(ending ? 0 : (code ?? 1)));
  if (!(await isUp(url, child))) {
    if (ending) return;
    console.error('The server did not come up. The lines above say why.');
    child.kill('SIGKILL');
    process.exit(1);
  }
  console.log(`Bridle is ready at ${url}`);
  if (process.env.BRIDLE_TOKEN) console.log(`A browser is asked for BRIDLE_TOKEN at ${url}/api/login`);
  console.log('Press Ctrl+C to stop.');
}
