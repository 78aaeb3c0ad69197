import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedServer {
  origin: string;
  seen: { path: string; headers: Record<string, string | string[] | undefined>; body: string }[];
  close(): Promise<void>;
}

/** Serves recorded server-sent events, whatever is asked; a status other than 200 is sent as JSON. */
export async function startRecordedServer(answers: { status?: number; body: string }[]): Promise<RecordedServer> {
  const queue = [...answers];
  const seen: RecordedServer['seen'] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      seen.push({ path: request.url ?? '', headers: request.headers, body });
      const { status = 200, body: answer } = queue.shift() ?? { status: 501, body: '{}' };
      response.writeHead(status, { 'content-type': status === 200 ? 'text/event-stream' : 'application/json' }).end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address object.
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
