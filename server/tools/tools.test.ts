import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toErrorRecord } from '@/harness/contract/errors';
import type { Json } from '@/harness/contract/json';
import type { ToolContext } from '@/harness/contract/tool';
import type { OutboundClient } from '../outbound/client';
import { calculate } from './arithmetic';
import { builtInTools } from './built-in';
import { defineTool } from './define-tool';
import { textOfHtml } from './html-text';
import { createToolHost } from './tool-host';

let outer: string;
let root: string;
const outbound: OutboundClient = {
  fetch: async (request) => ({ status: 200, headers: { 'content-type': 'text/html' }, body: page, truncated: false, url: request.url }),
};
const page =
  '<html><head><title>A &amp; B</title><script>alert("x")</script></head><body><h1>Head</h1><p>One<br>two</p><ul><li>item</ul></body></html>';
const host = createToolHost(builtInTools(outbound));

beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), 'bridle-tools-'));
  root = join(outer, 'workspace');
  mkdirSync(root);
  writeFileSync(join(outer, 'secret.txt'), 'CANARY-7f3a\n');
});
afterEach(() => rmSync(outer, { recursive: true, force: true }));

const put = (path: string, text: string | Buffer): void => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
};
const context = (more: Partial<ToolContext> = {}): ToolContext => ({
  runId: 'run',
  workspace: root,
  now: () => 1_700_000_000_000,
  signal: new AbortController().signal,
  ...more,
});
const call = (name: string, input: Json, more?: Partial<ToolContext>) => host.call(name, input, context(more));
const failure = async (name: string, input: Json, more?: Partial<ToolContext>) =>
  toErrorRecord(
    await call(name, input, more).then(
      () => null,
      (error: unknown) => error,
    ),
  );

describe('the tool host', () => {
  it('names the tools there are when asked for one that is not', async () => {
    const error = await failure('constructor', {});
    expect(error.code).toBe('TOOL_UNKNOWN');
    expect(error.message).toContain('grep_files');
  });

  it.each([
    ['a missing field', 'read_file', {}],
    ['an unknown field', 'calculator', { expression: '1', extra: true }],
    ['a wrong type', 'read_file', { path: 3 }],
    ['text that is no object', 'read_file', '{"path": oops'],
    ['a number out of bounds', 'read_file', { path: 'a', limit: 0 }],
  ])('refuses %s', async (_name, name, input) => {
    expect(await failure(name, input)).toMatchObject({ code: 'TOOL_INPUT', kind: 'user' });
  });

  it('does not let out what a tool must not put out', async () => {
    const broken = defineTool({
      name: 'broken',
      title: 'Broken',
      description: '',
      effect: 'read',
      ceiling: 'LOW',
      input: z.object({}),
      output: z.object({ n: z.number() }),
      // A tool written without types could do this.
      run: async () => ({ n: 'text' }) as unknown as { n: number },
    });
    await expect(createToolHost([broken]).call('broken', {}, context())).rejects.toMatchObject({ code: 'TOOL_OUTPUT' });
  });

  it('describes every tool as JSON Schema with an effect and a ceiling', () => {
    for (const spec of host.list()) {
      expect(spec.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(spec.outputSchema).toMatchObject({ type: 'object' });
    }
    expect(Object.fromEntries(host.list().map((spec) => [spec.name, `${spec.effect} ${spec.ceiling} ${spec.untrusted}`]))).toMatchObject({
      grep_files: 'read LOW false',
      read_file: 'read MEDIUM false',
      fetch_url: 'read MEDIUM true',
    });
  });

  it('does not start a call that is cancelled already', async () => {
    expect(await failure('calculator', { expression: '1' }, { signal: AbortSignal.abort() })).toMatchObject({ code: 'CANCELLED' });
  });
});

describe('the workspace is the world', () => {
  const escapes = [
    '../secret.txt',
    '..',
    'a/../../secret.txt',
    '/etc/passwd',
    './/..//secret.txt',
    'link.txt',
    'linked/secret.txt',
    'chain',
  ];
  beforeEach(() => {
    symlinkSync(join(outer, 'secret.txt'), join(root, 'link.txt'));
    symlinkSync(outer, join(root, 'linked'));
    symlinkSync('link.txt', join(root, 'chain'));
  });

  it.each(['read_file', 'list_directory', 'directory_tree', 'grep_files'])('%s refuses every way out', async (name) => {
    for (const path of escapes) {
      const error = await failure(name, name === 'grep_files' ? { pattern: '.', path } : { path });
      expect({ path, code: error.code }).toEqual({ path, code: 'TOOL_PATH_OUTSIDE' });
      expect(JSON.stringify(error)).not.toContain('CANARY');
    }
  });

  it('does not search or walk through links that lead out', async () => {
    expect(await call('grep_files', { pattern: 'CANARY' })).toEqual({ hits: [], truncated: false });
    expect(JSON.stringify(await call('directory_tree', { depth: 6 }))).not.toContain('secret.txt');
  });

  it('does not mistake a neighbour whose name begins the same for the inside', async () => {
    mkdirSync(`${root}-other`);
    writeFileSync(join(`${root}-other`, 'a.txt'), 'x');
    expect(await failure('read_file', { path: '../workspace-other/a.txt' })).toMatchObject({ code: 'TOOL_PATH_OUTSIDE' });
  });

  it('follows links that stay inside', async () => {
    put('real/a.txt', 'inside\n');
    symlinkSync('real', join(root, 'alias'));
    expect(await call('read_file', { path: 'alias/a.txt' })).toMatchObject({ path: 'real/a.txt', content: '1: inside' });
  });

  it.each(['-e', '--files', '$(touch x)', '`id`', 'a;b', 'a b', "it's", 'ünïcödé', 'new\nline', '..hidden', '{}', '*'])(
    'reads and finds a file with the hostile name %j',
    async (name) => {
      put(name, 'needle here\n');
      expect(await call('read_file', { path: name })).toMatchObject({ content: '1: needle here' });
      expect(await call('grep_files', { pattern: 'needle', path: name })).toMatchObject({
        hits: [{ path: name, line: 1, text: 'needle here' }],
      });
    },
  );

  it('says so when a run has no folder', async () => {
    expect(await failure('read_file', { path: 'a' }, { workspace: null })).toMatchObject({ code: 'TOOL_NO_WORKSPACE' });
  });
});

describe('read_file', () => {
  it('numbers lines, shows a window and says what is left', async () => {
    put('a.txt', Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join('\r\n'));
    expect(await call('read_file', { path: 'a.txt', offset: 10, limit: 2 })).toEqual({
      path: 'a.txt',
      content: '10: line 10\n11: line 11',
      firstLine: 10,
      lastLine: 11,
      totalLines: 30,
      truncated: true,
    });
  });

  it('reads an empty file, and refuses an offset beyond the end', async () => {
    put('empty', '');
    put('one', 'x');
    expect(await call('read_file', { path: 'empty' })).toMatchObject({ content: '', totalLines: 0, truncated: false });
    expect(await failure('read_file', { path: 'one', offset: 2 })).toMatchObject({ code: 'TOOL_INPUT' });
  });

  it('cuts what would flood the model', async () => {
    put('long.txt', `${'x'.repeat(500_000)}\n`.repeat(3));
    const result = await call('read_file', { path: 'long.txt' });
    expect(JSON.stringify(result).length).toBeLessThan(120_000);
  });

  it('refuses binary files and folders', async () => {
    put('image.png', Buffer.from([0x89, 0x50, 0, 1, 2]));
    mkdirSync(join(root, 'folder'));
    expect(await failure('read_file', { path: 'image.png' })).toMatchObject({ code: 'TOOL_BINARY_FILE' });
    expect(await failure('read_file', { path: 'folder' })).toMatchObject({ code: 'TOOL_NOT_A_FILE' });
    expect(await failure('read_file', { path: 'nothing' })).toMatchObject({ code: 'TOOL_PATH_MISSING' });
  });

  it.skipIf(process.platform === 'win32')('never waits at a pipe', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect(await failure('read_file', { path: 'pipe' })).toMatchObject({ code: 'TOOL_NOT_A_FILE' });
    expect(await call('grep_files', { pattern: 'x' })).toEqual({ hits: [], truncated: false });
  });
});

describe('grep_files', () => {
  it('finds without regard to case, in order of path, and leaves ignored and hidden files out', async () => {
    put('.gitignore', 'build/\n*.log\n');
    put('b.txt', 'x\nThe Needle\n');
    put('a/a.txt', 'needle');
    put('build/out.txt', 'needle');
    put('x.log', 'needle');
    put('.hidden', 'needle');
    expect(await call('grep_files', { pattern: 'needle' })).toEqual({
      hits: [
        { path: 'a/a.txt', line: 1, text: 'needle' },
        { path: 'b.txt', line: 2, text: 'The Needle' },
      ],
      truncated: false,
    });
    expect(await call('grep_files', { pattern: 'Needle', caseSensitive: true })).toMatchObject({ hits: [{ path: 'b.txt' }] });
    expect(await call('grep_files', { pattern: 'needle', glob: 'a/**' })).toMatchObject({ hits: [{ path: 'a/a.txt' }] });
  });

  it('searches only the folder it is given', async () => {
    put('one/a.txt', 'needle');
    put('two/a.txt', 'needle');
    expect(await call('grep_files', { pattern: 'needle', path: 'two' })).toMatchObject({ hits: [{ path: 'two/a.txt' }] });
  });

  it('says when there were more hits than shown', async () => {
    put('many.txt', 'hit\n'.repeat(5000));
    const result = await call('grep_files', { pattern: 'hit', maxHits: 10 });
    expect(result).toMatchObject({ truncated: true });
    expect(result).toHaveProperty('hits.length', 10);
  });

  it('takes a pattern as a pattern, whatever it looks like, and explains one that does not parse', async () => {
    put('a.txt', '--files\na(b\n');
    expect(await call('grep_files', { pattern: '--files' })).toMatchObject({ hits: [{ line: 1 }] });
    expect(await failure('grep_files', { pattern: 'a(b' })).toMatchObject({ code: 'TOOL_INPUT' });
    expect(await call('grep_files', { pattern: 'a(b', literal: true })).toMatchObject({ hits: [{ line: 2 }] });
  });
});

describe('folders', () => {
  it('lists with kinds, folders first', async () => {
    put('b.txt', '12345');
    put('a/x', '');
    symlinkSync('b.txt', join(root, 'l'));
    expect(await call('list_directory', {})).toEqual({
      path: '.',
      entries: [
        { name: 'a', kind: 'directory' },
        { name: 'b.txt', kind: 'file', bytes: 5 },
        { name: 'l', kind: 'link' },
      ],
      truncated: false,
    });
    expect(await failure('list_directory', { path: 'b.txt' })).toMatchObject({ code: 'TOOL_NOT_A_FOLDER' });
  });

  it('draws the tree as far as asked, and keeps nested ignore rules', async () => {
    put('.gitignore', '*.log\n');
    put('src/.gitignore', '!keep.log\ngen/\n');
    put('src/deep/er/x.ts', '');
    put('src/keep.log', '');
    put('src/gen/out.ts', '');
    put('drop.log', '');
    expect(await call('directory_tree', { depth: 2 })).toEqual({
      path: '.',
      tree: 'src/\n  deep/\n  keep.log',
      files: 1,
      directories: 2,
      truncated: true,
    });
  });
});

describe('calculator', () => {
  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['-2 ^ 2', -4],
    ['2 ^ 3 ^ 2', 512],
    ['2 ** -1', 0.5],
    ['10 % 4 / 2', 1],
    ['sqrt(16) + max(1, 2, 3) - abs(-1)', 6],
    ['1_000 * 1.5e2', 150_000],
    ['7 × 6 ÷ 2 − 1', 20],
    ['round(pi * 100)', 314],
  ])('%s = %d', (source, expected) => expect(calculate(source)).toBe(expected));

  it.each([
    '',
    '1 +',
    '(1',
    '1)',
    '1 / 0',
    '5 % 0',
    'process',
    'constructor(1)',
    '__proto__',
    'sqrt(1, 2)',
    'pow(2)',
    '9^9^9^9',
    '1; 2',
    `${'('.repeat(500)}1`,
  ])('refuses %j', (source) => expect(() => calculate(source)).toThrowError(expect.objectContaining({ code: 'TOOL_INPUT' })));

  it('agrees with arithmetic on random sums and products', () => {
    const number = fc.integer({ min: 0, max: 1000 });
    fc.assert(fc.property(number, number, number, (a, b, c) => calculate(`${a}+${b}*${c}-(${c}-${a})`) === a + b * c - (c - a)));
  });
});

describe('pages and time', () => {
  it('gives the readable text of a page, marked with where it came from', async () => {
    expect(await call('fetch_url', { url: 'https://example.com/' })).toEqual({
      url: 'https://example.com/',
      status: 200,
      contentType: 'text/html',
      title: 'A & B',
      text: '# Head\n\nOne\ntwo\n\n- item',
      truncated: false,
    });
  });

  it('hides what a page hides, also when its marks are broken', () => {
    expect(textOfHtml('a<script>evil()').text).toBe('a');
    expect(textOfHtml('a<!-- hidden').text).toBe('a');
    expect(textOfHtml('a<style>x{}</style >b &#x41;&#66;&unknown;').text).toBe('a b AB&unknown;');
  });

  it("tells the run's time, not the machine's", async () => {
    expect(await call('current_time', {})).toEqual({ utc: '2023-11-14T22:13:20.000Z', epochMs: 1_700_000_000_000 });
    expect(await call('current_time', { timeZone: 'Asia/Tokyo' })).toMatchObject({ local: expect.stringContaining('07:13:20') });
    expect(await failure('current_time', { timeZone: 'Nowhere/Else' })).toMatchObject({ code: 'TOOL_INPUT' });
  });
});
