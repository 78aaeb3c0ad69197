import { readEnvironment } from '@/server/env';
import { createHost, type Host } from '@/server/host/host';

/** Opens the data folder beside a server that may be running on it, and closes it whatever happens. */
export async function withHost<T>(work: (host: Host) => Promise<T>): Promise<T> {
  const host = createHost({ environment: readEnvironment(), shared: true });
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}
