import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

/** Serves a fetch-style handler over real HTTP on a free port of this machine. */
export async function serveFetch(handle: (request: Request) => Promise<Response>): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    answer(handle, incoming, outgoing).catch((thrown: unknown) => {
      outgoing.statusCode = 500;
      outgoing.end(String(thrown));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // a server that listens on a port has an address with one
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { url: `http://127.0.0.1:${port}`, close };
}

async function answer(handle: (request: Request) => Promise<Response>, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const controller = new AbortController();
  outgoing.on('close', () => controller.abort());
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) if (value !== undefined) headers.set(name, String(value));
  const body = chunks.length === 0 ? null : Buffer.concat(chunks);
  const url = `http://${incoming.headers.host}${incoming.url}`;
  const init = { method: incoming.method ?? 'GET', headers, signal: controller.signal };
  const response = await handle(new Request(url, body === null ? init : { ...init, body }));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) {
    outgoing.end();
    return;
  }
  // the two declarations of a web stream (Node's and the browser's) describe the same object
  Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
    .on('error', () => outgoing.end())
    .pipe(outgoing);
}
