import { afterAll, describe, expect, it } from 'vitest';
import { toErrorRecord } from '@/harness/contract/errors';
import type { JsonObject } from '@/harness/contract/json';
import { createSandbox } from './sandbox';

const sandbox = createSandbox();
afterAll(() => sandbox.close());

const limits = { timeoutMs: 5000, memoryBytes: 32 * 1_048_576 };
const never = new AbortController().signal;
const run = (source: string, globals: JsonObject = {}, own = limits) => sandbox.run(source, globals, own, never);
const failure = async (source: string, own = limits) =>
  toErrorRecord(
    await run(source, {}, own).then(
      () => null,
      (error: unknown) => error,
    ),
  );

describe('what code gives back', () => {
  it.each([
    ['the last expression', '1 + 1', 2],
    ['a return at the top level', 'const a = 2; return { a };', { a: 2 }],
    ['the script form with a nested return', 'const twice = (n) => { return n * 2; }; twice(21)', 42],
    ['an awaited promise', 'const n = await Promise.resolve(3); return n;', 3],
    ['a promise as the last value', 'Promise.resolve([1, 2])', [1, 2]],
    ['nothing at all', 'const a = 1;', null],
    ['undefined fields left out', '({ a: undefined, b: 1 })', { b: 1 }],
    ['a final comment that hides nothing', 'return 5 // five', 5],
  ])('gives %s', async (_name, source, expected) => {
    expect((await run(source)).value).toEqual(expected);
  });

  it('sees its globals as values of its own, also a hostile name', async () => {
    const globals = { input: { list: [1, 2, 3] }, __proto__x: 1, item: 'quote " and \n line' };
    expect((await run('input.list.push(4); [input.list.length, item]', globals)).value).toEqual([4, globals.item]);
    expect(globals.input.list).toEqual([1, 2, 3]);
  });

  it('keeps what the code logs, and cuts endless logs', async () => {
    const { logs } = await run('console.log("a", { b: 1 }, 2); for (let i = 0; i < 1000; i += 1) console.warn(i);');
    expect(logs[0]).toBe('a {"b":1} 2');
    expect(logs.length).toBe(200);
  });

  it('starts every job afresh', async () => {
    await run('globalThis.leak = 1; Array.prototype.leak = 1; 0');
    expect((await run('[typeof leak, [].leak === undefined]')).value).toEqual(['undefined', true]);
  });
});

describe('what code must not do', () => {
  it('stops an endless loop at its time limit while this thread goes on', async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 5);
    const error = await failure('while (true) {}', { ...limits, timeoutMs: 200 });
    clearInterval(timer);
    expect(error.code).toBe('CODE_TIMEOUT');
    // A blocked event loop would have seen none of its turns.
    expect(turns).toBeGreaterThan(5);
  });

  it('stops an endless chain of promises at its time limit', async () => {
    const error = await failure('const again = () => Promise.resolve().then(again); await again();', { ...limits, timeoutMs: 200 });
    expect(error.code).toBe('CODE_TIMEOUT');
  });

  it('lets other code run while one piece loops', async () => {
    const loop = failure('while (true) {}', { ...limits, timeoutMs: 1500 });
    const order: string[] = [];
    await Promise.all([loop.then(() => order.push('loop')), run('40 + 2').then(() => order.push('other'))]);
    expect(order).toEqual(['other', 'loop']);
  });

  it.each(['const all = []; while (true) all.push(new Array(1000).fill(1.5));', '"x".repeat(1e9)'])(
    'stops at the memory limit: %s',
    async (source) => {
      expect((await failure(source)).code).toBe('CODE_MEMORY');
    },
  );

  it('reports endless recursion as a fault of the code', async () => {
    expect((await failure('const deep = () => deep() + 1; deep()')).code).toBe('CODE_FAILED');
    expect((await run('1')).value).toBe(1);
  });

  it.each([
    'import("node:fs")',
    'require("fs")',
    'process.exit(1)',
    'fetch("http://127.0.0.1")',
    'setTimeout(() => 0, 1)',
    'new Worker("x")',
  ])('has nothing to reach the outside with: %s', async (source) => {
    expect((await failure(source)).code).toBe('CODE_FAILED');
  });

  it.each([
    'constructor.constructor("return process")()',
    '({}).constructor.constructor("return this.process ?? this.require")() ?? (() => { throw new Error("nothing") })()',
    'new Function("return globalThis.process.env")()',
  ])('cannot climb out through constructors: %s', async (source) => {
    expect((await failure(source)).code).toBe('CODE_FAILED');
  });

  it('says what waits for ever', async () => {
    expect((await failure('await new Promise(() => {})')).message).toContain('never happens');
  });
});

describe('errors name their line', () => {
  it.each([
    ['let a = 1;\n\nthrow new TypeError("no")', 3, 'TypeError: no'],
    ['let a = 1;\nreturn missing.field;', 2, 'ReferenceError'],
    ['const a = 1;\nconst b = ;', 2, 'SyntaxError'],
    ['throw "plain"', null, 'plain'],
  ])('%j', async (source, line, message) => {
    const error = await failure(source);
    expect(error.code).toBe('CODE_FAILED');
    expect(error.message).toContain(message);
    expect(error.details).toMatchObject({ line });
  });
});

describe('cancelling', () => {
  it('ends running code at once, and the pool goes on', async () => {
    const controller = new AbortController();
    const running = sandbox.run('while (true) {}', {}, { ...limits, timeoutMs: 60_000 }, controller.signal);
    setTimeout(() => controller.abort(), 50);
    await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
    expect((await run('7')).value).toBe(7);
  });

  it('drops a job that still waits for a thread', async () => {
    const own = createSandbox({ threads: 1 });
    const blocker = new AbortController();
    const first = own.run('while (true) {}', {}, { ...limits, timeoutMs: 60_000 }, blocker.signal);
    const controller = new AbortController();
    const second = own.run('1', {}, limits, controller.signal);
    controller.abort();
    await expect(second).rejects.toMatchObject({ code: 'CANCELLED' });
    blocker.abort();
    await expect(first).rejects.toMatchObject({ code: 'CANCELLED' });
    expect((await own.run('2', {}, limits, never)).value).toBe(2);
    await own.close();
  });
});
