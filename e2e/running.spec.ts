import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page, test } from '@playwright/test';
import { apiOf, eventsOf, type RunView } from './support/api';
import { card, confirmRun, edge, fitView, message, openFlow, openPanel, openTemplate, ready, runFlow, runMark } from './support/editor';
import { flowOf, importFlow, input, output, slowFlow, transform, wait } from './support/flows';

const latest = async (page: Page, flowId: string): Promise<RunView> => {
  const { runs } = await apiOf(page.request).query<{ runs: RunView[] }>('runs.list', { flowId, limit: 1 });
  const run = runs[0];
  if (!run) throw new Error('The flow has no run.');
  return run;
};
const statusOf = async (page: Page, flowId: string): Promise<string> => (await latest(page, flowId)).status;
const nodeMenu = async (page: Page, id: string, item: string): Promise<void> => {
  await card(page, id).click({ button: 'right' });
  await page.getByRole('menuitem', { name: item }).click();
};

/** A model server that never stops talking. Says when its caller has gone. */
async function talker(): Promise<{ server: Server; url: string; gone: () => boolean; calls: () => number }> {
  let gone = false;
  let calls = 0;
  const server = createServer((request, response) => {
    calls += 1;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = {
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'talker',
      choices: [{ index: 0, delta: { content: 'and on ' } }],
    };
    const timer = setInterval(() => response.write(`data: ${JSON.stringify(chunk)}\n\n`), 50);
    response.on('close', () => {
      gone = true;
      clearInterval(timer);
    });
    request.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // as: a server that listens on a port has an address of this shape
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}/v1`, gone: () => gone, calls: () => calls };
}

test('one key runs and stops, and a stopped run ends within a second (BR-45: a cancel that waits for the node)', async ({ page }) => {
  const id = await importFlow(apiOf(page.request), slowFlow('Stopped', 60_000));
  await openFlow(page, id);
  await page.keyboard.press('Control+Enter');
  await confirmRun(page);
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
  await expect(runMark(page, 'pause')).toHaveAttribute('data-run', /running|waiting/);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeVisible();
  await expect.poll(() => statusOf(page, id)).toBe('cancelled');
  const events = await eventsOf(apiOf(page.request), (await latest(page, id)).id);
  const asked = events.find((event) => event.kind === 'cancel-request');
  const ended = events.find((event) => event.kind === 'run-end');
  expect(Number(ended?.at) - Number(asked?.at)).toBeLessThan(1000);
  expect(events.at(-1)?.kind).toBe('run-end');
});

test('a reply that streams is shown while it comes, and stopping hangs up on the model (BR-45)', async ({ page }) => {
  const model = await talker();
  const api = apiOf(page.request);
  try {
    await api.call('settings.saveProvider', { id: 'talker', kind: 'openai-compatible', baseUrl: model.url, models: ['talker'] });
    const flow = flowOf(
      'Talker',
      [input, { id: 'talk', type: 'llm-call', label: 'Talk' }, output],
      [
        ['question', 'next', 'talk'],
        ['talk', 'next', 'reply'],
      ],
      { models: { primary: { provider: 'talker', model: 'talker' } } },
    );
    const id = await importFlow(api, flow);
    await openFlow(page, id);
    await message(page).fill('Go');
    await message(page).press('Enter');
    const log = page.getByRole('log', { name: 'Messages' });
    await expect(log).toContainText('and on and on and on');
    await page.getByRole('region', { name: 'Panel', exact: true }).getByRole('button', { name: 'Stop' }).click();
    await expect(log).toContainText('Cancelled');
    expect(await statusOf(page, id)).toBe('cancelled');
    await expect.poll(model.gone).toBe(true);
    expect(model.calls()).toBe(1);
  } finally {
    await api.call('settings.removeProvider', { id: 'talker' });
    model.server.closeAllConnections();
    model.server.close();
  }
});

test('a run goes on over a reload and with the tab closed, and is there complete (BR-46)', async ({ page, context }) => {
  const id = await importFlow(apiOf(page.request), slowFlow('Goes on', 4000));
  await openFlow(page, id);
  await runFlow(page, 'still here?');
  await expect(runMark(page, 'pause')).toHaveAttribute('data-run', /running|waiting/);
  await page.reload();
  await ready(page);
  await expect(runMark(page, 'question')).toHaveAttribute('data-run', 'done');
  await expect(runMark(page, 'reply')).toHaveAttribute('data-run', 'done');
  await expect(page.getByText('Succeeded').first()).toBeVisible();

  await runFlow(page, 'and now?');
  await expect.poll(() => statusOf(page, id)).toMatch(/running|waiting/);
  await page.close();
  const later = await context.newPage();
  await expect.poll(() => statusOf(later, id)).toBe('succeeded');
  await later.goto(`/runs/${(await latest(later, id)).id}`);
  await expect(runMark(later, 'reply')).toHaveAttribute('data-run', 'done');
});

const chain = (name: string) =>
  flowOf(
    name,
    [
      input,
      transform('first', 'question.message + " one"'),
      transform('second', 'received + " two"'),
      transform('third', 'received + " three"'),
      output,
    ],
    [
      ['question', 'next', 'first'],
      ['first', 'next', 'second'],
      ['second', 'next', 'third'],
      ['third', 'next', 'reply'],
    ],
  );

test('a part of a flow runs: until a node, then from it on, on the values that are known', async ({ page }) => {
  const id = await importFlow(apiOf(page.request), chain('Parts'));
  await openFlow(page, id);
  await nodeMenu(page, 'second', 'Run until here');
  await confirmRun(page, 'zero');
  await expect(runMark(page, 'second')).toHaveAttribute('data-run', 'done');
  await expect.poll(() => statusOf(page, id)).not.toMatch(/running|waiting/);
  let nodes = (await eventsOf(apiOf(page.request), (await latest(page, id)).id))
    .filter((event) => event.kind === 'visit-start')
    .map((event) => event.nodeId);
  expect(nodes).toEqual(['question', 'first', 'second']);

  await nodeMenu(page, 'third', 'Run from here');
  await confirmRun(page, 'zero');
  // the card may stand under the inspector, where nothing is drawn
  await fitView(page);
  await expect(runMark(page, 'reply')).toHaveAttribute('data-run', 'done');
  await expect.poll(() => statusOf(page, id)).toBe('succeeded');
  const run = await latest(page, id);
  nodes = (await eventsOf(apiOf(page.request), run.id)).filter((event) => event.kind === 'visit-start').map((event) => event.nodeId);
  expect(nodes).toEqual(['third', 'reply']);
  expect(run.output).toBe('zero one two three');
});

test('a pinned output is used, shown as long as it is active, and marked in the trace (BR-73)', async ({ page }) => {
  const id = await importFlow(apiOf(page.request), chain('Pinned'));
  await openFlow(page, id);
  await runFlow(page, 'old');
  await expect(runMark(page, 'reply')).toHaveAttribute('data-run', 'done');
  await nodeMenu(page, 'first', 'Pin the last output');
  await expect(page.getByText('A pinned output is used instead of running:')).toBeVisible();
  await expect(card(page, 'first').getByLabel('Output pinned')).toBeVisible();

  const before = (await latest(page, id)).id;
  await runFlow(page, 'new');
  await expect.poll(async () => (await latest(page, id)).id).not.toBe(before);
  await expect.poll(() => statusOf(page, id)).toBe('succeeded');
  const run = await latest(page, id);
  expect(run.output).toBe('old one two three');
  const trace = await openPanel(page, 'Trace');
  await trace.getByRole('tab', { name: 'Spans' }).click();
  await expect(trace.getByRole('treeitem', { name: /first/ })).toContainText('Pinned');
  await page.getByRole('button', { name: 'Remove all pins' }).click();
  await expect(page.getByText('A pinned output is used instead of running:')).toBeHidden();
});

test('a breakpoint stops before its node; step goes one node, continue to the end', async ({ page }) => {
  const id = await importFlow(apiOf(page.request), chain('Stops'));
  await openFlow(page, id);
  await nodeMenu(page, 'first', 'Set a breakpoint');
  await fitView(page);
  await runFlow(page, 'zero');
  const banner = page.getByText(/^Stopped before/);
  await expect(banner).toContainText('first');
  await expect(runMark(page, 'question')).toHaveAttribute('data-run', 'done');
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  await expect(runMark(page, 'first')).toHaveAttribute('data-run', 'done');
  await expect(runMark(page, 'second')).not.toHaveAttribute('data-run', 'done');
  await expect(banner).toContainText('second');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect.poll(() => statusOf(page, id)).toBe('succeeded');
  expect((await latest(page, id)).output).toBe('zero one two three');
});

test('ten branches are seen running at the same time, and the join waits for all (BR-51: a fork that queues)', async ({ page }) => {
  const branches = Array.from({ length: 10 }, (_, at) => `b${at + 1}`);
  const flow = flowOf(
    'Ten branches',
    [
      input,
      { id: 'fan', type: 'fork', config: { branches: branches.map((id) => ({ id, title: id, when: '' })) } },
      ...branches.map((id) => wait(`w_${id}`, 3000)),
      { id: 'join', type: 'join' },
      output,
    ],
    [
      ['question', 'next', 'fan'],
      ...branches.flatMap((id) => [['fan', id, `w_${id}`] as const, [`w_${id}`, 'next', 'join'] as const]),
      ['join', 'next', 'reply'],
    ],
  );
  const id = await importFlow(apiOf(page.request), flow);
  await openFlow(page, id);
  await runFlow(page);
  await expect(page.locator('.react-flow__node [data-run="running"], .react-flow__node [data-run="waiting"]')).toHaveCount(10);
  await expect.poll(() => statusOf(page, id)).toBe('succeeded');
  const events = await eventsOf(apiOf(page.request), (await latest(page, id)).id);
  const started = events.filter((event) => event.kind === 'visit-start' && String(event.nodeId).startsWith('w_')).map((event) => event.seq);
  const firstEnd = events.find((event) => event.kind === 'visit-end' && String(event.nodeId).startsWith('w_'))?.seq ?? 0;
  expect(Math.max(...started)).toBeLessThan(firstEnd);
  expect(events.filter((event) => event.kind === 'visit-start' && event.nodeId === 'reply')).toHaveLength(1);
});

const loop = (name: string, cap: number, settings: Record<string, unknown> = {}) =>
  flowOf(
    name,
    [
      input,
      transform('count', 'count == null ? 1 : count + 1', 'Count'),
      { id: 'again', type: 'branch', label: 'Again?', config: { cases: [{ id: 'more', title: 'More', when: 'count > 0' }] } },
      output,
    ],
    [
      ['question', 'next', 'count'],
      ['count', 'next', 'again'],
      ['again', 'more', 'count', cap],
      ['again', 'else', 'reply'],
    ],
    settings,
  );

test('a loop that would never end stops at its cap and says how to raise it (BR-38)', async ({ page }) => {
  const id = await importFlow(apiOf(page.request), loop('Endless', 7));
  await openFlow(page, id);
  await runFlow(page);
  await expect(page.getByText('Limit reached').first()).toBeVisible();
  await expect(edge(page, 'again.more-count')).toContainText('7 of 7');
  const trace = await openPanel(page, 'Trace');
  await expect(trace.locator('header')).toContainText(/7/);
  await expect(trace.locator('header')).toContainText(/raise|allow more/i);
  expect(await statusOf(page, id)).toBe('limit');
});

test('the cap on steps ends a run with everything up to it kept (BR-38)', async ({ page }) => {
  const id = await importFlow(apiOf(page.request), loop('Many steps', 1000, { caps: { steps: 25 } }));
  await openFlow(page, id);
  await runFlow(page);
  await expect(page.getByText('Limit reached').first()).toBeVisible();
  const trace = await openPanel(page, 'Trace');
  await expect(trace.locator('header')).toContainText(/25/);
  await expect(trace.locator('header')).toContainText(/raise/i);
  const run = await latest(page, id);
  expect(run.status).toBe('limit');
  expect((await eventsOf(apiOf(page.request), run.id)).filter((event) => event.kind === 'visit-end').length).toBeGreaterThanOrEqual(24);
});

test('a node that fails shows its error and what it was given; what follows is not reached (BR-50)', async ({ page }) => {
  const flow = flowOf(
    'Fails',
    [
      input,
      { id: 'crash', type: 'code', label: 'Crash', config: { source: 'throw new Error("no such luck: " + received.message);' } },
      output,
    ],
    [
      ['question', 'next', 'crash'],
      ['crash', 'next', 'reply'],
    ],
  );
  const id = await importFlow(apiOf(page.request), flow);
  await openFlow(page, id);
  await runFlow(page, 'try me');
  await expect(runMark(page, 'crash')).toHaveAttribute('data-run', 'failed');
  await expect(runMark(page, 'reply')).toHaveAttribute('data-run', 'dead');
  await card(page, 'crash').click();
  await page.getByRole('tab', { name: 'Last run' }).click();
  await expect(page.getByRole('tabpanel', { name: 'Last run' })).toContainText('no such luck: try me');
  const trace = await openPanel(page, 'Trace');
  await trace.getByRole('button', { name: /Go to Crash/ }).click();
  await expect(trace).toContainText('no such luck: try me');
  await expect(trace).toContainText('Received');
  await expect(trace).toContainText('"try me"');
  expect(await statusOf(page, id)).toBe('failed');
});

test('a flow with problems does not start, and shows them (a click on Run that does nothing)', async ({ page }) => {
  const flow = flowOf(
    'Broken',
    [input, transform('bad', 'nothing_like_it + '), output],
    [
      ['question', 'next', 'bad'],
      ['bad', 'next', 'reply'],
    ],
  );
  const id = await importFlow(apiOf(page.request), flow);
  await openFlow(page, id);
  await expect(card(page, 'bad').getByLabel('Has a problem')).toBeVisible();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText('The flow has problems that keep it from running')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Problems' })).toContainText('bad');
  expect((await apiOf(page.request).query<{ runs: RunView[] }>('runs.list', { flowId: id, limit: 1 })).runs).toHaveLength(0);
});

test('what the chat starts is followed on the canvas beside it', async ({ page }) => {
  const flowId = await openTemplate(page, 'Parallel review');
  await message(page).press('Enter');
  await expect(page.getByText('Succeeded').first()).toBeVisible();
  expect(await statusOf(page, flowId)).toBe('succeeded');
});
