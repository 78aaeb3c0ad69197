import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page, test } from '@playwright/test';
import { apiOf } from './support/api';
import { downloaded, menuItem, openFlow, ready } from './support/editor';
import { flowOf, importFlow, input, output, slowFlow } from './support/flows';

const canary = 'CANARY-7f3a';

/** Everything that a tab was sent by the server, as text. */
function listen(page: Page): () => string {
  const heard: string[] = [];
  page.on('response', (response) => {
    if (response.headers()['content-type']?.includes('event-stream')) return;
    response.text().then(
      (text) => heard.push(text),
      () => undefined,
    );
  });
  return () => heard.join('\n');
}

test('a provider takes a key and never shows it again (BR-34: a key in the page)', async ({ page }) => {
  const heard = listen(page);
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Add provider' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add a provider' });
  await dialog.getByLabel('Id').fill('work');
  await dialog.getByLabel(/^API key/).fill(`sk-${canary}`);
  await dialog.getByLabel('Models').fill('gpt-test');
  await dialog.getByRole('button', { name: 'Save provider' }).last().click();
  await expect(dialog).toBeHidden();
  try {
    await page.reload();
    const row = page.getByRole('listitem').filter({ hasText: 'work' }).first();
    await expect(row).toBeVisible();
    await row.getByRole('button', { name: /Change/ }).click();
    const change = page.getByRole('dialog');
    await expect(change.getByText('A key is set. Leave this empty to keep it.')).toBeVisible();
    await expect(change.getByLabel(/^API key/)).toHaveValue('');
    expect(await page.content()).not.toContain(canary);
    expect(heard()).not.toContain(canary);
    const stored = JSON.stringify(await apiOf(page.request).query('settings.get'));
    expect(stored).toContain('"hasKey":true');
    expect(stored).not.toContain(canary);
  } finally {
    await apiOf(page.request).call('settings.removeProvider', { id: 'work' });
  }
});

test('a secret is used, and is nowhere to be read: page, export, events, errors (BR-35)', async ({ page }) => {
  const seen: string[] = [];
  const echo = createServer((request, response) => {
    seen.push(String(request.headers.authorization ?? ''));
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: `refused for ${request.headers.authorization}` }));
  });
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  // as: a server that listens on a port has an address of this shape
  const { port } = echo.address() as AddressInfo;
  const api = apiOf(page.request);
  const heard = listen(page);
  try {
    await page.goto('/settings');
    await page.getByLabel('Name', { exact: true }).fill('E2E_TOKEN');
    await page.getByLabel('Value', { exact: true }).fill(canary);
    await page.getByRole('button', { name: 'Add secret' }).click();
    await expect(page.getByRole('button', { name: 'Remove E2E_TOKEN' })).toBeVisible();
    await api.call('settings.saveProvider', {
      id: 'echo',
      kind: 'openai-compatible',
      baseUrl: `http://127.0.0.1:${port}/v1`,
      key: canary,
      models: ['echo'],
    });
    const flow = flowOf(
      'Secret',
      [
        input,
        { id: 'shape', type: 'transform', label: 'Shape', config: { mode: 'template', template: 'said: {{question.message}}' } },
        { id: 'ask', type: 'llm-call', label: 'Ask', config: { prompt: 'With {{secrets.E2E_TOKEN}}: {{shape}}' } },
        output,
      ],
      [
        ['question', 'next', 'shape'],
        ['shape', 'next', 'ask'],
        ['ask', 'next', 'reply'],
      ],
      { secrets: ['E2E_TOKEN'], models: { primary: { provider: 'echo', model: 'echo' } } },
    );
    const id = await importFlow(api, flow);
    await openFlow(page, id);
    const { runId } = await api.call<{ runId: string }>('runs.start', { flowId: id, input: { message: `my word is ${canary}` } });
    await expect.poll(async () => (await api.query<{ status: string }>('runs.get', { id: runId })).status).not.toMatch(/running|waiting/);
    await page.goto(`/runs/${runId}`);
    await expect(page.getByRole('region', { name: 'Trace' })).toBeVisible();
    await page.getByRole('tab', { name: 'Events' }).click();
    expect(seen.join('\n')).toContain(canary);
    const answers = [
      await page.content(),
      heard(),
      JSON.stringify(await api.query('runs.events', { id: runId, after: 0, limit: 1000 })),
      JSON.stringify(await api.query('runs.get', { id: runId })),
      JSON.stringify(await api.query('runs.export', { id: runId, format: 'json' })),
      JSON.stringify(await api.query('runs.export', { id: runId, format: 'otel' })),
      JSON.stringify(await api.query('flows.export', { id })),
      JSON.stringify(await api.query('settings.get')),
    ];
    for (const answer of answers) expect(answer).not.toContain(canary);
  } finally {
    await api.call('settings.removeSecret', { name: 'E2E_TOKEN' });
    await api.call('settings.removeProvider', { id: 'echo' }).catch(() => undefined);
    echo.closeAllConnections();
    echo.close();
  }
});

test('the doctor says what is set up and what to do', async ({ page }) => {
  await page.goto('/doctor');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(/rehearsal/i);
});

test('the reference has a page for every node type, with its settings', async ({ page }) => {
  await page.goto('/nodes');
  await page
    .getByRole('link', { name: /Human gate/ })
    .first()
    .click();
  await page.waitForURL(/\/nodes\/human-gate$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Human gate' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Button to approve');
});

test('the theme is chosen once and kept over a reload', async ({ page }) => {
  await page.goto('/');
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.getByRole('button', { name: 'Theme' }).click();
  await page
    .getByRole('menuitemradio', { name: 'Light' })
    .or(page.getByRole('menuitem', { name: 'Light' }))
    .click();
  const light = await background();
  await page.getByRole('button', { name: 'Theme' }).click();
  await page
    .getByRole('menuitemradio', { name: 'Dark' })
    .or(page.getByRole('menuitem', { name: 'Dark' }))
    .click();
  await expect.poll(background).not.toBe(light);
  const dark = await background();
  await page.reload();
  expect(await background()).toBe(dark);
});

test('a header that claims to come from the inside changes nothing (BR-83)', async ({ request }) => {
  const header = { 'x-middleware-subrequest': 'middleware:middleware:middleware:middleware:middleware' };
  const [plain, claimed] = [await request.get('/api/trpc/settings.get'), await request.get('/api/trpc/settings.get', { headers: header })];
  expect(claimed.status()).toBe(plain.status());
  expect(await claimed.text()).toBe(await plain.text());
  const foreign = { origin: 'http://evil.example', ...header };
  expect((await request.get('/api/trpc/settings.get', { headers: foreign })).status()).toBe(403);
});

test('a flow that does not exist and a run that does not exist say so (a blank page for an old link)', async ({ page }) => {
  await page.goto('/flows/flow_nothing');
  await expect(page.getByText('There is no such flow')).toBeVisible();
  await page.goto('/runs/run_nothing');
  await expect(page.getByText('There is no such run')).toBeVisible();
});

test('nothing secret is in an exported flow, and a secret text in a config is pointed out', async ({ page }) => {
  const id = await importFlow(apiOf(page.request), slowFlow('Clean', 10));
  await page.goto(`/flows/${id}`);
  await ready(page);
  const file = await downloaded(page, () => menuItem(page, 'Export', 'Export as JSON'));
  expect(JSON.parse(file.text).settings.secrets).toEqual([]);
});
