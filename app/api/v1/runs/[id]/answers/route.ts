import { getHost } from '@/server/host/host';
import { PublicApi, publicSchemas } from '@/server/host/public-api';
import { behindDoor, readBody } from '@/server/security/door';

export const dynamic = 'force-dynamic';

export async function POST(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const { services, environment } = getHost();
  return behindDoor(request, environment, async () =>
    new PublicApi(services).answer((await params).id, await readBody(request, publicSchemas.answer)),
  );
}
