import { mkdir, mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FileKeep, KeptFiles } from '@/harness/contract/tool';
import { regressionPattern } from '@/harness/planning/guards/path-rules';
import { commandTools } from '../tools/command-tools';
import { createFile } from '../tools/create-file';
import { createToolHost } from '../tools/tool-host';
import { withKeptFiles } from './kept-files';

let folder = '';
const at = (path: string): string => join(folder, path);
const regression = 'tests/regression/auth.test.js';
const text = (path: string): Promise<string> => readFile(at(path), 'utf8');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kept-'));
  await mkdir(at('tests/regression'), { recursive: true });
  await writeFile(at(regression), 'old\n', { mode: 0o640 });
  await writeFile(at('a.js'), 'a\n');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function keep(work: () => Promise<unknown>, more: Partial<FileKeep> = {}): Promise<KeptFiles> {
  const seen: KeptFiles[] = [];
  await withKeptFiles(
    {
      workspace: folder,
      keep: [{ pattern: regressionPattern, except: [], ...more }],
      signal: new AbortController().signal,
      onKept: (_index, files) => seen.push(files),
    },
    work,
  ).catch(() => undefined);
  const [files] = seen;
  if (files === undefined || seen.length !== 1) throw new Error('told not once');
  return files;
}

test('a kept file stayed changed, deleted, moved or replaced by a link, or lost its mode', async () => {
  const ways: (() => Promise<unknown>)[] = [
    () => writeFile(at(regression), 'new\n'),
    () => rm(at('tests'), { recursive: true }),
    () => rename(at(regression), at('b.js')),
    async () => {
      await rm(at(regression));
      await symlink(at('a.js'), at(regression));
    },
    async () => {
      await rm(at(regression));
      await mkdir(at(regression));
    },
  ];
  for (const way of ways) {
    const { before, after, restored } = await keep(way);
    expect(restored).toEqual([regression]);
    expect(after[regression]).not.toBe(before[regression]);
    expect(await text(regression)).toBe('old\n');
    expect((await stat(at(regression))).mode & 0o777).toBe(0o640);
  }
  expect(await text('a.js')).toBe('a\n');
});

test('a file was left changed because the work failed', async () => {
  const { restored } = await keep(async () => {
    await writeFile(at(regression), 'new\n');
    throw new Error('killed');
  });
  expect(restored).toEqual([regression]);
  expect(await text(regression)).toBe('old\n');
});

test('what may change, what is new, or what does not match was put back', async () => {
  const own = await keep(() => writeFile(at(regression), 'new\n'), { except: [regression] });
  expect(own.restored).toEqual([]);
  expect(await text(regression)).toBe('new\n');
  const more = await keep(async () => {
    await writeFile(at('tests/regression/b.test.js'), 'b\n');
    await writeFile(at('a.js'), 'changed\n');
  });
  expect(more.restored).toEqual([]);
  expect(Object.keys(more.after).sort()).toEqual([regression, 'tests/regression/b.test.js']);
  expect(await text('a.js')).toBe('changed\n');
});

const host = createToolHost([createFile, ...commandTools({})]);
const context = (more: object = {}) => ({
  runId: 'run',
  workspace: folder,
  now: () => 0,
  signal: new AbortController().signal,
  ...more,
});

test('a command of a tool got round what is to be kept, or ran longer than it may', async () => {
  const script = "require('node:fs').writeFileSync('tests/regression/auth.test.js','x')";
  const kept: KeptFiles[] = [];
  const onKept = (_index: number, files: KeptFiles) => kept.push(files);
  await host.call(
    'run_command',
    { command: `node -e "${script}"` },
    context({ keep: [{ pattern: regressionPattern, except: [] }], onKept }),
  );
  expect(kept).toMatchObject([{ restored: [regression] }]);
  expect(await text(regression)).toBe('old\n');
  expect(await host.call('run_command', { command: 'node -e "setTimeout(()=>{},60000)"' }, context({ timeoutMs: 300 }))).toMatchObject({
    timedOut: true,
    passed: false,
    exitCode: -1,
  });
});

test('the paths of a call were not told as they are on disk', async () => {
  await symlink(tmpdir(), at('out'));
  const targets = async (path: string) => (await host.targets?.('create_file', { path, content: '' }, context()))?.paths;
  expect(await targets('a.js')).toEqual([{ path: 'a.js', exists: true, outside: false }]);
  expect(await targets('new/deep/b.js')).toEqual([{ path: 'new/deep/b.js', exists: false, outside: false }]);
  expect(await targets('../x')).toEqual([{ path: '../x', exists: null, outside: true }]);
  expect(await targets('out/x')).toMatchObject([{ path: 'out/x', outside: true }]);
  for (const input of [null, 3, [], { path: 3 }, { path: '' }])
    expect(await host.targets?.('create_file', input, context())).toHaveProperty('paths');
  expect(await host.targets?.('create_file', { path: 'a.js' }, context({ workspace: null }))).toBeNull();
});
