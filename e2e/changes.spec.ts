import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { message, openTemplate } from './support/editor';

/** A folder of a person's own, so that nothing that is taken over lands in the samples. */
function ownFolder(): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'bridle-changes-')), 'fees');
  cpSync(join(process.cwd(), 'public', 'samples', 'late-fees'), folder, { recursive: true });
  return folder;
}

const picker = (page: Page) => page.getByTitle(/^Workspace folder/).first();

async function chooseFolder(page: Page, folder: string): Promise<void> {
  await picker(page).click();
  await page.getByRole('textbox', { name: "A folder on the server's machine" }).fill(folder);
  await page.getByRole('button', { name: 'Use folder' }).click();
  await expect(picker(page)).toHaveText('fees');
}

test('a run writes into a copy; its diff is looked at, taken over and undone (a person whose files changed without being asked)', async ({
  page,
}) => {
  const folder = ownFolder();
  await openTemplate(page, 'Debug a failing test');
  await chooseFolder(page, folder);

  await test.step('working in the folder itself comes with a warning', async () => {
    await picker(page).click();
    await page.getByRole('radio', { name: 'The folder itself' }).check();
    await expect(page.getByText('Tools will create, change and delete files in the folder')).toBeVisible();
    await page.getByRole('radio', { name: 'A copy' }).check();
    await page.keyboard.press('Escape');
  });

  await message(page).press('Enter');
  const log = page.getByRole('log', { name: 'Messages' });
  await expect(log.getByText(/files? changed in a copy/)).toBeVisible({ timeout: 60_000 });
  await log.getByRole('button', { name: 'Show changes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Changes' });
  const first = dialog.getByRole('list', { name: 'Changed files' }).getByRole('button').first();
  const path = (await first.getAttribute('title')) ?? '';
  const before = readFileSync(join(folder, path), 'utf8');
  const added = dialog
    .getByRole('list', { name: `Lines of ${path}` })
    .getByText('added')
    .locator('xpath=../..')
    .first();
  await expect(added).toBeVisible();

  await dialog.getByRole('button', { name: 'Take over' }).click();
  const confirm = page.getByRole('alertdialog');
  await expect(confirm).toContainText(folder);
  expect(readFileSync(join(folder, path), 'utf8')).toBe(before);
  await confirm.getByRole('button', { name: 'Write into fees' }).click();
  await expect(dialog.getByText(/files? taken over\./)).toBeVisible();
  expect(readFileSync(join(folder, path), 'utf8')).not.toBe(before);

  await dialog.getByRole('button', { name: 'Undo' }).click();
  await confirm.getByRole('button', { name: 'Undo' }).click();
  await expect(dialog.getByText('Every file is what it was when the run began.')).toBeVisible();
});
