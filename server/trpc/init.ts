import { initTRPC, TRPCError } from '@trpc/server';
import { isBridleError } from '@/harness/contract/errors';
import type { Json } from '@/harness/contract/json';
import type { HostServices } from '../host/services';

/** What every procedure is handed. `denied` says why this caller may not come in; procedures refuse, not middleware of the web server. */
export interface ApiContext {
  services: HostServices;
  denied: { code: 'UNAUTHORIZED' | 'FORBIDDEN'; message: string } | null;
}

/** The part of an error that the browser may read. */
export interface ApiErrorData {
  bridle: { code: string; kind: 'user' | 'operational' | 'unexpected'; details: Json } | null;
}

const t = initTRPC.context<ApiContext>().create({
  errorFormatter({ shape, error }) {
    const cause = error.cause;
    const bridle: ApiErrorData['bridle'] = isBridleError(cause)
      ? { code: cause.code, kind: cause.kind, details: cause.details ?? null }
      : null;
    const { stack: _stack, ...data } = shape.data;
    const message =
      error.code === 'INTERNAL_SERVER_ERROR' && bridle === null
        ? 'Something went wrong on our side. The server log has the cause.'
        : shape.message;
    return { ...shape, message, data: { ...data, bridle } };
  },
  sse: { ping: { enabled: true, intervalMs: 15_000 }, client: { reconnectAfterInactivityMs: 40_000 } },
});

const statusOf = (code: string, kind: string): TRPCError['code'] => {
  if (code.endsWith('_NOT_FOUND')) return 'NOT_FOUND';
  if (code.endsWith('_CONFLICT')) return 'CONFLICT';
  if (code.endsWith('_TOO_LARGE')) return 'PAYLOAD_TOO_LARGE';
  if (kind === 'user') return 'BAD_REQUEST';
  return kind === 'operational' ? 'BAD_GATEWAY' : 'INTERNAL_SERVER_ERROR';
};

/** Domain errors become transport errors here and nowhere else (design §11). */
export const toTRPCError = (thrown: unknown): TRPCError => {
  if (thrown instanceof TRPCError) return thrown;
  if (isBridleError(thrown)) return new TRPCError({ code: statusOf(thrown.code, thrown.kind), message: thrown.message, cause: thrown });
  return new TRPCError({ code: 'INTERNAL_SERVER_ERROR', message: 'Unexpected', cause: thrown });
};

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/** Every procedure is built on this one: it lets nobody in who is not allowed in, and maps domain errors. */
export const procedure = t.procedure.use(async ({ ctx, next }) => {
  if (ctx.denied !== null) throw new TRPCError({ code: ctx.denied.code, message: ctx.denied.message });
  const result = await next();
  if (!result.ok) {
    const cause = result.error.cause;
    if (isBridleError(cause)) throw toTRPCError(cause);
  }
  return result;
});
