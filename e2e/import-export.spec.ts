import { expect, type Page, test } from '@playwright/test';
import { apiOf } from './support/api';
import { card, downloaded, edge, expectSaved, menuItem, openFlow, openPanel, openTemplate, ready } from './support/editor';
import { type Flow, importFlow, slowFlow } from './support/flows';

const file = (name: string, text: string) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
const picker = (page: Page) => page.getByLabel('Flow files to import');
const flowNames = async (page: Page): Promise<string[]> =>
  (await apiOf(page.request).query<{ name: string }[]>('flows.list')).map((flow) => flow.name);

/** What a person does with a file manager: drops files on the page. */
async function drop(page: Page, target: string, name: string, text: string): Promise<void> {
  const data = await page.evaluateHandle(
    ([fileName, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content ?? ''], fileName ?? '', { type: 'application/json' }));
      return transfer;
    },
    [name, text],
  );
  await page.dispatchEvent(target, 'dragover', { dataTransfer: data });
  await page.dispatchEvent(target, 'drop', { dataTransfer: data });
}

test('one file imported three times makes three flows of their own (BR-32)', async ({ page }) => {
  const text = JSON.stringify(slowFlow('Thrice', 10));
  await page.goto('/');
  await picker(page).setInputFiles([file('thrice.json', text), file('thrice.json', text), file('thrice.json', text)]);
  await expect(page.getByText('3 flows imported')).toBeVisible();
  const names = (await flowNames(page)).filter((name) => name.startsWith('Thrice'));
  expect(new Set(names).size).toBe(names.length);
  const links = page.getByRole('link', { name: /^Open Thrice/ });
  await expect(links).toHaveCount(3);
  const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(new Set(targets).size).toBe(3);
  await links.first().click();
  await ready(page);
  await expect(page.locator('.react-flow__node')).toHaveCount(3);
  await expect(page.locator('.react-flow__edge')).toHaveCount(2);
});

test('of five files one is malformed: four come in, the bad one is named, and the next import works (BR-36)', async ({ page }) => {
  const good = (name: string) => file(`${name}.json`, JSON.stringify(slowFlow(name, 10)));
  await page.goto('/');
  const bad = file('cut-off.json', JSON.stringify(slowFlow('Cut', 10)).slice(0, 200));
  await picker(page).setInputFiles([good('Five A'), good('Five B'), bad, good('Five C'), good('Five D')]);
  await expect(page.getByText('4 flows imported, 1 file refused')).toBeVisible();
  const refused = page.getByRole('listitem').filter({ has: page.getByLabel('Refused') });
  await expect(refused).toHaveCount(1);
  await expect(refused).toContainText('cut-off.json');
  await expect(refused).toContainText(/JSON/);
  await picker(page).setInputFiles([good('Five E')]);
  await expect(page.getByText('1 flow imported', { exact: true })).toBeVisible();
});

test('a document of a newer Bridle is refused with both versions, and nothing is written (BR-26)', async ({ page }) => {
  await page.goto('/');
  const before = (await flowNames(page)).length;
  await picker(page).setInputFiles([file('newer.json', JSON.stringify({ ...slowFlow('Newer', 10), version: 7 }))]);
  const refused = page.getByRole('listitem').filter({ hasText: 'newer.json' });
  await expect(refused).toContainText('version 7');
  await expect(refused).toContainText('version 1');
  expect((await flowNames(page)).length).toBe(before);
});

function damaged(): Flow {
  const flow = slowFlow('Damaged', 10);
  return {
    ...flow,
    nodes: [
      ...flow.nodes,
      { typeVersion: 3, label: 'From elsewhere', id: 'elsewhere', type: 'telepathy', config: { strength: 11, nested: { kept: true } } },
    ],
    edges: [
      ...flow.edges,
      { id: 'to-nowhere', kind: 'flow', source: 'pause', port: 'next', target: 'nobody' },
      { id: 'to-elsewhere', kind: 'flow', source: 'pause', port: 'next', target: 'elsewhere' },
    ],
    layout: { nodes: { ...flow.layout.nodes, elsewhere: { x: 280, y: 220 } } },
  };
}

test('unknown nodes and dangling edges are shown as such, block the run with the reason, and survive the export (BR-25, BR-31)', async ({
  page,
}) => {
  const id = await importFlow(apiOf(page.request), damaged());
  await openFlow(page, id);
  await expect(card(page, 'elsewhere')).toContainText('From elsewhere');
  await expect(edge(page, 'to-nowhere')).toContainText('broken');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const problems = page.getByRole('list', { name: 'Problems' });
  await expect(problems).toContainText('telepathy');
  await expect(problems).toContainText('nobody');

  await card(page, 'elsewhere').click();
  await expect(page.getByText('This build has no node type')).toBeVisible();
  const exported = JSON.parse((await downloaded(page, () => menuItem(page, 'Export', 'Export as JSON'))).text);
  expect(exported.nodes.find((node: { id: string }) => node.id === 'elsewhere')).toMatchObject({
    type: 'telepathy',
    typeVersion: 3,
    config: { strength: 11, nested: { kept: true } },
  });
  expect(exported.edges.map((one: { id: string }) => one.id)).toEqual(expect.arrayContaining(['to-nowhere', 'to-elsewhere']));
});

test('a file dropped on the home page is imported; one dropped on the canvas opens as a flow of its own', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Templates' })).toBeVisible();
  await drop(page, 'body', 'dropped.json', JSON.stringify(slowFlow('Dropped', 10)));
  await page.getByRole('link', { name: /^Open Dropped/ }).click();
  await ready(page);
  const first = page.url();
  await drop(page, '.bridle-canvas', 'again.json', JSON.stringify(slowFlow('Dropped again', 10)));
  await page.waitForURL((url) => url.href !== first && url.pathname.startsWith('/flows/'));
  await expect(page.getByRole('textbox', { name: 'Name of the flow' })).toHaveValue(/^Dropped again/);
});

test('text pasted on the home page is imported, and other text is left alone', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Paste JSON' }).click();
  const dialog = page.getByRole('dialog', { name: 'Paste a flow' });
  await dialog.getByRole('textbox').fill('{"nodes": {}}');
  await dialog.getByRole('button', { name: 'Import flow' }).click();
  await expect(page.getByText('1 file refused')).toBeVisible();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Paste JSON' }).click();
  await dialog.getByRole('textbox').fill(JSON.stringify(slowFlow('From text', 10)));
  await dialog.getByRole('button', { name: 'Import flow' }).click();
  await expect(page.getByRole('link', { name: /^Open From text/ })).toBeVisible();
});

test('a template goes out and comes in again as the same flow (BR-28, BR-29: a field lost on the way)', async ({ page }) => {
  await openTemplate(page, 'Approval loop');
  await expectSaved(page);
  const out = await downloaded(page, () => menuItem(page, 'Export', 'Export as JSON'));
  await menuItem(page, 'More about this flow', 'Import a flow');
  const dialog = page.getByRole('dialog', { name: 'Import a flow' });
  await dialog.locator('input[type=file]').setInputFiles([file('loop.json', out.text)]);
  const before = page.url();
  await dialog.getByRole('button', { name: 'Open as a new flow' }).click();
  await page.waitForURL((url) => url.href !== before && url.pathname.startsWith('/flows/'));
  await ready(page);
  await openPanel(page, 'Outline');
  const back = await downloaded(page, () => menuItem(page, 'Export', 'Export as JSON'));
  const [a, b] = [JSON.parse(out.text), JSON.parse(back.text)];
  expect({ ...b, id: a.id, name: a.name }).toEqual(a);
});
