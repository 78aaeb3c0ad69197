/*
 * Runs one piece of untrusted JavaScript at a time inside QuickJS (WebAssembly), in a thread of its own. Plain JavaScript, because a worker is
 * loaded by its path and has to be the same file under Next, tsx and Vitest. Nothing but JSON text crosses the border.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { newQuickJSWASMModuleFromVariant, newVariant, RELEASE_SYNC } from 'quickjs-emscripten';

const maxLogLines = 200;
const maxLogCharacters = 20_000;
const stackBytes = 256 * 1024;

const pageBytes = 65_536;
/** The engine is built to start with so much memory; a smaller limit than this cannot be kept. */
const firstPages = 256;

// Resolved from the library's own place: the engine's file is a dependency of it, not of ours.
const fromLibrary = createRequire(createRequire(import.meta.url).resolve('quickjs-emscripten'));
const wasmModule = await WebAssembly.compile(readFileSync(fromLibrary.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')));

/**
 * A fresh engine for every job, inside a memory that cannot grow beyond the limit. QuickJS' own limit counts blocks rather than bytes in this build,
 * so it would let a list of arrays grow without end.
 */
function freshEngine(memoryBytes) {
  const maximum = Math.min(65_536, Math.max(firstPages, Math.ceil(memoryBytes / pageBytes)));
  const wasmMemory = new WebAssembly.Memory({ initial: firstPages, maximum });
  return newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmModule, wasmMemory }));
}

/** Errors as plain data; `line` counts from 1 in the person's own source. */
function plainError(dumped) {
  if (typeof dumped !== 'object' || dumped === null) return { name: 'Error', message: String(dumped), line: null };
  const name = typeof dumped.name === 'string' ? dumped.name : 'Error';
  const message = typeof dumped.message === 'string' ? dumped.message : JSON.stringify(dumped);
  const place = /code\.js:(\d+)/.exec(typeof dumped.stack === 'string' ? dumped.stack : '');
  const line = typeof dumped.lineNumber === 'number' ? dumped.lineNumber : place === null ? null : Number(place[1]);
  return { name, message, line };
}

function codeOf(error, interrupted) {
  if (interrupted) return 'CODE_TIMEOUT';
  return error.name === 'InternalError' && /out of memory/i.test(error.message) ? 'CODE_MEMORY' : 'CODE_FAILED';
}

function run(quickjs, { source, globals, timeoutMs }) {
  const runtime = quickjs.newRuntime();
  runtime.setMaxStackSize(stackBytes);
  const context = runtime.newContext();
  const logs = [];
  let logged = 0;
  let interrupted = false;
  const deadline = performance.now() + timeoutMs;
  runtime.setInterruptHandler(() => {
    interrupted = performance.now() > deadline;
    return interrupted;
  });

  const failed = (handle) => {
    const error = plainError(context.dump(handle));
    handle.dispose();
    return { ok: false, code: codeOf(error, interrupted), ...error, logs };
  };

  const print = context.newFunction('print', (...handles) => {
    if (logs.length >= maxLogLines || logged >= maxLogCharacters) return;
    const line = handles.map((handle) => {
      const value = context.dump(handle);
      return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
    });
    const text = line.join(' ').slice(0, maxLogCharacters - logged);
    logged += text.length;
    logs.push(text);
  });
  const console = context.newObject();
  for (const level of ['log', 'info', 'warn', 'error', 'debug']) context.setProp(console, level, print);
  context.setProp(context.global, 'console', console);
  console.dispose();
  print.dispose();

  // The globals come in as JSON text and are parsed inside, so that no object of this thread is reachable.
  const text = context.newString(globals);
  context.setProp(context.global, '__globals', text);
  text.dispose();
  const prepared = context.evalCode(
    `(() => { const values = JSON.parse(globalThis.__globals); delete globalThis.__globals;
      for (const name of Object.keys(values)) Object.defineProperty(globalThis, name, { value: values[name], writable: true, configurable: true, enumerable: true }); })()`,
    'globals.js',
  );
  if (prepared.error) return failed(prepared.error);
  prepared.value.dispose();

  // Taken before the code runs, which may replace JSON.
  const stringify = context.evalCode('((write) => (value) => write(value) ?? "null")(JSON.stringify)', 'result.js');
  if (stringify.error) return failed(stringify.error);

  // A script gives the value of its last expression. Where `return` or `await` stand on the top level it is the body of an async function.
  const compiled = context.evalCode(source, 'code.js', { compileOnly: true });
  const isScript = !compiled.error;
  if (compiled.error) compiled.error.dispose();
  else compiled.value.dispose();
  const evaluated = context.evalCode(isScript ? source : `(async function () { ${source}\n})()`, 'code.js');
  if (evaluated.error) return failed(evaluated.error);

  let result = evaluated.value;
  for (;;) {
    const state = context.getPromiseState(result);
    if (state.type === 'rejected') {
      const answer = failed(state.error);
      result.dispose();
      return answer;
    }
    if (state.type === 'fulfilled') {
      if (!state.notAPromise) {
        result.dispose();
        result = state.value;
        // A promise may be fulfilled with a plain value only, so one round is enough.
      }
      break;
    }
    const pending = runtime.executePendingJobs(1);
    if (pending.error) {
      result.dispose();
      return failed(pending.error);
    }
    if (performance.now() > deadline) return { ok: false, code: 'CODE_TIMEOUT', name: 'Error', message: 'interrupted', line: null, logs };
    const ran = pending.value;
    if (ran === 0) {
      result.dispose();
      const message = 'The code waits for something that never happens. There are no timers and no network here.';
      return { ok: false, code: 'CODE_FAILED', name: 'Error', message, line: null, logs };
    }
  }

  // Serialised inside: `undefined`, functions and cycles are then JSON's own business, under the same limits.
  const written = context.callFunction(stringify.value, context.undefined, result);
  stringify.value.dispose();
  result.dispose();
  if (written.error) return failed(written.error);
  const json = context.getString(written.value);
  written.value.dispose();
  return { ok: true, json, logs };
}

/** Only the engine itself throws through here: its own stack or memory is gone. */
function engineFault(error) {
  const deep = error instanceof RangeError;
  const message = deep
    ? 'Maximum call stack size exceeded'
    : `The sandbox failed: ${error instanceof Error ? error.message : String(error)}`;
  return { ok: false, code: deep ? 'CODE_FAILED' : 'CODE_MEMORY', name: 'InternalError', message, line: null, logs: [] };
}

parentPort.on('message', async (job) => {
  let answer;
  try {
    answer = run(await freshEngine(job.memoryBytes), job);
  } catch (error) {
    answer = engineFault(error);
  }
  parentPort.postMessage(answer);
});
parentPort.postMessage('ready');
