import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { constants as system, tmpdir } from 'node:os';
import { join } from 'node:path';
import { operationalError, userError } from '@/harness/contract/errors';
import { errorCode } from '../tools/workspace-root';
import { endWithUs, killMarked, markName, newMark, signalGroup } from './kill-process';
import { OutputTail } from './output-tail';
import { processEnvironment } from './process-environment';

export interface ProcessRequest {
  /** The program and its arguments. Never a shell. */
  argv: readonly [string, ...string[]];
  /** Where it runs. Absolute. */
  folder: string;
  timeoutMs: number;
  signal: AbortSignal;
  /** Added to the minimal environment. */
  variables?: Readonly<Record<string, string>>;
  /** Characters of output that are kept, from its end. */
  keepCharacters?: number;
  /** Bytes after which the process is ended. */
  maxOutputBytes?: number;
}

export interface ProcessResult {
  /** 0–255 as the process gave it; 128 + n when signal n ended it; 126 and 127 when it could not be started; `null` when we ended it. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** Why we ended it, if we did. */
  ended: 'timeout' | 'output' | null;
  /** What it wrote to both streams, in the order in which it came; only the end when it was more than is kept. */
  output: string;
  outputBytes: number;
  truncated: boolean;
}

const graceMs = 1500;

/**
 * Runs a program in a process group of its own, with a minimal environment, no input, and limits of time and output. When it resolves or
 * rejects, nothing that the program began is left running. Throws `CANCELLED`, `TOOL_NO_WORKSPACE`, `TOOL_INPUT` and `TOOL_FAILED`.
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  if (request.argv.some((word) => word.includes('\0'))) throw userError('TOOL_INPUT', 'A command cannot hold a NUL character.');
  const home = await mkdtemp(join(tmpdir(), 'bridle-command-'));
  try {
    return await inFolder(request, home);
  } finally {
    // Somebody else's temporary files must not make a good result a failure.
    await rm(home, { recursive: true, force: true, maxRetries: 2 }).catch(() => undefined);
  }
}

async function inFolder(request: ProcessRequest, home: string): Promise<ProcessResult> {
  const { argv, folder, signal } = request;
  // A missing folder and a missing program are the same error to `spawn`.
  const place = await stat(folder).catch(() => null);
  if (place?.isDirectory() !== true) throw userError('TOOL_NO_WORKSPACE', "The run's folder does not exist any more.");
  if (signal.aborted) throw cancelled(argv[0]);
  const mark = newMark();
  const environment = processEnvironment(home, request.variables ?? {});
  environment[markName] = mark;
  const child = start(argv, folder, environment);
  const output = new OutputTail(request.keepCharacters ?? 1_000_000);
  const letGo = child.pid === undefined ? undefined : endWithUs(child.pid);
  let ended: ProcessResult['ended'] = null;
  let killer: NodeJS.Timeout | undefined;

  const end = (reason: ProcessResult['ended']): void => {
    ended ??= reason;
    if (child.pid === undefined || killer !== undefined) return;
    const leader = child.pid;
    signalGroup(leader, 'SIGTERM');
    killer = setTimeout(() => signalGroup(leader, 'SIGKILL'), graceMs);
  };
  const cancel = (): void => end(null);
  const timer = setTimeout(() => end('timeout'), request.timeoutMs);
  signal.addEventListener('abort', cancel, { once: true });
  const limit = request.maxOutputBytes ?? 50_000_000;
  for (const stream of [child.stdout, child.stderr]) {
    const take = output.stream();
    stream?.on('data', (bytes: Buffer) => {
      take(bytes);
      if (output.bytes > limit) end('output');
    });
    stream?.on('error', () => undefined);
  }

  try {
    const outcome = await exitOf(child);
    if (outcome.failure !== null) return notStarted(argv[0], outcome.failure);
    if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
    await killMarked(mark);
    await drained(child);
    if (signal.aborted) throw cancelled(argv[0]);
    const { code, by } = outcome;
    return {
      exitCode: ended !== null ? null : (code ?? (by === null ? null : 128 + system.signals[by])),
      signal: by,
      ended,
      output: output.text(),
      outputBytes: output.bytes,
      truncated: output.truncated,
    };
  } finally {
    letGo?.();
    clearTimeout(timer);
    clearTimeout(killer);
    signal.removeEventListener('abort', cancel);
  }
}

function start(argv: readonly [string, ...string[]], folder: string, environment: Record<string, string>): ChildProcess {
  const [program, ...rest] = argv;
  try {
    return spawn(/* turbopackIgnore: true */ program, rest, {
      cwd: folder,
      // Without its cast the augmented type wants NODE_ENV, which a command must not inherit.
      env: environment as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A session and group of its own: signals reach every child, and it has no terminal to ask at.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch (error) {
    throw operationalError('TOOL_FAILED', `"${program}" cannot be started (${errorCode(error) ?? 'unknown fault'}).`);
  }
}

type Exit = { failure: null; code: number | null; by: NodeJS.Signals | null } | { failure: string };

const exitOf = (child: ChildProcess): Promise<Exit> =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve({ failure: errorCode(error) ?? 'unknown fault' }));
    child.once('exit', (code, by) => resolve({ failure: null, code, by }));
  });

/** Waits until what was written has been read. A pipe that a stranger holds open is not waited for. */
const drained = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    const open = [child.stdout, child.stderr].filter((stream) => stream !== null && !stream.closed);
    if (open.length === 0) return resolve();
    const finish = (): void => {
      clearTimeout(timer);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve();
    };
    const timer = setTimeout(finish, graceMs);
    child.once('close', finish);
  });

/** As a shell reports it, so that 126 and 127 mean the same whoever ran the command. */
function notStarted(program: string, failure: string): ProcessResult {
  const missing = failure === 'ENOENT';
  if (!missing && failure !== 'EACCES' && failure !== 'ENOEXEC') {
    throw operationalError('TOOL_FAILED', `"${program}" cannot be started (${failure}).`);
  }
  const output = missing
    ? `There is no program "${program}" on this machine.`
    : `"${program}" is not a program that can be run (${failure}).`;
  return { exitCode: missing ? 127 : 126, signal: null, ended: null, output, outputBytes: 0, truncated: false };
}

const cancelled = (program: string) => operationalError('CANCELLED', `The run of "${program}" was cancelled.`);
