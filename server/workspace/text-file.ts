import { createHash } from 'node:crypto';
import { userError } from '@/harness/contract/errors';

export const maxFileBytes = 20_000_000;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a file, or `null` when it is binary: a NUL byte, or no UTF-8. A byte order mark stays in it. */
export function textOfBytes(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

export function requireText(bytes: Uint8Array, name: string): string {
  const text = textOfBytes(bytes);
  if (text === null) throw userError('TOOL_BINARY_FILE', `"${name}" is no UTF-8 text. Only text files are changed.`);
  return text;
}

export const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** The line ending that most lines of a text have; LF for one without any. */
export function lineEnding(text: string): '\n' | '\r\n' {
  const windows = text.match(/\r\n/g)?.length ?? 0;
  const all = text.match(/\n/g)?.length ?? 0;
  return windows > all - windows ? '\r\n' : '\n';
}

export const withLineEnding = (text: string, ending: '\n' | '\r\n'): string => text.replace(/\r?\n/g, ending);
