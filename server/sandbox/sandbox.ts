import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { operationalError, unexpectedError, userError } from '@/harness/contract/errors';
import type { SandboxLimits } from '@/harness/contract/execute';
import type { Json, JsonObject } from '@/harness/contract/json';
import { parseJson } from '../models/json-text';

export interface SandboxResult {
  value: Json;
  /** What the code wrote with `console`, a line each. */
  logs: string[];
}

export interface Sandbox {
  /**
   * Runs JavaScript with these values as globals and nothing else: no imports, no network, no timers. The result is what it returns, or the
   * value of its last expression. Throws `CODE_TIMEOUT`, `CODE_MEMORY`, `CODE_FAILED` (user; details `{line, logs}`) and `CANCELLED`.
   */
  run(source: string, globals: JsonObject, limits: SandboxLimits, signal: AbortSignal): Promise<SandboxResult>;
  /** Ends all threads. */
  close(): Promise<void>;
}

export interface SandboxOptions {
  /** Threads at once; further jobs wait their turn. */
  threads?: number;
  /** Path of the worker's file, where it is not found by itself. */
  workerFile?: string;
}

const answerSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), json: z.string(), logs: z.array(z.string()) }),
  z.object({
    ok: z.literal(false),
    code: z.enum(['CODE_TIMEOUT', 'CODE_MEMORY', 'CODE_FAILED']),
    name: z.string(),
    message: z.string(),
    line: z.number().nullable(),
    logs: z.array(z.string()),
  }),
]);

// A bundler that sees `new Worker` with a path it cannot know makes every file of the project part of the server.
const { Worker: NodeWorker } = process.getBuiltinModule('node:worker_threads');

const workerName = 'quickjs-worker.mjs';
/** The thread stops its code itself; this long after its time is up it is ended from outside. */
const graceMs = 500;
/** WebAssembly memory never shrinks, so a thread is replaced after so many jobs. */
const jobsPerThread = 200;
/** What the worker itself needs besides the code's memory, in MB. */
const workerHeapMb = 256;

/** Beside this file when it runs from source; below the working folder when it was bundled away from there. */
function findWorker(): string {
  const candidates = [join(/* turbopackIgnore: true */ process.cwd(), 'server', 'sandbox', workerName)];
  try {
    candidates.unshift(join(/* turbopackIgnore: true */ dirname(fileURLToPath(import.meta.url)), workerName));
  } catch {
    // A bundler may give an address that is no file; the working folder remains.
  }
  const found = candidates.find((path) => existsSync(path));
  if (found === undefined)
    throw unexpectedError('SANDBOX_MISSING', `The sandbox (${workerName}) was not found. Start Bridle from its own folder.`);
  return found;
}

interface Thread {
  worker: Worker;
  ready: Promise<void>;
  jobs: number;
  /** False once it was ended or broke: it gets no further job. */
  alive: boolean;
}

export function createSandbox({ threads = 2, workerFile }: SandboxOptions = {}): Sandbox {
  const idle: Thread[] = [];
  const all = new Set<Thread>();
  const waiting: (() => void)[] = [];
  let busy = 0;

  function spawn(): Thread {
    const worker = new NodeWorker(workerFile ?? findWorker(), {
      // No environment, no arguments: what runs in there has nothing to find even if it came out of WebAssembly.
      env: {},
      execArgv: [],
      argv: [],
      resourceLimits: { maxOldGenerationSizeMb: workerHeapMb, stackSizeMb: 8 },
    });
    worker.unref();
    const ready = new Promise<void>((resolve, reject) => {
      worker.once('message', () => resolve());
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('the thread ended')));
    });
    ready.catch(() => undefined);
    const thread: Thread = { worker, ready, jobs: 0, alive: true };
    all.add(thread);
    worker.once('exit', () => {
      thread.alive = false;
      all.delete(thread);
      const at = idle.indexOf(thread);
      if (at >= 0) idle.splice(at, 1);
    });
    return thread;
  }

  async function acquire(signal: AbortSignal): Promise<Thread> {
    while (busy >= threads) {
      await new Promise<void>((resolve, reject) => {
        const stop = (): void => {
          const at = waiting.indexOf(go);
          if (at >= 0) waiting.splice(at, 1);
          reject(cancelledCode());
        };
        const go = (): void => {
          signal.removeEventListener('abort', stop);
          resolve();
        };
        waiting.push(go);
        signal.addEventListener('abort', stop, { once: true });
      });
    }
    busy += 1;
    const thread = idle.pop() ?? spawn();
    thread.worker.ref();
    return thread;
  }

  function release(thread: Thread): void {
    busy -= 1;
    thread.worker.unref();
    if (thread.alive && thread.jobs < jobsPerThread) idle.push(thread);
    else void thread.worker.terminate();
    waiting.shift()?.();
  }

  return {
    async run(source, globals, limits, signal) {
      if (signal.aborted) throw cancelledCode();
      const thread = await acquire(signal);
      try {
        await thread.ready.catch((error: unknown) => {
          thread.alive = false;
          throw unexpectedError('SANDBOX_FAILED', `The sandbox did not start: ${error instanceof Error ? error.message : 'unknown fault'}`);
        });
        thread.jobs += 1;
        const answer = await ask(thread, { source, globals: JSON.stringify(globals), ...limits }, limits.timeoutMs, signal);
        if (!answer.ok) throw codeError(answer, limits);
        const parsed = parseJson(answer.json);
        return { value: parsed.ok ? parsed.value : null, logs: answer.logs };
      } finally {
        release(thread);
      }
    },
    async close() {
      await Promise.all([...all].map((thread) => thread.worker.terminate()));
    },
  };
}

type CodeAnswer = z.output<typeof answerSchema>;

function ask(thread: Thread, job: JsonObject, timeoutMs: number, signal: AbortSignal): Promise<CodeAnswer> {
  const { worker } = thread;
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      worker.off('message', answered).off('error', broke).off('exit', ended);
      act();
    };
    const timeout: CodeAnswer = {
      ok: false,
      code: 'CODE_TIMEOUT',
      name: 'Error',
      message: 'interrupted',
      line: null,
      logs: [],
    };
    const kill = (act: () => void): void => {
      thread.alive = false;
      void worker.terminate();
      settle(act);
    };
    const answered = (message: unknown): void => {
      const parsed = answerSchema.safeParse(message);
      settle(() =>
        parsed.success
          ? resolve(parsed.data)
          : reject(unexpectedError('SANDBOX_FAILED', 'The sandbox gave an answer that cannot be read.')),
      );
    };
    const broke = (error: Error): void => {
      thread.alive = false;
      const memory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      const answer: CodeAnswer = {
        ...timeout,
        code: memory ? 'CODE_MEMORY' : 'CODE_FAILED',
        name: 'InternalError',
        message: error.message,
      };
      settle(() => resolve(answer));
    };
    const ended = (): void => settle(() => reject(operationalError('SANDBOX_FAILED', 'The sandbox ended before it answered.')));
    const cancel = (): void => kill(() => reject(cancelledCode()));
    const timer = setTimeout(() => kill(() => resolve(timeout)), timeoutMs + graceMs);
    worker.once('message', answered).once('error', broke).once('exit', ended);
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    else worker.postMessage(job);
  });
}

const cancelledCode = (): Error => operationalError('CANCELLED', 'The code was cancelled.');

function codeError(answer: Extract<CodeAnswer, { ok: false }>, limits: SandboxLimits): Error {
  const details: JsonObject = { line: answer.line, logs: answer.logs };
  if (answer.code === 'CODE_TIMEOUT') {
    return userError(
      'CODE_TIMEOUT',
      `The code ran longer than ${limits.timeoutMs} ms and was stopped. Make it do less, or raise its time limit.`,
      details,
    );
  }
  if (answer.code === 'CODE_MEMORY') {
    const megabytes = Math.round(limits.memoryBytes / 1_048_576);
    return userError(
      'CODE_MEMORY',
      `The code needed more than ${megabytes} MB of memory and was stopped. Make it hold less, or raise its memory limit.`,
      details,
    );
  }
  const place = answer.line === null ? '' : ` (line ${answer.line})`;
  return userError('CODE_FAILED', `${answer.name}: ${answer.message}${place}`, details);
}
