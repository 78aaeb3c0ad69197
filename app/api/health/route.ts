import { getHost } from '@/server/host/host';

export const dynamic = 'force-dynamic';

/** Tells whether the server is up, and nothing else. */
export function GET(): Response {
  getHost();
  return Response.json({ status: 'ok' }, { headers: { 'cache-control': 'no-store' } });
}
