import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { flowDocumentSchema } from '@/harness/flow/schema';
import { lineOf, storeLine, temporaryHost, until } from '../testing/temporary-host';

const open: { close: () => Promise<void> }[] = [];
const fresh = (options: Parameters<typeof temporaryHost>[0] = {}) => {
  const made = temporaryHost(options);
  open.push(made);
  return made.host;
};
afterEach(async () => {
  for (const made of open.splice(0)) await made.close();
});

type Services = ReturnType<typeof fresh>['services'];
const ended = (services: Services, id: string) =>
  until(
    () => services.runs.get(id),
    (run) => run.status !== 'running',
  );

describe('runs', () => {
  it('keep the exact flow they ran, whatever happens to it afterwards', async () => {
    const host = fresh();
    const { runs, flows } = host.services;
    const flowId = storeLine(host, [{ id: 'say', type: 'transform', config: { mode: 'template', template: 'first' } }]);
    const { runId } = await runs.start({ flowId, input: { message: 'x' } });
    await ended(host.services, runId);
    flows.save(flowId, lineOf(flowId, [{ id: 'other', type: 'transform', config: { mode: 'template', template: 'second' } }]), 2);
    flows.remove(flowId);
    const run = runs.get(runId);
    expect(run.output).toBe('first');
    expect(run.document.nodes.map(({ id }) => id)).toContain('say');
    expect(runs.export(runId, 'json').text).toContain('run-end');
    expect(runs.export(runId, 'otel').text).toContain('resourceSpans');
  });

  it('are cancelled within a second in a sleep, once; nothing comes after the end (BR-45)', async () => {
    const host = fresh();
    const { runs } = host.services;
    const flowId = storeLine(host, [{ id: 'pause', type: 'wait', config: { milliseconds: 60_000 } }]);
    const { runId } = await runs.start({ flowId, input: { message: 'x' } });
    expect(await runs.cancel(runId)).toEqual({ cancelled: true });
    expect((await ended(host.services, runId)).status).toBe('cancelled');
    const { last } = runs.events(runId, 0, 1);
    expect(await runs.cancel(runId)).toEqual({ cancelled: false });
    expect(runs.events(runId, 0, 1).last).toBe(last);
  });

  it('fork from a moment of the past without changing it, and finish on their own', async () => {
    const host = fresh();
    const { runs } = host.services;
    const flowId = storeLine(host, [
      { id: 'say', type: 'transform', config: { mode: 'template', template: 'kept' } },
      { id: 'more', type: 'transform', config: { mode: 'template', template: '{{say}} and more' } },
    ]);
    const { runId } = await runs.start({ flowId, input: { message: 'x' } });
    await ended(host.services, runId);
    const { events } = runs.events(runId, 0, 1000);
    const after = events.find((event) => event.kind === 'visit-end' && event.nodeId === 'say')?.seq ?? 0;
    const edited = lineOf(flowId, [
      { id: 'say', type: 'transform', config: { mode: 'template', template: 'not run again' } },
      { id: 'more', type: 'transform', config: { mode: 'template', template: '{{say}}, differently' } },
    ]);
    const fork = await runs.fork(runId, after, edited);
    expect((await ended(host.services, fork.runId)).output).toBe('kept, differently');
    expect(runs.get(fork.runId).origin).toEqual({ runId, kind: 'fork', seq: after });
    expect(runs.events(runId, 0, 1000).events).toEqual(events);
    expect(runs.events(fork.runId, 0, 1000).events.map(({ seq }) => seq)).toEqual(
      runs.events(fork.runId, 0, 1000).events.map((_, index) => index + 1),
    );
  });

  it('replay with recorded answers and reach neither model nor network', async () => {
    let calls = 0;
    const server = createServer((_, response) => {
      calls += 1;
      response.setHeader('content-type', 'application/json');
      const delta = { choices: [{ index: 0, delta: { role: 'assistant', content: `answer ${calls}` }, finish_reason: null }] };
      const stop = {
        choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
        usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
      };
      response.setHeader('content-type', 'text/event-stream');
      response.end(
        [delta, stop]
          .map((chunk) => `data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 1, model: 'm', ...chunk })}\n\n`)
          .concat('data: [DONE]\n\n')
          .join(''),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // a listening server has an address with a port
    const { port } = server.address() as AddressInfo;
    const host = fresh({ variables: { BRIDLE_OPENAI_COMPATIBLE_URL: `http://127.0.0.1:${port}/v1` } });
    const { runs, flows } = host.services;
    const flowId = storeLine(host, [{ id: 'ask', type: 'llm-call', config: { prompt: 'Hello {{input.message}}' } }]);
    const stored = flows.get(flowId);
    const document = flowDocumentSchema.parse({
      ...stored.document,
      settings: { ...stored.document.settings, models: { primary: { provider: 'openai-compatible', model: 'm' } } },
    });
    const { runId } = await runs.start({ flowId, document, input: { message: 'x' } });
    const first = await ended(host.services, runId);
    expect(first).toMatchObject({ status: 'succeeded', rehearsal: false, output: { text: 'answer 1' } });
    const replay = await runs.replay(runId);
    expect(await ended(host.services, replay.runId)).toMatchObject({ status: 'succeeded', output: { text: 'answer 1' } });
    const edited = {
      ...document,
      nodes: document.nodes.map((node) => (node.id === 'ask' ? { ...node, id: 'new_one', config: { prompt: 'Another question' } } : node)),
      edges: document.edges.map((edge) => ({
        ...edge,
        source: edge.source === 'ask' ? 'new_one' : edge.source,
        target: edge.target === 'ask' ? 'new_one' : edge.target,
      })),
    };
    const missing = await runs.replay(runId, edited);
    expect(await ended(host.services, missing.runId)).toMatchObject({ status: 'failed', error: { code: 'CASSETTE_MISSING' } });
    expect(calls).toBe(1);
    server.close();
  });

  it('never write a secret, also in a failing run (BR-35)', async () => {
    const canary = 'CANARY-7f3a-whole-value';
    const host = fresh();
    const { runs, flows, settings } = host.services;
    await settings.setSecret('API_KEY', canary);
    const flowId = storeLine(host, [
      {
        id: 'call',
        type: 'http-request',
        config: { url: 'http://127.0.0.1:9/x', method: 'GET', headers: { authorization: 'Bearer {{secrets.API_KEY}}' } },
      },
    ]);
    const { document, revision } = flows.get(flowId);
    flows.save(flowId, { ...document, settings: { ...document.settings, secrets: ['API_KEY'] } }, revision);
    const { runId } = await runs.start({ flowId, input: { message: `the person typed ${canary}` } });
    await ended(host.services, runId);
    const all = JSON.stringify([
      runs.events(runId, 0, 5000),
      runs.export(runId, 'json'),
      runs.export(runId, 'otel'),
      runs.get(runId),
      flows.export(flowId),
    ]);
    expect(all).not.toContain(canary);
  });

  it('are listed in pages, newest first, and are gone with their values when removed', async () => {
    const host = fresh();
    const { runs } = host.services;
    const flowId = storeLine(host, []);
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      ids.unshift((await runs.start({ flowId, input: { message: 'x'.repeat(20_000) } })).runId);
      await ended(host.services, ids[0] ?? '');
    }
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = runs.list({ flowId, limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.runs.map(({ id }) => id));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect([...seen].sort()).toEqual([...ids].sort());
    expect(new Set(seen).size).toBe(5);
    const text = JSON.stringify(runs.events(ids[0] ?? '', 0, 10));
    expect(text).not.toContain('x'.repeat(5000));
    const hash = /"\$payload":"([0-9a-f]{64})"/.exec(text)?.[1] ?? '';
    expect(JSON.stringify(runs.payload(hash).json)).toContain('x'.repeat(5000));
    for (const id of ids) await runs.remove(id);
    expect(() => runs.payload(hash)).toThrow('no such value');
    expect(runs.list({ limit: 5 }).runs).toEqual([]);
  });
});
