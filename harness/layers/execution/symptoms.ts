import { z } from 'zod';

export const symptomRuleSchema = z.object({
  any: z.array(z.string().min(1)).meta({ title: 'Patterns' }),
  symptom: z.string().min(1).meta({ title: 'Symptom' }),
});
export type SymptomRule = z.output<typeof symptomRuleSchema>;

/** First match names the symptom of an error (layers.md R8). Patterns are regular expressions, case ignored. */
export const defaultSymptomTable: SymptomRule[] = [
  { any: ['enoent', 'no such file'], symptom: 'file not found' },
  { any: ['timeout', 'timed out', 'etimedout'], symptom: 'request timed out' },
  { any: ['econnrefused', 'connection refused'], symptom: 'connection refused' },
  { any: ['eacces', 'permission denied'], symptom: 'permission denied' },
  { any: ['enotfound', 'getaddrinfo'], symptom: 'host not found' },
  { any: ['econnreset'], symptom: 'connection reset' },
  { any: ['\\b404\\b', 'not found'], symptom: 'not found' },
  { any: ['\\b401\\b', '\\b403\\b', 'unauthorized', 'forbidden'], symptom: 'access denied' },
  { any: ['\\b5\\d\\d\\b'], symptom: 'server error' },
  { any: ['non-zero exit', 'exit code [1-9]', 'exited with code [1-9]'], symptom: 'command failed' },
];

export function symptomOf(message: string, table: readonly SymptomRule[] = defaultSymptomTable): string | null {
  const rule = table.find(({ any }) => any.some((pattern) => matches(pattern, message)));
  return rule?.symptom ?? null;
}

/** A pattern that somebody mistyped matches nothing; it must not turn an error into another one. */
function matches(pattern: string, message: string): boolean {
  try {
    return new RegExp(pattern, 'i').test(message);
  } catch {
    return false;
  }
}

/** Text of the SYSTEM_ERROR observation of a failed execution. */
export function systemErrorText(message: string, table: readonly SymptomRule[] = defaultSymptomTable): string {
  const symptom = symptomOf(message, table);
  return `${symptom === null ? '' : `[${symptom}] `}Tool execution failed: ${message}`;
}
