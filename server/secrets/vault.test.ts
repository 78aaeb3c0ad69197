import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openVault } from './vault';

const canary = 'CANARY-7f3a';
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridle-vault-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('vault', () => {
  it('opens what it sealed, also after a restart', () => {
    const box = openVault(folder).encrypt('API', canary);
    expect(openVault(folder).decrypt('API', box)).toBe(canary);
  });

  it('leaves no trace of the value in the box or in the folder', () => {
    const box = openVault(folder).encrypt('API', canary);
    expect(box).not.toContain(canary);
    expect(Buffer.from(box.split('.')[3] ?? '', 'base64url').toString('latin1')).not.toContain(canary);
    for (const file of readdirSync(folder)) expect(readFileSync(join(folder, file), 'latin1')).not.toContain(canary);
  });

  it('seals the same value differently each time, so equal secrets cannot be told', () => {
    const vault = openVault(folder);
    expect(vault.encrypt('API', canary)).not.toBe(vault.encrypt('API', canary));
  });

  it('makes a key file that only its owner can read, and no other file', () => {
    openVault(folder);
    expect(readdirSync(folder)).toEqual(['secrets.key']);
    expect(modeOf(join(folder, 'secrets.key'))).toBe(0o600);
  });

  it('repairs a key file that others can read, and says so', () => {
    const box = openVault(folder).encrypt('API', canary);
    chmodSync(join(folder, 'secrets.key'), 0o644);
    const vault = openVault(folder);
    expect(modeOf(join(folder, 'secrets.key'))).toBe(0o600);
    expect(vault.notices).toHaveLength(1);
    expect(vault.decrypt('API', box)).toBe(canary);
    expect(openVault(folder).notices).toEqual([]);
  });

  it('refuses a damaged key file instead of replacing it, which would lose every secret', () => {
    writeFileSync(join(folder, 'secrets.key'), 'short', { mode: 0o600 });
    expect(() => openVault(folder)).toThrowError(expect.objectContaining({ code: 'SECRET_KEY_DAMAGED' }));
    expect(readFileSync(join(folder, 'secrets.key'), 'utf8')).toBe('short');
  });

  it('does not follow a link planted as the key file', () => {
    const elsewhere = join(folder, 'elsewhere');
    writeFileSync(elsewhere, Buffer.alloc(32).toString('base64'));
    symlinkSync(elsewhere, join(folder, 'secrets.key'));
    expect(() => openVault(folder)).toThrowError(expect.objectContaining({ code: 'SECRET_KEY_UNREADABLE' }));
  });

  it.each([
    ['moved to another name', (box: string) => ['OTHER', box] as const],
    ['with a changed byte', (box: string) => ['API', `${box.slice(0, -2)}${box.endsWith('A') ? 'B' : 'A'}A`] as const],
    ['cut short', (box: string) => ['API', box.split('.').slice(0, 3).join('.')] as const],
    ['that is no box', () => ['API', canary] as const],
  ])('refuses a box %s, without repeating it', (_name, change) => {
    const vault = openVault(folder);
    const [name, box] = change(vault.encrypt('API', canary));
    let message = '';
    try {
      vault.decrypt(name, box);
    } catch (error) {
      message = error instanceof Error ? error.message : '';
    }
    expect(message).toContain('cannot be opened');
    expect(message).not.toContain(canary);
  });

  it('refuses a value too short to be hidden in traces', () => {
    expect(() => openVault(folder).encrypt('API', 'abc')).toThrowError(expect.objectContaining({ code: 'SECRET_TOO_SHORT' }));
  });
});
