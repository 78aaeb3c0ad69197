import { expect, type Page, test } from '@playwright/test';
import { card, message, openTemplate } from './support/editor';

const trace = (page: Page) => page.getByRole('region', { name: 'Trace' });
const log = (page: Page) => page.getByRole('log', { name: 'Messages' });

async function sendSample(page: Page, answer: string): Promise<void> {
  await expect(message(page)).not.toHaveValue('');
  await message(page).press('Enter');
  await expect(log(page)).toContainText(answer, { timeout: 120_000 });
}

test('the eleven layers run their sample, and the trace shows why at any moment (layers that are only drawn)', async ({ page }) => {
  test.setTimeout(240_000);
  await openTemplate(page, 'Eleven layers');
  await sendSample(page, 'calendar days from midnight to midnight');
  await log(page).getByRole('button', { name: 'Why this answer' }).click();
  await trace(page).getByRole('tab', { name: 'Layers' }).click();

  await test.step('ten gauges with their thresholds', async () => {
    await expect(
      trace(page)
        .getByRole('group', { name: /over the run$/ })
        .or(trace(page).getByLabel(/over the run$/)),
    ).toHaveCount(11);
    await expect(trace(page)).toContainText('Belief consistency');
  });

  await test.step('the task graph, the conflicts, the ladder and the checks', async () => {
    await trace(page).getByRole('tab', { name: /Tasks/ }).click();
    await expect(trace(page)).toContainText('Find out how late days are counted');
    await trace(page)
      .getByRole('tab', { name: /Contradictions/ })
      .click();
    await expect(trace(page)).toContainText('HIGH');
    await trace(page)
      .getByRole('tab', { name: /Evidence/ })
      .click();
    await trace(page)
      .getByRole('button', { name: /Only lowered by a ceiling/ })
      .click();
    await expect(trace(page)).toContainText('ceiling of read_file');
    await trace(page)
      .getByRole('tab', { name: /Recovery/ })
      .click();
    await expect(trace(page).getByRole('list', { name: 'Strategy ladder' })).toContainText('trace exec, current');
    await trace(page)
      .getByRole('tab', { name: /Verification/ })
      .click();
    await expect(trace(page)).toContainText('unit');
  });
});

test('a layer that is switched off says what will be missing (a bypass that hides itself)', async ({ page }) => {
  await openTemplate(page, 'Eleven layers');
  await card(page, 'diagnostics').click();
  await page.keyboard.press('Shift+D');
  await page.getByRole('tab', { name: /Problems/ }).click();
  await expect(page.getByText(/ten dimensions keep their first values/).first()).toBeVisible();
});
