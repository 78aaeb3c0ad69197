/** One line of JSON on stderr. Never hand it a request, a document or a secret: messages and ids only. */
export function logLine(
  level: 'info' | 'warning' | 'error',
  message: string,
  details: Readonly<Record<string, string | number>> = {},
): void {
  process.stderr.write(`${JSON.stringify({ at: new Date().toISOString(), level, message, ...details })}\n`);
}
