import { flowJsonSchema } from '@/server/flows/flow-json-schema';

export const dynamic = 'force-static';

export const GET = (): Response =>
  new Response(flowJsonSchema(), {
    headers: { 'content-type': 'application/schema+json; charset=utf-8', 'cache-control': 'public, max-age=300' },
  });
