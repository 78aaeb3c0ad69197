import type { QueryClient } from '@tanstack/react-query';

/**
 * Reads again what has changed. A first read that is still under way may have begun before the change; TanStack joins it instead of starting anew, so
 * what it brings is read once more.
 */
export async function readAgain(queries: QueryClient, queryKey: readonly unknown[]): Promise<void> {
  const first = queries.isFetching({ queryKey, predicate: (query) => query.state.data === undefined }) > 0;
  await queries.invalidateQueries({ queryKey });
  if (first) await queries.invalidateQueries({ queryKey });
}
