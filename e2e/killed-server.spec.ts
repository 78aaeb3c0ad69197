import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { apiOf, eventsOf, type RunView } from './support/api';
import { runMark } from './support/editor';
import { flowOf, importFlow, input, output, slowFlow, transform } from './support/flows';

const port = Number(process.env.BRIDLE_E2E_PORT ?? 4571) + 1;
const base = `http://127.0.0.1:${port}`;

const alive = (): Promise<boolean> =>
  fetch(`${base}/api/health`).then(
    (answer) => answer.ok,
    () => false,
  );

/** A server of its own, so that killing it takes nothing from the other tests. */
async function serve(data: string): Promise<ChildProcess> {
  const starter = spawn(process.execPath, ['scripts/start.mjs'], {
    stdio: 'ignore',
    env: { ...process.env, PORT: String(port), HOST: '127.0.0.1', BRIDLE_DATA_DIR: data },
  });
  await expect.poll(alive, { timeout: 60_000 }).toBe(true);
  return starter;
}

/** Ids of the processes that this one started, by what the system says of their parents. */
async function childrenOf(parent: number): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent) found.push(Number(name));
  }
  return found;
}

/** The server has no time to say goodbye. */
async function kill(starter: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => starter.once('exit', () => resolve()));
  for (const id of await childrenOf(starter.pid ?? 0)) process.kill(id, 'SIGKILL');
  await ended;
  await expect.poll(alive).toBe(false);
}

const gated = flowOf(
  'Waits at a gate',
  [
    input,
    transform('draft', '"draft of " + question.message', 'Draft'),
    { id: 'gate', type: 'human-gate', label: 'Gate', config: { title: 'Go on?', shown: 'draft' } },
    output,
  ],
  [
    ['question', 'next', 'draft'],
    ['draft', 'next', 'gate'],
    ['gate', 'approved', 'reply'],
  ],
);

test.skip(process.platform !== 'linux', 'finds the server process in /proc');

test('after kill -9 the gate still waits, what was in flight goes on or says so, and nothing is left running (BR-49)', async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const data = await mkdtemp(join(tmpdir(), 'bridle-e2e-killed-'));
  let starter = await serve(data);
  try {
    const context = await browser.newContext({ baseURL: base });
    const page: Page = await context.newPage();
    const api = apiOf(page.request);
    const gate = await importFlow(api, gated);
    const slow = await importFlow(api, slowFlow('In flight', 8000));
    const start = (flowId: string) => api.call<{ runId: string }>('runs.start', { flowId, input: { message: 'tea' } });
    const waiting = (await start(gate)).runId;
    const flying = (await start(slow)).runId;
    const statusOf = async (id: string) => (await api.query<RunView>('runs.get', { id })).status;
    await expect.poll(() => statusOf(waiting)).toBe('waiting');
    await expect.poll(async () => (await eventsOf(api, flying)).some((event) => event.kind === 'sleep-start')).toBe(true);

    await kill(starter);
    starter = await serve(data);

    await page.goto(`/runs/${waiting}`);
    await expect(runMark(page, 'gate')).toHaveAttribute('data-run', 'waiting');
    await expect(page.getByText('The run waits for your answer')).toBeVisible();
    await page.getByRole('button', { name: 'Approve' }).click();
    await expect.poll(() => statusOf(waiting)).toBe('succeeded');
    const events = await eventsOf(api, waiting);
    expect(events.filter((event) => event.kind === 'visit-start' && event.nodeId === 'draft')).toHaveLength(1);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, at) => at + 1));

    await page.goto(`/runs/${flying}`);
    await expect.poll(() => statusOf(flying), { timeout: 30_000 }).toMatch(/^(succeeded|interrupted)$/);
    if ((await statusOf(flying)) === 'interrupted') await page.getByRole('button', { name: 'Resume' }).click();
    await expect.poll(() => statusOf(flying), { timeout: 30_000 }).toBe('succeeded');
    await expect(runMark(page, 'reply')).toHaveAttribute('data-run', 'done');
    const { runs } = await api.query<{ runs: RunView[] }>('runs.list', { limit: 50 });
    expect(runs.map((run) => run.status)).toEqual(['succeeded', 'succeeded']);
    await context.close();
  } finally {
    starter.kill('SIGTERM');
    await new Promise<void>((resolve) => (starter.exitCode === null ? starter.once('exit', () => resolve()) : resolve()));
    await rm(data, { recursive: true, force: true });
  }
});
