import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readEnvironment } from '../env';
import { temporaryFolder, temporaryHost } from '../testing/temporary-host';

const open: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const made of open.splice(0)) await made.close();
});

describe('the doctor', () => {
  it('finds everything sound on a fresh folder, and says that only the rehearsal model answers', async () => {
    const made = temporaryHost();
    open.push(made);
    const { checks } = await made.host.services.doctor.report();
    const unsound = checks.filter(({ status }) => status !== 'ok').map(({ id }) => id);
    expect(unsound.filter((id) => id !== 'git')).toEqual(['providers']);
    for (const check of checks) expect(check.status === 'ok' || (check.fix ?? '') !== '', `${check.id} says what to do`).toBe(true);
  });

  it('tells of secrets sealed with another key and of folders that are missing (a green page over a broken set-up)', async () => {
    const first = temporaryHost();
    await first.host.services.settings.setSecret('OLD_SECRET', 'some value');
    await first.host.close();
    writeFileSync(join(first.folder, 'secrets.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`, { mode: 0o600 });
    const made = temporaryHost({ folder: first.folder, variables: { BRIDLE_WORKSPACES: '/nowhere/at/all' } });
    open.push(made);
    const { checks } = await made.host.services.doctor.report();
    const problems = new Map(checks.filter(({ status }) => status === 'problem').map(({ id, detail }) => [id, detail]));
    expect(problems.get('secrets')).toContain('OLD_SECRET');
    expect(problems.get('workspaces')).toContain('/nowhere/at/all');
    // the rest of the app still answers
    expect((await made.host.services.settings.get()).secrets).toHaveLength(1);
  });
});

describe('the environment', () => {
  it('is refused with the variable named where it cannot be meant (a server on a surprising port, a guessable token)', () => {
    expect(() => readEnvironment({ PORT: 'http' })).toThrow('PORT is "http"');
    expect(() => readEnvironment({ PORT: '70000' })).toThrow('PORT');
    expect(() => readEnvironment({ BRIDLE_TOKEN: 'short' })).toThrow('BRIDLE_TOKEN is too short');
  });

  it('takes an empty variable as none, and lists with blanks', () => {
    const folder = temporaryFolder();
    const environment = readEnvironment({
      HOST: ' ',
      BRIDLE_TOKEN: '',
      OPENAI_API_KEY: '',
      BRIDLE_DATA_DIR: folder,
      BRIDLE_ALLOW_HOSTS: 'A.example, b.example ',
    });
    expect(environment).toMatchObject({ host: '127.0.0.1', token: null, allowHosts: ['a.example', 'b.example'], port: 3000 });
    expect(environment.models.openaiKey).toBeUndefined();
    rmSync(folder, { recursive: true });
  });
});
