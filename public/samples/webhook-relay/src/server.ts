import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { config } from './config';
import { open, put } from './queue';

const longestBody = 256 * 1024;
let writable = true;

/** An event is on disk before its sender is told 202; when it cannot be written the answer is 503. */
const server = createServer(async (request, response) => {
  if (request.url === '/health') return void response.writeHead(writable ? 200 : 503).end();
  if (request.method !== 'POST') return void response.writeHead(405).end();
  let body = '';
  for await (const chunk of request) {
    body += chunk;
    if (body.length > longestBody) return void response.writeHead(413).end();
  }
  try {
    const target = new URL(request.url ?? '/', 'http://relay').searchParams.get('to') ?? '';
    await put({ id: randomUUID(), url: target, body, attempts: 0, dueAt: Date.now() });
    writable = true;
    response.writeHead(202).end();
  } catch {
    writable = false;
    response.writeHead(503).end();
  }
});

await open();
server.listen(config.port);
