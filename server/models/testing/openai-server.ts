import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How the server answers one request; taken from a queue, so that a test says in order what happens. */
export type Behaviour =
  | { kind: 'text'; pieces: string[]; finish?: string; usage?: { prompt: number; completion: number } | null }
  | { kind: 'tools'; calls: { id?: string; name: string; arguments: string }[] }
  | { kind: 'status'; status: number; body?: unknown; headers?: Record<string, string> }
  /** Sends the pieces, then destroys the connection, or ends it politely without saying that it is finished. */
  | { kind: 'cut'; pieces: string[]; how: 'destroyed' | 'ended' }
  | { kind: 'garbage'; body: string; contentType?: string }
  /** Sends a piece, then nothing for ever. */
  | { kind: 'hang'; pieces: string[] }
  /** Never stops. */
  | { kind: 'endless'; piece: string }
  /** An error inside the stream, as a provider reports overload. */
  | { kind: 'stream-error'; message: string; code?: string };

export interface SeenRequest {
  path: string;
  headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the provider's own format
  body: any;
  /** Resolves when the client has closed the connection before the answer was complete. */
  closedEarly: Promise<void>;
}

export interface OpenAiServer {
  /** `http://127.0.0.1:port/v1` */
  url: string;
  origin: string;
  seen: SeenRequest[];
  answer(...behaviours: Behaviour[]): void;
  close(): Promise<void>;
}

const chunk = (delta: unknown, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'chat-1', object: 'chat.completion.chunk', created: 1, model: 'test-model', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const usageChunk = (prompt: number, completion: number): string =>
  `data: ${JSON.stringify({ id: 'chat-1', object: 'chat.completion.chunk', created: 1, model: 'test-model', choices: [], usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion } })}\n\n`;

const done = 'data: [DONE]\n\n';

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const text = Buffer.concat(parts).toString('utf8');
  return text === '' ? null : JSON.parse(text);
}

function stream(response: ServerResponse, behaviour: Behaviour): void {
  if (behaviour.kind === 'status') {
    response.writeHead(behaviour.status, { 'content-type': 'application/json', ...behaviour.headers });
    response.end(JSON.stringify(behaviour.body ?? { error: { message: `status ${behaviour.status}`, type: 'error', code: null } }));
    return;
  }
  const contentType = behaviour.kind === 'garbage' ? (behaviour.contentType ?? 'text/event-stream') : 'text/event-stream';
  response.writeHead(200, { 'content-type': contentType });
  response.flushHeaders();
  switch (behaviour.kind) {
    case 'text': {
      response.write(chunk({ role: 'assistant', content: '' }));
      for (const piece of behaviour.pieces) response.write(chunk({ content: piece }));
      response.write(chunk({}, behaviour.finish ?? 'stop'));
      const usage = behaviour.usage === undefined ? { prompt: 11, completion: 7 } : behaviour.usage;
      if (usage !== null) response.write(usageChunk(usage.prompt, usage.completion));
      response.end(done);
      return;
    }
    case 'tools':
      for (const [index, call] of behaviour.calls.entries()) {
        const head = { index, id: call.id ?? `call_${index}`, type: 'function', function: { name: call.name, arguments: '' } };
        response.write(chunk({ role: 'assistant', content: null, tool_calls: [head] }));
        for (const part of call.arguments.match(/[\s\S]{1,5}/g) ?? [])
          response.write(chunk({ tool_calls: [{ index, function: { arguments: part } }] }));
      }
      response.write(chunk({}, 'tool_calls'));
      response.write(usageChunk(20, 9));
      response.end(done);
      return;
    case 'cut':
      for (const piece of behaviour.pieces) response.write(chunk({ content: piece }));
      if (behaviour.how === 'ended') response.end();
      else setTimeout(() => response.destroy(), 30);
      return;
    case 'garbage':
      response.end(behaviour.body);
      return;
    case 'hang':
      for (const piece of behaviour.pieces) response.write(chunk({ content: piece }));
      return;
    case 'endless': {
      const more = (): void => {
        while (!response.destroyed && response.write(chunk({ content: behaviour.piece }))) {
          // Until the buffer is full.
        }
        if (!response.destroyed) response.once('drain', more);
      };
      more();
      return;
    }
    case 'stream-error':
      response.write(chunk({ content: 'so far' }));
      response.write(
        `data: ${JSON.stringify({ error: { message: behaviour.message, type: 'server_error', code: behaviour.code ?? null } })}\n\n`,
      );
      response.end(done);
  }
}

/** A local server that speaks the streaming chat protocol, well or badly, as the test wants. */
export async function startOpenAiServer(): Promise<OpenAiServer> {
  const queue: Behaviour[] = [];
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const closedEarly = new Promise<void>((resolve) => {
      response.on('close', () => {
        if (!response.writableFinished) resolve();
      });
    });
    seen.push({ path: request.url ?? '', headers: request.headers, body: await bodyOf(request), closedEarly });
    const next = queue.shift();
    if (request.method === 'GET' && request.url === '/v1/models') {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ data: [{ id: 'test-model' }, { id: 'other' }] }));
    } else if (next === undefined) {
      response.writeHead(501).end('the test did not say how to answer');
    } else stream(response, next);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address object.
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    url: `${origin}/v1`,
    origin,
    seen,
    answer: (...behaviours) => void queue.push(...behaviours),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
