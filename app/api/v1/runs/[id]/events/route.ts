import { getHost } from '@/server/host/host';
import { PublicApi } from '@/server/host/public-api';
import { behindDoor } from '@/server/security/door';

export const dynamic = 'force-dynamic';

export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const { services, environment } = getHost();
  return behindDoor(request, environment, async () => new PublicApi(services).events((await params).id, new URL(request.url).searchParams));
}
