import { expect, test } from '@playwright/test';
import { card, downloaded, edge, expectSaved, menuItem, message, openTemplate, ready, runMark } from './support/editor';

const question = 'How often is a failed delivery tried again, and where is that set?';

test('a newcomer gets from the home page to a cited answer and its reasons (a first run that ends in an empty page)', async ({ page }) => {
  await openTemplate(page, 'Grounded answer');
  await expect(page.getByText('The rehearsal model is answering')).toBeVisible();
  const log = page.getByRole('log', { name: 'Messages' });
  // the sample of the template may stand in the field already; a click on it is what a person would do otherwise
  if ((await message(page).inputValue()) === '') await log.getByRole('button', { name: question }).click();
  await expect(message(page)).toHaveValue(question);
  await message(page).press('Enter');

  await expect(log).toContainText('src/config.ts:22', { timeout: 20_000 });
  await expect(log.getByText('Rehearsal', { exact: true })).toBeVisible();
  await expect(page.getByText('Succeeded').first()).toBeVisible();

  await test.step('the drawing shows which way the run went', async () => {
    for (const id of ['question', 'research', 'enough', 'reply']) await expect(runMark(page, id)).toHaveAttribute('data-run', 'done');
    await expect(edge(page, 'answer.next-reply').locator('[data-life]')).toHaveAttribute('data-life', 'taken');
    await expect(edge(page, 'declined.next-reply').locator('[data-life]')).toHaveAttribute('data-life', 'dead');
    await expect(runMark(page, 'low_evidence')).toHaveAttribute('data-run', 'dead');
  });

  await test.step('a node tells what it decided on which numbers', async () => {
    await card(page, 'enough').click();
    await page.getByRole('tab', { name: 'Last run' }).click();
    const inspector = page.getByRole('tabpanel', { name: 'Last run' });
    await expect(inspector.getByRole('heading', { name: 'Decision' })).toBeVisible();
    await expect(inspector).toContainText('evidence.read');
    await expect(inspector).toContainText('Output');
  });

  await test.step('"Why this answer" opens the trace of that run', async () => {
    await log.getByRole('button', { name: 'Why this answer' }).click();
    const trace = page.getByRole('region', { name: 'Trace' });
    await expect(trace).toBeVisible();
    await expect(trace.getByText('Rehearsal model')).toBeVisible();
    await trace.getByRole('tab', { name: /Decisions/ }).click();
    await expect(trace.getByRole('list', { name: 'Decisions' })).toContainText('Enough evidence?');
  });
});

test('the exported file is the same bytes every time, also after a reload (an export that churns in version control)', async ({ page }) => {
  await openTemplate(page, 'Grounded answer');
  const first = await downloaded(page, () => menuItem(page, 'Export', 'Export as JSON'));
  const second = await downloaded(page, () => menuItem(page, 'Export', 'Export as JSON'));
  expect(second.text).toBe(first.text);
  await expectSaved(page);
  await page.reload();
  await ready(page);
  const third = await downloaded(page, () => menuItem(page, 'Export', 'Export as JSON'));
  expect(third.text).toBe(first.text);

  expect(first.name).toMatch(/^Grounded-answer(-\d+)?\.json$/);
  const flow = JSON.parse(first.text);
  expect(flow).toMatchObject({ format: 'bridle/flow', version: 1 });
  expect(flow.nodes.map((node: { id: string }) => node.id)).toEqual([...flow.nodes.map((node: { id: string }) => node.id)].sort());
  expect(first.text.endsWith('\n')).toBe(true);
});

test('the list on the home page exports the same bytes as the editor (BR-28: two exports, two files)', async ({ page }) => {
  await openTemplate(page, 'Grounded answer');
  const flowId = page.url().split('/').at(-1);
  const fromEditor = await downloaded(page, () => menuItem(page, 'Export', 'Export as JSON'));
  await page.goto('/');
  const row = page.getByRole('listitem').filter({ has: page.locator(`a[href="/flows/${flowId}"]`) });
  const fromList = await downloaded(page, async () => {
    await row.getByRole('button', { name: /^Actions for Grounded answer/ }).click();
    await page.getByRole('menuitem', { name: 'Export JSON' }).click();
  });
  expect(fromList.text).toBe(fromEditor.text);
});
