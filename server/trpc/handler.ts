import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { toErrorRecord } from '@/harness/contract/errors';
import type { Environment } from '../env';
import type { HostServices } from '../host/services';
import { logLine } from '../log';
import { checkAccess } from '../security/access';
import type { ApiContext } from './init';
import { appRouter, procedureTypes } from './router';

const endpoint = '/api/trpc';

interface ApiHost {
  services: HostServices;
  environment: Pick<Environment, 'host' | 'token' | 'allowHosts'>;
}

/** What a request may do is decided from its own headers, inside procedures; no header of a proxy is believed. */
export function contextOf(headers: Headers, host: ApiHost): ApiContext {
  const access = checkAccess(headers, host.environment);
  return { services: host.services, denied: access.allowed ? null : { code: access.code, message: access.message } };
}

const asksForStream = (request: Request): boolean => {
  const paths = new URL(request.url).pathname.slice(`${endpoint}/`.length).split(',');
  return paths.some((path) => procedureTypes().get(path) === 'subscription');
};

/** Answers one request of the browser's API. */
export async function handleApi(request: Request, host: ApiHost): Promise<Response> {
  const access = checkAccess(request.headers, host.environment);
  // a stream tells of a refusal inside of an answer of 200; a browser would take that for an open connection
  if (!access.allowed && asksForStream(request)) {
    return Response.json(
      { error: access },
      { status: access.code === 'UNAUTHORIZED' ? 401 : 403, headers: { 'cache-control': 'no-store' } },
    );
  }
  const response = await fetchRequestHandler({
    endpoint,
    req: request,
    router: appRouter,
    createContext: () => contextOf(request.headers, host),
    onError: ({ error, path }) => {
      if (error.code !== 'INTERNAL_SERVER_ERROR') return;
      logLine('error', 'A procedure failed', { path: path ?? '', reason: toErrorRecord(error.cause ?? error).message });
    },
  });
  const streams = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  response.headers.set('cache-control', streams ? 'no-cache, no-transform' : 'no-store');
  response.headers.set('x-content-type-options', 'nosniff');
  return response;
}
