import { isTRPCClientError } from '@trpc/client';
import type { AppRouter } from '@/server/trpc/router';

/** What a person can read of anything that was thrown by a call. */
export function messageOf(error: unknown): string {
  if (isTRPCClientError<AppRouter>(error)) {
    const reason = error.cause?.message ?? '';
    if (error.data == null && /fetch|network|load failed/i.test(`${error.message} ${reason}`))
      return 'The server does not answer. Is it still running?';
    return error.message;
  }
  return error instanceof Error ? error.message : String(error);
}

/** The stable code of a refused call (`FLOW_CONFLICT`, `RUN_NOT_FOUND`, …), or null when the call did not get that far. */
export function codeOf(error: unknown): string | null {
  if (!isTRPCClientError<AppRouter>(error)) return null;
  return error.data?.bridle?.code ?? error.data?.code ?? null;
}
