import type { Json } from './json';

/**
 * - `user`: the person can mend it by changing what they drew or typed.
 * - `operational`: the world refused (network, provider, disk); trying again may help.
 * - `unexpected`: a fault of ours.
 */
export type ErrorKind = 'user' | 'operational' | 'unexpected';

/** The plain-JSON form of an error, as it stands in events and answers (design §11). */
export interface ErrorRecord {
  code: string;
  kind: ErrorKind;
  message: string;
  details?: Json;
}

const marker = Symbol.for('bridle.error');

/** An error that says what is wrong, where, and what to do about it. Recognised by marker, never by `instanceof`. */
export class BridleError extends Error {
  readonly [marker] = true;
  readonly code: string;
  readonly kind: ErrorKind;
  readonly details?: Json;

  constructor(record: ErrorRecord, options?: { cause?: unknown }) {
    super(record.message, options);
    this.name = 'BridleError';
    this.code = record.code;
    this.kind = record.kind;
    if (record.details !== undefined) this.details = record.details;
  }
}

export const isBridleError = (value: unknown): value is BridleError => typeof value === 'object' && value !== null && marker in value;

/** Turns anything thrown into a record; an unknown throw is `unexpected` and keeps only its message. */
export function toErrorRecord(thrown: unknown): ErrorRecord {
  if (isBridleError(thrown)) {
    const record: ErrorRecord = { code: thrown.code, kind: thrown.kind, message: thrown.message };
    if (thrown.details !== undefined) record.details = thrown.details;
    return record;
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: 'UNEXPECTED', kind: 'unexpected', message };
}

export const userError = (code: string, message: string, details?: Json): BridleError =>
  new BridleError({ code, kind: 'user', message, ...(details === undefined ? {} : { details }) });

export const operationalError = (code: string, message: string, details?: Json): BridleError =>
  new BridleError({ code, kind: 'operational', message, ...(details === undefined ? {} : { details }) });

export const unexpectedError = (code: string, message: string, details?: Json): BridleError =>
  new BridleError({ code, kind: 'unexpected', message, ...(details === undefined ? {} : { details }) });
