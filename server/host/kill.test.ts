import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { storeLine, temporaryFolder, temporaryHost, until } from '../testing/temporary-host';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Starts the doomed process and resolves with its run ids once all of them stand. */
async function doomed(folder: string) {
  const child = spawn(process.execPath, ['--conditions=react-server', '--import', 'tsx', 'server/testing/doomed-host.ts', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const ids: string[] = JSON.parse(line);
    return { child, ids };
  }
  throw new Error('the process ended before its runs stood');
}

describe('a server killed with 22 runs going on', () => {
  it('leaves none running for ever: sleepers go on, gates still wait and take their answer (BR-49)', { timeout: 60_000 }, async () => {
    const folder = temporaryFolder();
    folders.push(folder);
    const { child, ids } = await doomed(folder);
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;

    const { host, close } = temporaryHost({ folder });
    const { runs } = host.services;
    await host.begin();
    const [sleepers, askers] = [ids.slice(0, 12), ids.slice(12)];
    expect(askers.map((id) => runs.get(id).status)).toEqual(askers.map(() => 'waiting'));
    for (const id of askers) {
      const [ask] = runs.get(id).asks;
      expect(await runs.answer(id, ask?.askId ?? '', ask?.hash ?? '', { choice: 'approved', by: 'person' })).toEqual({ accepted: true });
    }
    await until(
      () => ids.map((id) => runs.get(id).status),
      (statuses) => statuses.every((status) => status === 'succeeded'),
    );
    for (const id of [...sleepers, ...askers]) {
      const { events } = runs.events(id, 0, 1000);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      expect(events.filter(({ kind }) => kind === 'run-resume')).toHaveLength(1);
      // what had finished before the kill is not done again
      expect(events.filter((event) => event.kind === 'visit-start' && event.nodeId === 'count')).toHaveLength(1);
    }
    expect(runs.list({ limit: 100 }).runs.filter(({ status }) => status === 'running')).toEqual([]);
    await close();
  });

  it('keeps its data folder from a second server as long as it lives (two servers taking up the same runs)', {
    timeout: 60_000,
  }, async () => {
    const folder = temporaryFolder();
    folders.push(folder);
    const { child } = await doomed(folder);
    expect(() => temporaryHost({ folder })).toThrow('Another Bridle server uses the data folder');
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    const second = temporaryHost({ folder });
    expect(second.host.services.flows.list()).toHaveLength(2);
    await second.close();
  });

  it('marks a run whose plan is gone as interrupted, with the reason (a run that is running for ever)', async () => {
    const first = temporaryHost();
    folders.push(first.folder);
    const flowId = storeLine(first.host, [{ id: 'gate', type: 'human-gate' }]);
    const { runId } = await first.host.services.runs.start({ flowId, input: { message: 'x' } });
    await until(
      () => first.host.services.runs.get(runId).status,
      (status) => status === 'waiting',
    );
    await first.host.close();
    const raw = new Database(`${first.folder}/bridle.db`);
    raw.exec("UPDATE runs SET plan_hash = 'gone'");
    raw.close();
    const second = temporaryHost({ folder: first.folder });
    await second.host.begin();
    const [run] = second.host.services.runs.list({ limit: 1 }).runs;
    expect(run).toMatchObject({ status: 'interrupted', error: { code: 'PLAN_MISSING' } });
    await second.close();
  });
});
