import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';

export const card = (page: Page, id: string): Locator => page.locator(`.react-flow__node[data-id="${id}"]`);
export const edge = (page: Page, id: string): Locator => page.locator(`.react-flow__edge[data-id="${id}"]`);
export const canvas = (page: Page): Locator => page.getByRole('application', { name: 'Canvas' }).first();

/** The status the drawing gives a node: `data-run` of its card. */
export const runMark = (page: Page, id: string): Locator => card(page, id).locator('.node-card');

export const saveState = (page: Page): Locator => page.getByTestId('save-state');
export const expectSaved = (page: Page): Promise<void> => expect(saveState(page)).toHaveAttribute('data-status', 'saved');

/** The editor stands: the canvas has its nodes and the first compile is over. */
export async function openFlow(page: Page, id: string): Promise<void> {
  await page.goto(`/flows/${id}`);
  await ready(page);
}

export async function ready(page: Page): Promise<void> {
  await expect(canvas(page)).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('textbox', { name: 'Name of the flow' })).toBeVisible();
}

/** Home, a click on a template's card, and its editor. Returns the new flow's id. */
export async function openTemplate(page: Page, title: string): Promise<string> {
  await page.goto('/');
  await page.getByRole('button', { name: title, exact: true }).click();
  await page.waitForURL(/\/flows\/[^/]+$/);
  await ready(page);
  return page.url().split('/').at(-1) ?? '';
}

export async function newFlow(page: Page): Promise<string> {
  await page.goto('/');
  await page.getByRole('button', { name: 'New flow' }).click();
  await page.waitForURL(/\/flows\/[^/]+$/);
  await ready(page);
  return page.url().split('/').at(-1) ?? '';
}

export const panelTab = (page: Page, name: 'Problems' | 'Trace' | 'Chat' | 'Outline'): Locator =>
  page.getByRole('tablist', { name: 'Panels' }).getByRole('tab', { name });

export async function openPanel(page: Page, name: 'Problems' | 'Trace' | 'Chat' | 'Outline'): Promise<Locator> {
  await panelTab(page, name).click();
  return page.getByRole('region', { name: 'Panel', exact: true });
}

export const message = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' });

/** Runs the flow by the dialog, with the message its input asks for. */
export async function runFlow(page: Page, text = 'hello'): Promise<void> {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await confirmRun(page, text);
}

export async function confirmRun(page: Page, text = 'hello'): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Message' }).fill(text);
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(dialog).toBeHidden();
}

/** What a click downloads, as text. */
export async function downloaded(page: Page, click: () => Promise<void>): Promise<{ name: string; text: string }> {
  const coming = page.waitForEvent('download');
  await click();
  const download = await coming;
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

export async function menuItem(page: Page, menu: string, item: string): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Brings the whole flow into view: cards out of sight are not in the page. */
export const fitView = (page: Page): Promise<void> => page.getByRole('button', { name: 'Fit the whole flow' }).click();
