import { afterEach, describe, expect, it } from 'vitest';
import type { Json } from '@/harness/contract/json';
import type { Host } from '../host/host';
import { storeLine, temporaryHost, until } from '../testing/temporary-host';
import { replyText } from './reply-text';

const open: { close: () => Promise<void> }[] = [];
const fresh = (options: Parameters<typeof temporaryHost>[0] = {}) => {
  const made = temporaryHost(options);
  open.push(made);
  return made;
};
afterEach(async () => {
  for (const made of open.splice(0)) await made.close();
});

/** Answers with how many messages came before and what was said. */
const echo = [{ id: 'echo', type: 'transform', config: { mode: 'template', template: '{{size(state.transcript)}}: {{input.message}}' } }];
const slowEcho = [{ id: 'pause', type: 'wait', config: { milliseconds: 60 } }, ...echo];

const settled = (host: Host, id: string) =>
  until(
    () => host.services.sessions.get(id),
    (session) => !session.busy,
  );
const said = (host: Host, id: string) => host.services.sessions.get(id).messages.map((entry) => `${entry.role} ${entry.text}`);

describe('a chat session', () => {
  it('takes messages sent quickly one after the other and in order; deleted ones stay deleted (BR-62)', async () => {
    const { host } = fresh();
    const flowId = storeLine(host, slowEcho);
    const { sessions } = host.services;
    const { id } = sessions.create(flowId);
    const sent = await Promise.all(['one', 'two', 'three', 'four', 'five'].map((text) => sessions.send({ sessionId: id, text })));
    expect(sent.map(({ runId }) => runId !== null)).toEqual([true, false, false, false, false]);
    sessions.removeMessage(id, sent[2]?.messageId ?? '');
    await settled(host, id);
    sessions.removeMessage(id, sent[1]?.messageId ?? '');
    sessions.removeMessage(id, `${sent[3]?.messageId}-reply`);
    expect(said(host, id)).toEqual(['user one', 'assistant 0: one', 'user four', 'user five', 'assistant 6: five']);
    await sessions.send({ sessionId: id, text: 'after' });
    await settled(host, id);
    // one with its reply, four without, five with
    expect(said(host, id).at(-1)).toBe('assistant 5: after');
    expect(sessions.list(flowId)).toMatchObject([{ id, title: 'one', messageCount: 4, busy: false }]);
  });

  it('hands each message its way of working in the folder, a copy where none was chosen (bug: a choice that only the first turn sees)', async () => {
    const { host } = fresh();
    const flowId = storeLine(host, slowEcho);
    const { sessions, runs } = host.services;
    const { id } = sessions.create(flowId);
    for (const workspaceMode of ['folder', undefined, 'worktree'] as const) {
      await sessions.send({ sessionId: id, text: 'x', ...(workspaceMode === undefined ? {} : { workspaceMode }) });
    }
    const { messages } = await settled(host, id);
    const modes = messages.filter(({ role }) => role === 'user').map(({ runId }) => runs.get(runId ?? '').options.workspaceMode);
    expect(modes).toEqual(['folder', undefined, 'worktree']);
  });

  it('keeps what was queued over a restart and goes on with it (messages lost with the process)', async () => {
    const first = temporaryHost();
    const flowId = storeLine(first.host, [{ id: 'gate', type: 'human-gate' }, ...echo]);
    const { id } = first.host.services.sessions.create(flowId);
    await first.host.services.sessions.send({ sessionId: id, text: 'first' });
    await until(
      () => first.host.services.sessions.get(id).messages.at(-1)?.asks?.length ?? 0,
      (count) => count === 1,
    );
    await first.host.services.sessions.send({ sessionId: id, text: 'second' });
    await first.host.close();

    const { host } = fresh({ folder: first.folder });
    await host.begin();
    const session = host.services.sessions.get(id);
    expect(session.messages.map(({ status }) => status)).toEqual(['sent', 'waiting', 'queued']);
    for (const turn of [1, 3]) {
      const reply = await until(
        () => host.services.sessions.get(id).messages[turn],
        (entry) => entry?.asks?.length === 1,
      );
      const ask = reply?.asks?.[0];
      await host.services.runs.answer(reply?.runId ?? '', ask?.askId ?? '', ask?.hash ?? '', { choice: 'approved', by: 'person' });
    }
    await settled(host, id);
    expect(said(host, id)).toEqual(['user first', 'assistant 0: first', 'user second', 'assistant 2: second']);
  });

  it('is forked by edit and resend; the old one keeps everything (history rewritten)', async () => {
    const { host } = fresh();
    const { sessions } = host.services;
    const { id } = sessions.create(storeLine(host, echo));
    const messages: string[] = [];
    for (const text of ['one', 'two', 'three']) {
      messages.push((await sessions.send({ sessionId: id, text })).messageId);
      await settled(host, id);
    }
    const fork = await sessions.send({ sessionId: id, text: 'two, edited', replaces: messages[1] ?? '' });
    await settled(host, fork.sessionId);
    expect(fork.sessionId).not.toBe(id);
    expect(said(host, fork.sessionId)).toEqual(['user one', 'assistant 0: one', 'user two, edited', 'assistant 2: two, edited']);
    expect(sessions.get(fork.sessionId).forkedFrom).toBe(id);
    expect(said(host, id)).toHaveLength(6);
    expect(new Set([...sessions.get(id).messages, ...sessions.get(fork.sessionId).messages].map((entry) => entry.id)).size).toBe(10);
  });

  it('says why a turn could not begin and goes on with the next (a session stuck for ever)', async () => {
    const { host } = fresh();
    const { sessions, flows } = host.services;
    const flowId = storeLine(host, echo);
    const { id } = sessions.create(flowId);
    const { document } = flows.get(flowId);
    const broken = { ...document, nodes: document.nodes.map((node) => ({ ...node, type: 'not-a-type' })) };
    await sessions.send({ sessionId: id, text: 'on a broken draft', document: broken });
    await sessions.send({ sessionId: id, text: 'on the stored flow' });
    await settled(host, id);
    const [first, ...rest] = sessions.get(id).messages;
    expect(first).toMatchObject({ status: 'failed', error: { code: 'FLOW_NOT_RUNNABLE' } });
    expect(rest.map(({ text }) => text)).toEqual(['on the stored flow', '0: on the stored flow']);
  });

  it('ends its run when it is removed', async () => {
    const { host } = fresh();
    const { sessions, runs } = host.services;
    const { id } = sessions.create(storeLine(host, [{ id: 'gate', type: 'human-gate' }]));
    const { runId } = await sessions.send({ sessionId: id, text: 'x' });
    await sessions.remove(id);
    await until(
      () => runs.get(runId ?? '').status,
      (status) => status === 'cancelled',
    );
    expect(() => sessions.get(id)).toThrow('no chat session');
  });
});

describe('the reply', () => {
  it.each<[Json, string]>([
    ['plain', 'plain'],
    [{ text: 'a', message: 'b' }, 'a'],
    [{ reply: 'c', other: 1 }, 'c'],
    [{ answer: 'only field' }, 'only field'],
    [{ a: 1 }, '{\n  "a": 1\n}'],
    [null, ''],
    [0, '0'],
    [JSON.parse('{"__proto__": "own"}'), 'own'],
  ])('of %j is %j', (output, text) => {
    expect(replyText(output)).toBe(text);
  });
});
