import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Host } from '../host/host';
import { serveFetch } from '../testing/http-bridge';
import { lineOf, temporaryHost } from '../testing/temporary-host';
import { handleApi } from './handler';
import { createCaller, procedureTypes } from './router';

const token = 'a-token-of-thirty-two-characters';

/** Input that fits each procedure and names things that do not exist. A procedure that is not listed fails the first test. */
const foreign: Record<string, unknown> = {
  'flows.list': undefined,
  'flows.get': { id: 'flow_none' },
  'flows.create': { templateId: 'none' },
  'flows.save': { id: 'flow_none', document: lineOf('flow_none', []), baseRevision: 1 },
  'flows.remove': { id: 'flow_none' },
  'flows.duplicate': { id: 'flow_none' },
  'flows.import': { text: '{}' },
  'flows.export': { id: 'flow_none' },
  'flows.versions': { id: 'flow_none' },
  'flows.saveVersion': { id: 'flow_none', name: 'one' },
  'flows.getVersion': { id: 'flow_none', version: 1 },
  'flows.restoreVersion': { id: 'flow_none', version: 1 },
  'templates.list': undefined,
  'runs.start': { flowId: 'flow_none', input: {} },
  'runs.list': { limit: 10 },
  'runs.get': { id: 'run_none' },
  'runs.events': { id: 'run_none' },
  'runs.payload': { hash: 'f'.repeat(64) },
  'runs.cancel': { id: 'run_none' },
  'runs.answer': { id: 'run_none', askId: 'a', hash: 'h', answer: { choice: 'approved' } },
  'runs.resume': { id: 'run_none' },
  'runs.continue': { id: 'run_none', mode: 'run' },
  'runs.fork': { id: 'run_none', seq: 1 },
  'runs.replay': { id: 'run_none' },
  'runs.export': { id: 'run_none', format: 'json' },
  'runs.remove': { id: 'run_none' },
  'runs.changes': { id: 'run_none' },
  'runs.undo': { id: 'run_none', seen: [] },
  'runs.takeOver': { id: 'run_none', seen: [] },
  'sessions.list': { flowId: 'flow_none' },
  'sessions.create': { flowId: 'flow_none' },
  'sessions.rename': { id: 'session_none', title: 'x' },
  'sessions.remove': { id: 'session_none' },
  'sessions.get': { id: 'session_none' },
  'chat.send': { sessionId: 'session_none', text: 'hello' },
  'chat.removeMessage': { sessionId: 'session_none', messageId: 'message_none' },
  'stream.open': { tab: 'tab-of-a-test' },
  'stream.watch': { tab: 'tab-of-nobody', runId: 'run_none' },
  'stream.unwatch': { tab: 'tab-of-nobody', runId: 'run_none' },
  'settings.get': undefined,
  'settings.saveProvider': { id: 'mine', kind: 'openai' },
  'settings.removeProvider': { id: 'none' },
  'settings.testProvider': { id: 'none', model: 'm' },
  'settings.saveRoles': { roles: {} },
  'settings.setSecret': { name: 'A_SECRET', value: 'value of it' },
  'settings.removeSecret': { name: 'NO_SECRET' },
  'doctor.report': undefined,
  'workspaces.samples': undefined,
  'workspaces.check': { path: '/nowhere' },
};

/** Lists, and what makes or unmakes something of its own, answer without naming anything that exists. */
const answers = new Set([
  'flows.list',
  'templates.list',
  'runs.list',
  'sessions.list',
  'stream.open',
  'stream.unwatch',
  'settings.get',
  'settings.saveProvider',
  'settings.saveRoles',
  'settings.setSecret',
  'doctor.report',
  'workspaces.samples',
  'workspaces.check',
]);
/** Refused for another reason than a foreign id. */
const badRequest = new Set(['flows.import']);

const procedures = [...procedureTypes()].map(([path, type]) => ({ path, type }));

const guarded = temporaryHost({ variables: { BRIDLE_TOKEN: token } });
const served = { url: '', close: async () => {} };

const call = (host: { url: string }, { path, type }: (typeof procedures)[number], headers: Record<string, string>) => {
  const input = JSON.stringify(foreign[path]);
  if (type === 'mutation') {
    return fetch(`${host.url}/api/trpc/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      ...(input === undefined ? {} : { body: input }),
    });
  }
  const query = input === undefined ? '' : `?input=${encodeURIComponent(input)}`;
  const accept: Record<string, string> = type === 'subscription' ? { accept: 'text/event-stream' } : {};
  return fetch(`${host.url}/api/trpc/${path}${query}`, { headers: { ...accept, ...headers } });
};

beforeAll(async () => {
  Object.assign(served, await serveFetch((request) => handleApi(request, guarded.host)));
});
afterAll(async () => {
  await served.close();
  await guarded.close();
});

describe('every procedure of the router', () => {
  it('is in the list of this test (a new one that nobody tried)', () => {
    expect(procedures.map(({ path }) => path).sort()).toEqual(Object.keys(foreign).sort());
  });

  it.each(procedures)('$path answers 401 without the token, whatever headers say (BR-77, BR-83)', async (procedure) => {
    const attempts: Record<string, string>[] = [
      {},
      { 'x-middleware-subrequest': 'middleware:middleware:middleware:middleware:middleware' },
      { authorization: 'Bearer wrong' },
    ];
    for (const headers of attempts) {
      const response = await call(served, procedure, headers);
      expect(response.status).toBe(401);
      expect(await response.text()).not.toContain('stack');
    }
  });

  it.each(procedures)('$path answers 403 to another site, even with the token (a page that drives the server)', async (procedure) => {
    const response = await call(served, procedure, { authorization: `Bearer ${token}`, origin: 'https://evil.example' });
    expect(response.status).toBe(403);
    await response.body?.cancel();
  });

  it.each(procedures.filter(({ path }) => !answers.has(path)))('$path answers 404 to a foreign id (BR-77)', async (procedure) => {
    const response = await call(served, procedure, { authorization: `Bearer ${token}` });
    expect([procedure.path, response.status]).toEqual([procedure.path, badRequest.has(procedure.path) ? 400 : 404]);
    const body: unknown = await response.json();
    expect(JSON.stringify(body)).toMatch(/"bridle":\{"code":"[A-Z_]+"/);
    expect(JSON.stringify(body)).not.toContain('"stack"');
  });
});

describe('what comes back', () => {
  const caller = (host: Host) => createCaller({ services: host.services, denied: null });

  it('of a stale save is 409 with the other version whole (BR-19)', async () => {
    const api = caller(guarded.host);
    const { id } = await api.flows.create({ name: 'Two tabs' });
    await api.flows.save({ id, document: { ...lineOf(id, []), name: 'Of tab one' }, baseRevision: 1 });
    const body = JSON.stringify({ id, document: { ...lineOf(id, []), name: 'Of tab two' }, baseRevision: 1 });
    const response = await fetch(`${served.url}/api/trpc/flows.save`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({
      error: { data: { bridle: { code: 'FLOW_CONFLICT', details: { current: { revision: 2, document: { name: 'Of tab one' } } } } } },
    });
    expect((await api.flows.get({ id })).document.name).toBe('Of tab one');
  });

  it('never holds a secret or a key, also where it is asked for them (BR-35)', async () => {
    const canary = 'CANARY-7f3a-of-this-test';
    const api = caller(guarded.host);
    await api.settings.setSecret({ name: 'MY_SECRET', value: canary });
    await api.settings.saveProvider({ id: 'mine', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1', key: canary });
    const seen = JSON.stringify([
      await api.settings.get(),
      await api.doctor.report(),
      await api.settings.testProvider({ id: 'mine', model: 'm' }),
    ]);
    expect(seen).toContain('MY_SECRET');
    expect(seen).toContain('"hasKey":true');
    expect(seen).not.toContain(canary);
    await api.settings.saveProvider({ id: 'mine', kind: 'openai-compatible', baseUrl: 'https://elsewhere.example/v1' });
    expect((await api.settings.get()).providers.find(({ id }) => id === 'mine')?.hasKey).toBe(false);
  });
});
