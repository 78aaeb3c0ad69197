import { getHost } from '@/server/host/host';
import { handleApi } from '@/server/trpc/handler';

export const dynamic = 'force-dynamic';

const handler = (request: Request): Promise<Response> => handleApi(request, getHost());

export { handler as GET, handler as POST };
