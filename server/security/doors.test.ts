import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeLine, temporaryHost, until } from '../testing/temporary-host';

const token = 'a-token-of-thirty-two-characters';
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response> | Response;

/** Doors that are open to everybody by design: they tell nothing. */
const open = new Set(['api/health', 'api/login', 'flow.schema.json']);

const routes = readdirSync('app', { recursive: true, encoding: 'utf8' })
  .filter((file) => /(^|\/)route\.ts$/.test(file))
  .map((file) => file.replace(/\/route\.ts$/, '').replaceAll('\\', '/'))
  .sort();

const doors = (
  await Promise.all(
    routes.map(async (route) => {
      const module: Record<string, unknown> = await import(pathToFileURL(join(process.cwd(), 'app', route, 'route.ts')).href);
      // a route module exports one handler per method
      return methods.flatMap((method) =>
        typeof module[method] === 'function' ? [{ route, method, handle: module[method] as Handler }] : [],
      );
    }),
  )
).flat();

const guarded = temporaryHost({ variables: { BRIDLE_TOKEN: token } });
beforeAll(() => {
  globalThis.__bridle = { host: guarded.host, begun: Promise.resolve() };
});
afterAll(async () => {
  globalThis.__bridle = undefined;
  await guarded.close();
});

const ask = (door: (typeof doors)[number], options: { headers?: Record<string, string>; body?: unknown; id?: string } = {}) => {
  const procedure = door.method === 'GET' ? 'flows.list' : 'flows.create';
  const path = door.route.replace('[id]', options.id ?? 'none').replace('[trpc]', procedure);
  const body = door.method === 'GET' ? {} : { body: JSON.stringify(options.body ?? {}) };
  const request = new Request(`http://127.0.0.1:3000/${path}`, {
    method: door.method,
    headers: { host: '127.0.0.1:3000', 'content-type': 'application/json', ...options.headers },
    ...body,
  });
  return door.handle(request, { params: Promise.resolve({ id: options.id ?? 'none', trpc: procedure }) });
};

const find = (route: string, method: string) => {
  const door = doors.find((candidate) => candidate.route === route && candidate.method === method);
  if (door === undefined) throw new Error(`no door ${method} ${route}`);
  return door;
};

const authorised = { authorization: `Bearer ${token}` };

describe('every HTTP route', () => {
  it('was found', () => {
    expect(routes).toContain('api/v1/flows/[id]/runs');
    expect(routes).toContain('api/trpc/[trpc]');
  });

  it.each(doors.filter(({ route }) => !open.has(route)))(
    '$method $route answers 401 without the token and 403 to another site (BR-77, BR-83)',
    async (door) => {
      expect((await ask(door)).status).toBe(401);
      expect((await ask(door, { headers: { 'x-middleware-subrequest': 'src/middleware' } })).status).toBe(401);
      expect((await ask(door, { headers: { ...authorised, origin: 'https://evil.example' } })).status).toBe(403);
      expect((await ask(door, { headers: { ...authorised, host: 'evil.example' } })).status).toBe(403);
    },
  );

  it.each(doors.filter(({ route }) => route.includes('[id]')))('$method $route answers 404 to a foreign id (BR-77)', async (door) => {
    const body = door.route.endsWith('answers') ? { askId: 'a', hash: 'h', answer: { choice: 'c' } } : {};
    expect((await ask(door, { headers: authorised, body })).status).toBe(404);
  });

  it('that lets in sets a cookie that scripts and other sites cannot use, and only for the token', async () => {
    const door = find('api/login', 'POST');
    const send = (given: string, headers: Record<string, string> = {}) =>
      door.handle(
        new Request('http://127.0.0.1:3000/api/login', {
          method: 'POST',
          body: new URLSearchParams({ token: given }),
          headers: { host: '127.0.0.1:3000', ...headers },
        }),
        { params: Promise.resolve({}) },
      );
    expect((await send('wrong')).headers.get('set-cookie')).toBeNull();
    expect((await send(token, { origin: 'https://evil.example' })).headers.get('set-cookie')).toBeNull();
    const cookie = (await send(token)).headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict/);
    expect(cookie).not.toContain(token);
    const list = await ask(find('api/trpc/[trpc]', 'GET'), { headers: { cookie: cookie.split(';')[0] ?? '' } });
    expect(list.status).toBe(200);
  });
});

describe('the public door', () => {
  it.each(['document', 'flow', 'plan', 'options'])('refuses a body with %s: only the stored flow runs (BR-78)', async (key) => {
    const id = storeLine(guarded.host, []);
    const response = await ask(find('api/v1/flows/[id]/runs', 'POST'), {
      id,
      headers: authorised,
      body: { input: { message: 'x' }, [key]: {} },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'INLINE_FLOW_REFUSED' } });
    expect(guarded.host.services.runs.list({ flowId: id, limit: 5 }).runs).toEqual([]);
  });

  it('starts a stored flow, shows its open question, and takes the answer once (BR-53)', async () => {
    const id = storeLine(guarded.host, [{ id: 'gate', type: 'human-gate' }]);
    const started = await ask(find('api/v1/flows/[id]/runs', 'POST'), { id, headers: authorised, body: { input: { message: 'x' } } });
    const { runId } = (await started.json()) as { runId: string }; // the body of this route
    await until(
      () => guarded.host.services.runs.get(runId),
      (run) => run.status === 'waiting',
    );
    const shown = await ask(find('api/v1/runs/[id]', 'GET'), { id: runId, headers: authorised });
    const run = (await shown.json()) as { asks: { askId: string; hash: string }[] }; // the body of this route
    const open = run.asks[0];
    const answer = () =>
      ask(find('api/v1/runs/[id]/answers', 'POST'), {
        id: runId,
        headers: authorised,
        body: { askId: open?.askId, hash: open?.hash, answer: { choice: 'approved' } },
      });
    const both = await Promise.all([answer(), answer()]);
    const results = await Promise.all(both.map((response) => response.json()));
    expect(results.filter((result) => result.accepted)).toHaveLength(1);
    await until(
      () => guarded.host.services.runs.get(runId).status,
      (status) => status === 'succeeded',
    );
  });
});
