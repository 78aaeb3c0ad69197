import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { operationalError, userError } from '@/harness/contract/errors';

const keyFileName = 'secrets.key';
const keyBytes = 32;
const version = 'v1';

/** Shortest value that is kept: a shorter one could not be removed from traces without destroying ordinary text. */
export const shortestSecret = 4;

/** Encrypts the secrets at rest (design §10). The box of one name does not open under another. */
export interface Vault {
  /** Throws `SECRET_TOO_SHORT`. */
  encrypt(name: string, value: string): string;
  /** Throws `SECRET_UNREADABLE` when the box was changed, belongs to another name, or was made with another key. */
  decrypt(name: string, box: string): string;
  /** What was put right while opening; to be logged. */
  readonly notices: readonly string[];
}

const isCode = (error: unknown, code: string): boolean => error instanceof Error && 'code' in error && error.code === code;

/** Writes the key beside its final name and links it into place, so that two first starts at once agree on one whole key. */
function createKey(path: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const file = openSync(/* turbopackIgnore: true */ draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    writeSync(file, `${randomBytes(keyBytes).toString('base64')}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    unlinkSync(draft);
  }
}

interface OpenedKey {
  key: Buffer;
  notices: string[];
}

function readKey(path: string): OpenedKey | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw operationalError(
      'SECRET_KEY_UNREADABLE',
      `The key file ${keyFileName} in the data folder cannot be read. Check that it is a file of the account that runs Bridle.`,
    );
  }
  try {
    const notices: string[] = [];
    const stats = fstatSync(file);
    // Windows has no such bits.
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
      try {
        chmodSync(path, 0o600);
      } catch {
        throw userError(
          'SECRET_KEY_EXPOSED',
          `The key file ${keyFileName} in the data folder can be read by other accounts. Set its mode to 600 and restart.`,
        );
      }
      notices.push(
        `${keyFileName} could be read by other accounts; its mode is now 600. If others use this machine, save the secrets anew.`,
      );
    }
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
    if (key.length !== keyBytes) {
      throw operationalError(
        'SECRET_KEY_DAMAGED',
        `The key file ${keyFileName} in the data folder is damaged. Restore it from a backup, or remove it and save the secrets anew.`,
      );
    }
    return { key, notices };
  } finally {
    closeSync(file);
  }
}

/** Opens the vault of a data folder; makes the key file (mode 0600) on first start. Throws `SECRET_KEY_*`. */
export function openVault(folder: string): Vault {
  const path = join(folder, keyFileName);
  let opened = readKey(path);
  if (opened === null) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    createKey(path);
    opened = readKey(path);
  }
  if (opened === null) throw operationalError('SECRET_KEY_UNREADABLE', `The key file ${keyFileName} could not be made in the data folder.`);
  const { key, notices } = opened;

  return {
    notices,
    encrypt(name, value) {
      if (value.length < shortestSecret) {
        throw userError(
          'SECRET_TOO_SHORT',
          `A secret needs at least ${shortestSecret} characters; a shorter one could not be hidden in traces.`,
        );
      }
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      cipher.setAAD(Buffer.from(name, 'utf8'));
      const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
      return [version, nonce, cipher.getAuthTag(), sealed]
        .map((part) => (typeof part === 'string' ? part : part.toString('base64url')))
        .join('.');
    },
    decrypt(name, box) {
      const unreadable = (): Error =>
        userError('SECRET_UNREADABLE', `The secret ${name} cannot be opened with this data folder's key. Save it again in Settings.`);
      const [kind, nonce, tag, sealed] = box.split('.');
      if (kind !== version || nonce === undefined || tag === undefined || sealed === undefined) throw unreadable();
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), { authTagLength: 16 });
        decipher.setAAD(Buffer.from(name, 'utf8'));
        decipher.setAuthTag(Buffer.from(tag, 'base64url'));
        return Buffer.concat([decipher.update(Buffer.from(sealed, 'base64url')), decipher.final()]).toString('utf8');
      } catch {
        throw unreadable();
      }
    },
  };
}
