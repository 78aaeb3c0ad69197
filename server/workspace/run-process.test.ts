import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { killOrphans } from './kill-process';
import { type ProcessRequest, runProcess } from './run-process';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridle-run-process-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (argv: readonly [string, ...string[]], more: Partial<ProcessRequest> = {}) =>
  runProcess({ argv, folder, timeoutMs: 15_000, signal: new AbortController().signal, ...more });
const node = (source: string, more?: Partial<ProcessRequest>) => run(['node', '-e', source], more);

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A killed orphan that nobody has reaped yet is not running.
    return process.platform !== 'linux' || !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};
const pidsIn = (file: string): number[] => readFileSync(join(folder, file), 'utf8').trim().split(/\s+/).map(Number);
/** The kernel ends a killed process soon, but not at once. */
async function allGone(pids: readonly number[]): Promise<boolean> {
  for (let tries = 0; tries < 200 && pids.some(isAlive); tries += 1) await new Promise((resolve) => setTimeout(resolve, 10));
  return !pids.some(isAlive);
}

/** Starts a child that sleeps and writes both process ids, in its own session if asked, then does `then`. */
const withChild = (then: string, options: { detached?: boolean; stdio?: string; deaf?: boolean } = {}) => {
  const deaf = options.deaf === true ? "process.on('SIGTERM', () => {});" : '';
  return `${deaf}
    const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(`${deaf}setInterval(() => {}, 1000)`)}],
      { detached: ${options.detached === true}, stdio: '${options.stdio ?? 'ignore'}' });
    child.unref();
    require('node:fs').writeFileSync('pids', process.pid + ' ' + child.pid);
    ${then}`;
};

describe('what a command is given', () => {
  it('hands every argument over as it is: no shell reads it', async () => {
    const words = ['$HOME', '`id`', 'a b', '; touch broken', "it's", '*', '', '-e', 'ünïcödé'];
    const result = await run(['node', '-p', 'JSON.stringify(process.argv.slice(1))', '--', ...words]);
    expect(JSON.parse(result.output)).toEqual(words);
    expect(existsSync(join(folder, 'broken'))).toBe(false);
  });

  it('passes on no secret of the server', async () => {
    process.env.BRIDLE_TEST_SECRET = 'CANARY-41c2';
    try {
      const { output } = await node('console.log(JSON.stringify(process.env))');
      expect(output).not.toContain('CANARY-41c2');
      const environment: unknown = JSON.parse(output);
      expect(environment).toMatchObject({ CI: '1', LANG: 'C.UTF-8' });
      expect(environment).not.toHaveProperty('NODE_ENV');
      expect(environment).not.toHaveProperty('HOME', process.env.HOME);
    } finally {
      delete process.env.BRIDLE_TEST_SECRET;
    }
  });

  it('lets a command set variables, but not which programs are found', async () => {
    const { output } = await node('console.log(process.env.MODE, process.env.PATH, process.env.LD_PRELOAD)', {
      variables: { MODE: 'x', PATH: '/nowhere', LD_PRELOAD: '/nowhere.so' },
    });
    expect(output).toMatch(/^x (?!\/nowhere).* undefined\n$/);
  });

  it('removes its home folder afterwards', async () => {
    const { output } = await node('require("node:fs").writeFileSync(process.env.HOME + "/left", ""); console.log(process.env.HOME)');
    expect(existsSync(output.trim())).toBe(false);
  });

  it('gives it no input to wait for', async () => {
    expect(await node('process.stdin.resume().on("end", () => console.log("no input"))')).toMatchObject({
      output: 'no input\n',
      exitCode: 0,
    });
  });
});

describe('how a command ends', () => {
  it('reports its exit code, and the signal that ended it as a shell does', async () => {
    expect(await node('process.exit(3)')).toMatchObject({ exitCode: 3, signal: null, ended: null });
    expect(await node('process.kill(process.pid, "SIGSEGV")')).toMatchObject({ exitCode: 139, signal: 'SIGSEGV', ended: null });
  });

  it('reports a missing program as 127 and one that cannot be run as 126', async () => {
    expect(await run(['no-such-program-here'])).toMatchObject({ exitCode: 127, output: expect.stringContaining('no-such-program-here') });
    writeFileSync(join(folder, 'plain.txt'), 'text', { mode: 0o644 });
    expect(await run(['./plain.txt'])).toMatchObject({ exitCode: 126 });
  });

  it('tells a folder that has gone from a program that is not there', async () => {
    const gone = join(folder, 'gone');
    await expect(run(['node', '-v'], { folder: gone })).rejects.toMatchObject({ code: 'TOOL_NO_WORKSPACE' });
  });

  it('survives a command that removes the folder it runs in', async () => {
    const inner = join(folder, 'inner');
    mkdirSync(inner);
    const result = await node('require("node:fs").rmSync(process.cwd(), { recursive: true }); console.log("done")', { folder: inner });
    expect(result).toMatchObject({ exitCode: 0, output: 'done\n' });
  });

  it('keeps the end of endless output in bounded memory, and stops it', async () => {
    const result = await node(
      'const text = "x".repeat(65536); (function more() { while (process.stdout.write(text)); process.stdout.once("drain", more); })()',
      {
        maxOutputBytes: 3_000_000,
        keepCharacters: 10_000,
      },
    );
    expect(result).toMatchObject({ ended: 'output', exitCode: null, truncated: true });
    expect(result.output).toHaveLength(10_000);
  });

  it('keeps a character whole that comes in two pieces', async () => {
    const source = 'process.stdout.write(Buffer.from([0xe2, 0x82])); setTimeout(() => process.stdout.write(Buffer.from([0xac])), 50)';
    expect(await node(source)).toMatchObject({ output: '€' });
  });
});

describe.skipIf(process.platform === 'win32')('nothing is left running', () => {
  it('after a time limit, not even what ignores SIGTERM', async () => {
    const source = withChild('setInterval(() => {}, 1000)', { deaf: true, stdio: 'inherit' });
    expect(await node(source, { timeoutMs: 1000 })).toMatchObject({ ended: 'timeout', exitCode: null });
    expect(await allGone(pidsIn('pids'))).toBe(true);
  });

  it('after a command that ended by itself and left a child with its output open', async () => {
    expect(await node(withChild('console.log("done")', { stdio: 'inherit' }))).toMatchObject({ exitCode: 0, output: 'done\n' });
    expect(await allGone(pidsIn('pids'))).toBe(true);
  });

  it.skipIf(process.platform !== 'linux')('after a child that left the group as daemons do', async () => {
    expect(await node(withChild('', { detached: true, deaf: true }))).toMatchObject({ exitCode: 0 });
    expect(await allGone(pidsIn('pids'))).toBe(true);
  });

  it('after it was cancelled, and the cancellation is told apart from a failure', async () => {
    const controller = new AbortController();
    const running = node(withChild('setInterval(() => {}, 1000)'), { signal: controller.signal });
    const outcome = expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
    while (!existsSync(join(folder, 'pids')) || readFileSync(join(folder, 'pids'), 'utf8') === '') {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    controller.abort();
    await outcome;
    expect(await allGone(pidsIn('pids'))).toBe(true);
  });

  it('after the server ended in good order', async () => {
    const source = `
      const { runProcess } = await import('./server/workspace/run-process.ts');
      const { statSync } = await import('node:fs');
      const [folder, child] = process.argv.slice(-2);
      runProcess({ argv: ['node', '-e', child], folder, timeoutMs: 60000, signal: new AbortController().signal });
      setInterval(() => statSync(folder + '/pids', { throwIfNoEntry: false })?.size > 0 && process.exit(0), 20);`;
    const flags = ['--conditions=react-server', '--import', 'tsx', '--input-type=module', '-e', source, '--'];
    const server = spawn(process.execPath, [...flags, folder, withChild('setInterval(() => {}, 1000)', { deaf: true })], {
      stdio: 'inherit',
    });
    expect(await once(server, 'exit')).toEqual([0, null]);
    expect(await allGone(pidsIn('pids'))).toBe(true);
  });

  it.skipIf(process.platform !== 'linux')('after a server that was killed, once the next one looks', async () => {
    const gone = spawn(process.execPath, ['-e', '']);
    await once(gone, 'exit');
    const left = [`${gone.pid}.a`, `${process.pid}.b`].map((mark) =>
      spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { env: { NODE_ENV: 'test', BRIDLE_COMMAND: mark }, stdio: 'ignore' }),
    );
    await Promise.all(left.map((child) => once(child, 'spawn')));
    const [orphan, cared] = left;
    try {
      expect(await killOrphans()).toBeGreaterThan(0);
      expect(await allGone([orphan?.pid ?? 0])).toBe(true);
      expect(isAlive(cared?.pid ?? 0)).toBe(true);
    } finally {
      for (const child of left) child.kill('SIGKILL');
    }
  });

  it('does not begin when it is cancelled already', async () => {
    await expect(node(withChild(''), { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(existsSync(join(folder, 'pids'))).toBe(false);
  });
});
