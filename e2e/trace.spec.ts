import { expect, type Page, test } from '@playwright/test';
import { apiOf, eventsOf, type RunView } from './support/api';
import { downloaded, runMark } from './support/editor';
import { flowOf, importFlow, input, output, transform } from './support/flows';

const trace = (page: Page) => page.getByRole('region', { name: 'Trace' });
const tab = (page: Page, name: string | RegExp) => trace(page).getByRole('tab', { name });

async function run(page: Page, flowId: string, message: string, sessionId?: string): Promise<string> {
  const api = apiOf(page.request);
  const { runId } = await api.call<{ runId: string }>('runs.start', { flowId, input: { message }, ...(sessionId ? { sessionId } : {}) });
  await expect
    .poll(async () => (await api.query<RunView>('runs.get', { id: runId })).status, { timeout: 60_000 })
    .not.toMatch(/running|waiting/);
  return runId;
}

const decides = flowOf(
  'Decides',
  [
    input,
    {
      id: 'size',
      type: 'branch',
      label: 'How long?',
      config: { cases: [{ id: 'long', title: 'Long', when: 'size(question.message) > 5' }] },
    },
    transform('shout', 'question.message + "!"', 'Shout'),
    { id: 'ask', type: 'llm-call', label: 'Ask' },
    output,
  ],
  [
    ['question', 'next', 'size'],
    ['size', 'long', 'shout'],
    ['size', 'else', 'ask'],
    ['shout', 'next', 'reply'],
    ['ask', 'next', 'reply'],
  ],
);

test('a run is read as lanes, decisions, state and spans, at any of its moments', async ({ page }) => {
  const id = await importFlow(apiOf(page.request), decides);
  const runId = await run(page, id, 'hi');
  await page.goto(`/runs/${runId}`);
  await expect(runMark(page, 'ask')).toHaveAttribute('data-run', 'done');

  await test.step('lanes are drawn', async () => {
    await expect(tab(page, 'Lanes')).toHaveAttribute('aria-selected', 'true');
    await expect(trace(page).locator('canvas').first()).toBeVisible();
  });
  await test.step('decisions tell their numbers and can be filtered', async () => {
    await tab(page, /^Decisions/).click();
    const list = trace(page).getByRole('list', { name: 'Decisions' });
    await expect(list).toContainText('How long?');
    await expect(list).toContainText('else');
    await trace(page)
      .getByRole('textbox', { name: 'Filter decisions' })
      .or(trace(page).getByRole('searchbox', { name: 'Filter decisions' }))
      .fill('nothing like it');
    await expect(trace(page).getByText('No decision passes these filters')).toBeVisible();
  });
  await test.step('spans show the model call with prompt and reply', async () => {
    await tab(page, 'Spans').click();
    const tree = trace(page).getByRole('tree', { name: 'Spans' });
    await tree
      .getByRole('treeitem')
      .filter({ hasText: /rehearsal/i })
      .first()
      .click();
    await expect(trace(page)).toContainText('hi');
    await expect(trace(page)).toContainText(/tokens/i);
  });
  await test.step('an earlier moment shows the drawing as it stood then', async () => {
    await trace(page).getByRole('button', { name: 'First event' }).click();
    await expect(runMark(page, 'ask')).not.toHaveAttribute('data-run', 'done');
    await trace(page).getByRole('button', { name: 'Now' }).click();
    await expect(runMark(page, 'ask')).toHaveAttribute('data-run', 'done');
  });
  await test.step('state says what there is', async () => {
    await tab(page, 'State').click();
    await expect(trace(page)).toContainText(/No channel was written|transcript/);
  });
});

test('two runs are compared: the decision that differed is named', async ({ page }) => {
  const id = await importFlow(apiOf(page.request), decides);
  const [a, b] = [await run(page, id, 'hi'), await run(page, id, 'a longer one')];
  await page.goto(`/runs/compare?a=${a}&b=${b}`);
  await expect(page.getByText('decided otherwise').first()).toBeVisible();
  await expect(page.getByText('only on the right').first()).toBeVisible();
});

test('a run goes out as JSON and as OpenTelemetry', async ({ page }) => {
  const id = await importFlow(apiOf(page.request), decides);
  const runId = await run(page, id, 'hi');
  await page.goto(`/runs/${runId}`);
  await expect(trace(page)).toBeVisible();
  const take = (item: string) =>
    downloaded(page, async () => {
      await trace(page).getByRole('button', { name: 'More for this run' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    });
  const json = JSON.parse((await take('Export as JSON')).text);
  expect(json.events).toHaveLength((await eventsOf(apiOf(page.request), runId)).length);
  const otel = JSON.parse((await take('Export as OpenTelemetry')).text);
  expect(JSON.stringify(otel)).toContain('gen_ai.');
});

test('a run of ten thousand events opens and scrolls to its end (BR-68)', async ({ page }) => {
  test.setTimeout(120_000);
  const endless = flowOf(
    'Ten thousand',
    [
      input,
      transform('count', 'count == null ? 1 : count + 1', 'Count'),
      { id: 'again', type: 'branch', label: 'Again?', config: { cases: [{ id: 'more', title: 'More', when: 'count < 2200' }] } },
      output,
    ],
    [
      ['question', 'next', 'count'],
      ['count', 'next', 'again'],
      ['again', 'more', 'count', 5000],
      ['again', 'else', 'reply'],
    ],
    { caps: { steps: 20_000 } },
  );
  const id = await importFlow(apiOf(page.request), endless);
  const runId = await run(page, id, 'go');
  expect((await eventsOf(apiOf(page.request), runId)).length).toBeGreaterThan(10_000);
  await page.goto(`/runs/${runId}`);
  await expect(runMark(page, 'reply')).toHaveAttribute('data-run', 'done');
  await tab(page, /^Decisions/).click();
  const list = trace(page).getByRole('list', { name: 'Decisions' });
  await expect(list.getByRole('listitem').first()).toBeVisible();
  expect(await list.getByRole('listitem').count()).toBeLessThan(200);
  await list.evaluate((element) => element.parentElement?.scrollTo(0, element.scrollHeight));
  await expect(list).toContainText('visit 2200');
});
