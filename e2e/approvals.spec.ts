import { expect, type Locator, type Page, test } from '@playwright/test';
import { apiOf, eventsOf, type RunView } from './support/api';
import { message, openTemplate, ready, runMark } from './support/editor';

const firstDraft = 'survives an outage of exactly two hours';
const revised = 'How long exactly depends on your delay settings';

const log = (page: Page): Locator => page.getByRole('log', { name: 'Messages' });
const gate = (page: Page): Locator => log(page).locator('[data-ask-id]');

async function askForDraft(page: Page): Promise<string> {
  const flowId = await openTemplate(page, 'Approval loop');
  await expect(message(page)).toHaveValue('Write the release note from the brief.');
  await message(page).press('Enter');
  await expect(gate(page)).toBeVisible({ timeout: 20_000 });
  await expect(gate(page).getByRole('heading', { name: 'Is this ready?' })).toBeVisible();
  await expect(gate(page)).toContainText(firstDraft);
  return flowId;
}

async function onlyRun(page: Page, flowId: string): Promise<RunView> {
  const { runs } = await apiOf(page.request).query<{ runs: RunView[] }>('runs.list', { flowId, limit: 10 });
  expect(runs).toHaveLength(1);
  return runs[0] ?? { id: '', status: '', flowId, usage: { steps: 0 } };
}

test('a draft is sent back with feedback, revised and approved (BR-53, BR-58: the answer after a gate never shows)', async ({ page }) => {
  const flowId = await askForDraft(page);
  await expect(runMark(page, 'approval')).toHaveAttribute('data-run', 'waiting');

  await gate(page).getByRole('textbox', { name: 'What should change' }).fill('Do not promise an exact outage length.');
  await gate(page).getByRole('button', { name: 'Send back' }).click();
  await expect(gate(page)).toContainText(revised, { timeout: 20_000 });
  await expect(gate(page)).toContainText('Revised as you asked.');

  await test.step('a reload in the middle keeps the question', async () => {
    await page.reload();
    await ready(page);
    await expect(gate(page)).toContainText(revised);
  });

  await gate(page).getByRole('button', { name: 'Approve' }).click();
  await expect(gate(page)).toBeHidden({ timeout: 20_000 });
  await expect(log(page)).toContainText(revised);
  await expect(log(page)).not.toContainText(firstDraft);
  await expect(runMark(page, 'final')).toHaveAttribute('data-run', 'done');

  const run = await onlyRun(page, flowId);
  expect(run.status).toBe('succeeded');
  expect(run.output).toMatchObject({ approvedBy: 'person' });
  await page.reload();
  await expect(log(page)).toContainText(revised);
});

test('two clicks and a second window count as one answer (BR-53: a gate passed twice)', async ({ page, context }) => {
  const flowId = await askForDraft(page);
  const run = await onlyRun(page, flowId);
  const other = await context.newPage();
  await other.goto(`/runs/${run.id}`);
  await expect(other.getByRole('button', { name: 'Approve' })).toBeVisible();
  await gate(page).getByRole('button', { name: 'Approve' }).dblclick();
  await expect(log(page).getByText('Succeeded').or(log(page).getByText('Why this answer')).first()).toBeVisible({ timeout: 20_000 });
  await expect(other.getByRole('button', { name: 'Approve' })).toBeHidden();

  const events = await eventsOf(apiOf(page.request), run.id);
  expect(events.filter((event) => event.kind === 'ask-answer')).toHaveLength(1);
  expect(events.filter((event) => event.kind === 'visit-start' && event.nodeId === 'final')).toHaveLength(1);
});

test('an answer to what was not shown is refused (BR-85: an approval of changed content)', async ({ page }) => {
  const flowId = await askForDraft(page);
  const api = apiOf(page.request);
  const run = await onlyRun(page, flowId);
  const opened = (await eventsOf(api, run.id)).find((event) => event.kind === 'ask-open');
  const answer = { choice: 'approved', by: 'person' };
  const result = await api.call<{ accepted: boolean; reason?: string }>('runs.answer', {
    id: run.id,
    askId: opened?.askId,
    hash: 'something-else',
    answer,
  });
  expect(result.accepted).toBe(false);
  expect(result.reason).toContain('not what is being decided');
  await expect(gate(page).getByRole('button', { name: 'Approve' })).toBeEnabled();
});

test('the page of a waiting run shows the frozen drawing and takes the answer (a run page that only watches)', async ({ page }) => {
  const flowId = await askForDraft(page);
  const run = await onlyRun(page, flowId);
  await page.goto(`/runs/${run.id}`);
  await expect(runMark(page, 'approval')).toHaveAttribute('data-run', 'waiting');
  await expect(runMark(page, 'draft')).toHaveAttribute('data-run', 'done');
  await expect(page.getByText('The run waits for your answer')).toBeVisible();
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('region', { name: 'Trace' }).getByText('Succeeded').first()).toBeVisible({ timeout: 20_000 });
  await expect(runMark(page, 'final')).toHaveAttribute('data-run', 'done');
});

test('a message sent while the turn waits is taken up after it (a message lost behind a gate)', async ({ page }) => {
  await askForDraft(page);
  await message(page).fill('And a second one: write a haiku.');
  await message(page).press('Enter');
  await expect(log(page).getByText('Queued after the turn before it')).toBeVisible();
  await expect(message(page)).toHaveValue('');
  await gate(page).getByRole('button', { name: 'Approve' }).click();
  await expect(log(page).getByText('Queued after the turn before it')).toBeHidden({ timeout: 20_000 });
  // the second turn has come to its own gate
  await expect(gate(page)).toHaveCount(1, { timeout: 20_000 });
  const texts = await log(page)
    .locator('[data-role]')
    .evaluateAll((all) => all.map((element) => element.getAttribute('data-role')));
  expect(texts).toEqual(['user', 'assistant', 'user', 'assistant']);
});

test('a question that comes while the chat is first read is shown all the same (a card that needs a reload)', async ({ page }) => {
  const flowId = await openTemplate(page, 'Approval loop');
  let held = false;
  await page.route(/\/api\/trpc\/[^?]*sessions\.get\b/, async (route) => {
    if (held) return route.continue();
    held = true;
    const early = await route.fetch();
    // the answer is from before the gate and arrives after it
    await expect.poll(async () => (await onlyRun(page, flowId)).status).toBe('waiting');
    await expect(runMark(page, 'approval')).toHaveAttribute('data-run', 'waiting');
    await route.fulfill({ response: early });
  });
  await message(page).press('Enter');
  await expect(gate(page)).toBeVisible({ timeout: 20_000 });
});
