import type { ReactNode } from 'react';
import { Card } from '../ui/card';
import { ErrorState } from '../ui/error-state';
import { messageOf } from './api-error';

interface QueryLike<T> {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
}

/** Loading, refused, empty or there: each with its own look. Data that was there stays while it cannot be renewed. */
export function Loaded<T>({
  query,
  what,
  loading,
  children,
}: {
  query: QueryLike<T>;
  what: string;
  loading: ReactNode;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) {
    return (
      <Card>
        <ErrorState title={`${what} could not be loaded`} message={messageOf(query.error)} onRetry={() => void query.refetch()} />
      </Card>
    );
  }
  return (
    <div role="status">
      <span className="sr-only">Loading {what.toLowerCase()}</span>
      {loading}
    </div>
  );
}
