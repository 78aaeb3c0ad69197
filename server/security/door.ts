import { z } from 'zod';
import { isBridleError, toErrorRecord, userError } from '@/harness/contract/errors';
import type { Environment } from '../env';
import { logLine } from '../log';
import { type Access, checkAccess } from './access';

type Rules = Pick<Environment, 'host' | 'token' | 'allowHosts'>;

const statusOf = (code: string, kind: string): number => {
  if (code.endsWith('_NOT_FOUND')) return 404;
  if (code.endsWith('_CONFLICT')) return 409;
  if (code.endsWith('_TOO_LARGE')) return 413;
  if (kind === 'user') return 400;
  return kind === 'operational' ? 502 : 500;
};

const json = (status: number, body: unknown): Response =>
  Response.json(body, { status, headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } });

const refusal = (access: Extract<Access, { allowed: false }>): Response =>
  json(access.code === 'UNAUTHORIZED' ? 401 : 403, { error: { code: access.code, kind: 'user', message: access.message } });

/** Runs one plain HTTP handler behind the access check and turns what it throws into an answer that says what to do. */
export async function behindDoor(request: Request, rules: Rules, handle: () => unknown): Promise<Response> {
  const access = checkAccess(request.headers, rules);
  if (!access.allowed) return refusal(access);
  try {
    const answer = await handle();
    return answer instanceof Response ? answer : json(200, answer);
  } catch (thrown) {
    const error = toErrorRecord(thrown);
    if (isBridleError(thrown) && error.kind !== 'unexpected') return json(statusOf(error.code, error.kind), { error });
    logLine('error', 'A request failed', { path: new URL(request.url).pathname, reason: error.message });
    const message = 'Something went wrong on our side. The server log has the cause.';
    return json(500, { error: { code: 'UNEXPECTED', kind: 'unexpected', message } });
  }
}

/** Largest JSON body of a plain HTTP request, in bytes. */
const largestBody = 5_000_000;

/** Reads and checks a JSON body. Throws `BODY_INVALID` with the place, or `BODY_TOO_LARGE`. */
export async function readBody<T extends z.ZodType>(request: Request, schema: T): Promise<z.output<T>> {
  if (Number(request.headers.get('content-length') ?? 0) > largestBody)
    throw userError('BODY_TOO_LARGE', `A body may have ${largestBody} bytes.`);
  const text = await request.text();
  if (text.length > largestBody) throw userError('BODY_TOO_LARGE', `A body may have ${largestBody} bytes.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw userError('BODY_INVALID', 'The body is not JSON.');
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw userError('BODY_INVALID', z.prettifyError(parsed.error));
}
