import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-host';
import { createWorkspaces } from './workspaces';

const base = realpathSync(temporaryFolder());
for (const folder of ['samples/relay', 'samples/.hidden', 'data/inner', 'work/project', 'other', 'roomy/data'])
  mkdirSync(join(base, folder), { recursive: true });
for (const name of ['a.md', 'b.md', 'c.md', 'd.md', 'e.md']) writeFileSync(join(base, 'samples/relay', name), '');
symlinkSync(join(base, 'data'), join(base, 'work/way-to-data'));
symlinkSync(join(base, 'other'), join(base, 'work/way-out'));
afterAll(() => rmSync(base, { recursive: true }));

const open = createWorkspaces({ samplesFolder: join(base, 'samples'), dataFolder: join(base, 'data'), roots: [] });
const bounded = createWorkspaces({ samplesFolder: join(base, 'samples'), dataFolder: join(base, 'data'), roots: [join(base, 'work')] });

describe('a workspace', () => {
  it('is a sample by its id, or a folder by its path, resolved', () => {
    expect(open.samples()).toEqual([{ id: 'relay', title: 'Relay', label: 'a.md, b.md, c.md, d.md and 1 more' }]);
    expect(open.resolve('relay')).toBe(join(base, 'samples/relay'));
    expect(open.resolve(join(base, 'work/way-out'))).toBe(join(base, 'other'));
    expect(bounded.resolve(join(base, 'work/project'))).toBe(join(base, 'work/project'));
    expect(open.check(join(base, 'work'))).toEqual({ ok: true, message: '3 entries' });
  });

  it.each([
    ['the root of the disk', '/'],
    ['a way to the root', `${base}/../../../../../../../..`],
    ['the data folder', join(base, 'data')],
    ['a folder in it', join(base, 'data/inner')],
    ['a link to it', join(base, 'work/way-to-data')],
    ['a folder that holds it', base],
    ['a file', join(base, 'samples/relay/a.md')],
    ['nothing', join(base, 'nowhere')],
    ['a relative path', 'samples/relay'],
    ['a way out of the samples', '../data'],
    ['a hidden sample', '.hidden'],
    ['a sample by prototype', '__proto__'],
  ])('is never %s (keys read by a tool)', (_name, choice) => {
    expect(() => open.resolve(choice)).toThrow();
    expect(open.check(choice).ok).toBe(false);
  });

  it('stays inside the folders that the administrator allows, also through links', () => {
    expect(() => bounded.resolve(join(base, 'other'))).toThrow('BRIDLE_WORKSPACES');
    expect(() => bounded.resolve(join(base, 'work/way-out'))).toThrow('BRIDLE_WORKSPACES');
  });
});
