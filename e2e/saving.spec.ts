import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import Database from 'better-sqlite3';
import { apiOf } from './support/api';
import { canvas, card, downloaded, expectSaved, menuItem, newFlow, openFlow, ready, saveState } from './support/editor';
import { flowOf, importFlow, input, output, slowFlow, transform } from './support/flows';

interface Stored {
  revision: number;
  document: { name: string; nodes: { id: string; type: string; config: Record<string, unknown> }[] };
}

const stored = (page: Page, id: string): Promise<Stored> => apiOf(page.request).query<Stored>('flows.get', { id });
const typesOf = ({ document }: Stored): string[] => document.nodes.map((node) => node.type);
const addFromPalette = (page: Page, title: string): Promise<void> =>
  page
    .getByRole('region', { name: 'Node palette' })
    .getByRole('button', { name: new RegExp(`^Add ${title}\\.`) })
    .click();

/** The tab stops hearing of other people's saves, as one whose connection is bad. */
const deafen = (page: Page): Promise<unknown> => page.route(/\/api\/trpc\/stream\./, (route) => route.abort());

async function conflict(page: Page, other: Page): Promise<string> {
  const id = await importFlow(apiOf(page.request), slowFlow('Two tabs', 10));
  await deafen(other);
  await openFlow(page, id);
  await openFlow(other, id);
  await addFromPalette(page, 'Code');
  await expectSaved(page);
  await expect.poll(async () => typesOf(await stored(page, id))).toContain('code');
  await addFromPalette(other, 'Map');
  await expect(other.getByText('This flow was saved elsewhere meanwhile')).toBeVisible();
  return id;
}

test('a stale tab does not overwrite what another tab saved; "Reload theirs" takes it over (BR-19)', async ({ page, context }) => {
  const other = await context.newPage();
  const refused: number[] = [];
  other.on('response', (response) => {
    if (response.url().includes('flows.save')) refused.push(response.status());
  });
  const id = await conflict(page, other);
  expect(refused.at(-1)).toBe(409);
  expect(typesOf(await stored(page, id))).toContain('code');
  expect(typesOf(await stored(page, id))).not.toContain('map');
  await expect(saveState(other)).toHaveAttribute('data-status', 'conflict');

  await other.getByRole('button', { name: 'Reload theirs' }).click();
  await expect(other.getByText('This flow was saved elsewhere meanwhile')).toBeHidden();
  await expect(card(other, 'code')).toBeVisible();
  await expect(card(other, 'map')).toHaveCount(0);
});

test('"Save mine as a copy" keeps both (BR-19: one of two people loses the work)', async ({ page, context }) => {
  const other = await context.newPage();
  const id = await conflict(page, other);
  await other.getByRole('button', { name: 'Save mine as a copy' }).click();
  await other.waitForURL((url) => url.pathname.startsWith('/flows/') && !url.pathname.endsWith(id));
  await ready(other);
  const copy = other.url().split('/').at(-1) ?? '';
  expect(typesOf(await stored(page, copy))).toContain('map');
  expect(typesOf(await stored(page, id))).toContain('code');
  expect(typesOf(await stored(page, id))).not.toContain('map');
});

test('an idle tab follows what another tab saves (BR-20: a shown-again tab writes its old copy)', async ({ page, context }) => {
  const other = await context.newPage();
  const id = await importFlow(apiOf(page.request), slowFlow('Followed', 10));
  await openFlow(other, id);
  await openFlow(page, id);
  await addFromPalette(page, 'Code');
  await expectSaved(page);
  await other.bringToFront();
  await expect(card(other, 'code')).toBeVisible();
  await addFromPalette(other, 'Map');
  await expectSaved(other);
  await expect.poll(async () => typesOf(await stored(page, id))).toEqual(expect.arrayContaining(['code', 'map']));
});

test('a hard reload right after an edit loses nothing (BR-22)', async ({ page }) => {
  const id = await importFlow(apiOf(page.request), slowFlow('Reloaded', 10));
  await openFlow(page, id);
  await addFromPalette(page, 'Code');
  await page.reload();
  await ready(page);
  await expect(card(page, 'code')).toBeVisible();
  await expectSaved(page);
  await expect.poll(async () => typesOf(await stored(page, id))).toContain('code');
});

test('an edit survives a visit to the runs page (BR-22: leaving inside the app drops the draft)', async ({ page }) => {
  const id = await importFlow(apiOf(page.request), slowFlow('Left and back', 10));
  await openFlow(page, id);
  await addFromPalette(page, 'Code');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('Runs');
  await page.getByRole('option', { name: 'Runs', exact: true }).click();
  await page.waitForURL(/\/runs$/);
  await page.goBack();
  await ready(page);
  await expect(card(page, 'code')).toBeVisible();
  await expect.poll(async () => typesOf(await stored(page, id))).toContain('code');
});

test('edits are kept while the server cannot be reached, and are saved when it can (lost work behind a bad connection)', async ({
  page,
}) => {
  const id = await importFlow(apiOf(page.request), slowFlow('Unreachable', 10));
  await openFlow(page, id);
  await page.route('**/api/trpc/flows.save**', (route) => route.abort());
  await addFromPalette(page, 'Code');
  await expect(saveState(page)).toHaveAttribute('data-status', 'failed');
  await expect(page.getByText('Your edits are kept in this browser and not saved yet.')).toBeVisible();
  await page.unroute('**/api/trpc/flows.save**');
  await page.getByRole('button', { name: 'Save again' }).click();
  await expectSaved(page);
  expect(typesOf(await stored(page, id))).toContain('code');
});

test('a named version comes back, and undo returns to what was there before', async ({ page }) => {
  const id = await newFlow(page);
  await addFromPalette(page, 'Code');
  await expect(card(page, 'code')).toBeVisible();
  await menuItem(page, 'More about this flow', 'Versions');
  const dialog = page.getByRole('dialog', { name: 'Versions' });
  await dialog.getByRole('textbox', { name: 'Name of the version' }).fill('With code');
  await dialog.getByRole('textbox', { name: 'Name of the version' }).press('Enter');
  await expect(dialog.getByRole('listitem').filter({ hasText: 'With code' })).toBeVisible();
  await page.keyboard.press('Escape');

  await card(page, 'code').click();
  await page.keyboard.press('Delete');
  await expect(card(page, 'code')).toHaveCount(0);
  await menuItem(page, 'More about this flow', 'Versions');
  await dialog.getByRole('button', { name: 'Compare' }).click();
  await expect(dialog.getByText('Removed').first()).toBeVisible();
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await expect(card(page, 'code')).toBeVisible();
  await expectSaved(page);
  expect(typesOf(await stored(page, id))).toContain('code');
  await canvas(page).click({ position: { x: 20, y: 20 } });
  await page.keyboard.press('Control+z');
  await expect(card(page, 'code')).toHaveCount(0);
});

test('a flow whose editor fails can be downloaded and restored from outside the canvas (BR-24)', async ({ page }) => {
  const api = apiOf(page.request);
  const flow = flowOf(
    'Rescued',
    [input, transform('shout', 'received'), output],
    [
      ['question', 'next', 'shout'],
      ['shout', 'next', 'reply'],
    ],
  );
  const id = await importFlow(api, flow);
  await api.call('flows.saveVersion', { id, name: 'Sound' });
  // the stored text as a fault of ours, or a hand in the database, would leave it
  const database = new Database(join(process.env.BRIDLE_E2E_DATA ?? '', 'bridle.db'));
  database
    .prepare('UPDATE flows SET document = replace(document, \'"nodes":\', \'"notes":\'), revision = revision + 1 WHERE id = ?')
    .run(id);
  database.close();
  await page.goto(`/flows/${id}`);
  await expect(page.getByText('This flow cannot be shown')).toBeVisible();
  const file = await downloaded(page, () => page.getByRole('button', { name: 'Download JSON' }).click());
  expect(JSON.parse(file.text)).toMatchObject({ format: 'bridle/flow', id, notes: expect.any(Array) });
  await page.getByRole('listitem').filter({ hasText: 'Sound' }).getByRole('button', { name: 'Restore' }).click();
  await ready(page);
  await expect(card(page, 'shout')).toBeVisible();
});

test('an editor that throws leaves the file and the versions at hand (BR-24)', async ({ page }) => {
  const id = await importFlow(apiOf(page.request), slowFlow('Thrown', 10));
  await apiOf(page.request).call('flows.saveVersion', { id, name: 'Sound' });
  // an answer the editor cannot draw, as after a fault of ours
  await page.route(/\/api\/trpc\/[^?]*flows\.get\b/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(/"nodes":\[\{/, '"nodes":[null,{') });
  });
  await page.goto(`/flows/${id}`);
  await expect(page.getByRole('button', { name: 'Download JSON' })).toBeVisible();
  const file = await downloaded(page, () => page.getByRole('button', { name: 'Download JSON' }).click());
  expect(JSON.parse(file.text)).toMatchObject({ format: 'bridle/flow', id });
  await expect(page.getByRole('listitem').filter({ hasText: 'Sound' })).toBeVisible();
});
