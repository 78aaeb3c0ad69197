import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StreamItem } from '../api-types';
import { serveFetch } from '../testing/http-bridge';
import { storeLine, temporaryHost } from '../testing/temporary-host';
import { handleApi } from './handler';

const made = temporaryHost();
const served = { url: '', close: async () => {} };
beforeAll(async () => {
  Object.assign(served, await serveFetch((request) => handleApi(request, made.host)));
});
afterAll(async () => {
  await served.close();
  await made.close();
});

const tab = 'tab-over-http';

const watch = (runId: string, after: number) =>
  fetch(`${served.url}/api/trpc/stream.watch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tab, runId, after }),
  });

/** Reads server-sent events until `stop`; returns everything told and the id of the last message. */
async function listen(
  lastEventId: string | null,
  stop: (items: StreamItem[]) => boolean,
  onItem: (item: StreamItem) => void = () => undefined,
) {
  const controller = new AbortController();
  const input = encodeURIComponent(JSON.stringify({ tab, lastEventId }));
  const response = await fetch(`${served.url}/api/trpc/stream.open?input=${input}`, {
    headers: { accept: 'text/event-stream' },
    signal: controller.signal,
  });
  const items: StreamItem[] = [];
  let id = '';
  let rest = '';
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let read = await reader?.read(); read !== undefined && !read.done && !stop(items); read = await reader?.read()) {
    const blocks = (rest + read.value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      const event = /^event: (.*)$/m.exec(block)?.[1];
      if (data === undefined || event !== undefined) continue;
      id = /^id: (.*)$/m.exec(block)?.[1] ?? id;
      const frame: unknown = JSON.parse(data);
      if (!Array.isArray(frame)) continue;
      // a message of this stream is a list of items
      for (const item of frame as StreamItem[]) {
        items.push(item);
        onItem(item);
      }
    }
    if (stop(items)) break;
  }
  controller.abort();
  return { items, id, headers: response.headers };
}

const seqs = (items: StreamItem[]) => items.flatMap((item) => (item.kind === 'events' ? item.events.map(({ seq }) => seq) : []));
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const ended = (items: StreamItem[]) => items.some((item) => item.kind === 'events' && item.events.some(({ kind }) => kind === 'run-end'));

describe('the stream over HTTP', () => {
  it('carries a run from its first event to its end, through a break in the middle, without gap or duplicate (BR-46)', async () => {
    const flowId = storeLine(made.host, [
      { id: 'pause', type: 'wait', config: { milliseconds: 250 } },
      { id: 'again', type: 'wait', config: { milliseconds: 250 } },
    ]);
    let runId = '';
    const first = await listen(
      null,
      (items) => seqs(items).length > 0,
      (item) => {
        if (item.kind !== 'hello') return;
        void made.host.services.runs.start({ flowId, input: { message: 'x' } }).then((started) => {
          runId = started.runId;
          return watch(runId, 0);
        });
      },
    );
    expect(first.headers.get('content-type')).toContain('text/event-stream');
    expect(first.headers.get('cache-control')).toBe('no-cache, no-transform');
    // the run goes on while nobody listens
    await new Promise((resolve) => setTimeout(resolve, 100));
    const second = await listen(first.id, ended);
    const all = [...seqs(first.items), ...seqs(second.items)];
    expect(all).toEqual(upTo(made.host.services.runs.get(runId).lastSeq));
    expect(made.host.services.runs.get(runId).status).toBe('succeeded');
  });

  it('tells of runs and flows that this tab does not watch (a list that is stale)', async () => {
    const flowId = storeLine(made.host, []);
    const heard = await listen(
      null,
      (items) =>
        items.some((item) => item.kind === 'run' && item.summary.status === 'succeeded') &&
        items.some((item) => item.kind === 'flow-removed'),
      (item) => {
        if (item.kind === 'hello') {
          void made.host.services.runs.start({ flowId, input: { message: 'x' } }).then(() => {
            const other = made.host.services.flows.create({});
            made.host.services.flows.remove(other.id);
          });
        }
      },
    );
    expect(seqs(heard.items)).toEqual([]);
  });
});
