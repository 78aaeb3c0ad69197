import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunOptions } from '@/harness/trace/events';
import { storeLine, temporaryHost, until } from '../testing/temporary-host';

let outer: string;
let project: string;
let made: ReturnType<typeof temporaryHost>;
beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), 'bridle-run-workspace-'));
  project = join(outer, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'a.txt'), 'one\n');
  made = temporaryHost({ folder: join(outer, 'data'), variables: { BRIDLE_POST_TEST_COMMAND: 'node -p 42' } });
});
afterEach(async () => {
  await made.close();
  rmSync(outer, { recursive: true, force: true });
});

const edit = { id: 'edit', type: 'tool-call', config: { tool: 'edit_file', input: { path: 'a.txt', find: 'one', replace: 'two' } } };
const read = { id: 'read', type: 'tool-call', config: { tool: 'read_file', input: { path: 'a.txt' } } };
const check = { id: 'check', type: 'tool-call', config: { tool: 'run_check', input: { kind: 'unit' } } };

async function finished(
  steps: Parameters<typeof storeLine>[1],
  options?: Partial<RunOptions>,
  workspace: string = project,
): Promise<string> {
  const { runs } = made.host.services;
  const flowId = storeLine(made.host, steps);
  const { runId } = await runs.start({
    flowId,
    input: { message: 'x' },
    workspace,
    ...(options === undefined ? {} : { options }),
  });
  await until(
    () => runs.get(runId),
    (run) => run.status !== 'running',
  );
  return runId;
}
const text = (): string => readFileSync(join(project, 'a.txt'), 'utf8');

describe('a run that writes', () => {
  it('leaves the chosen folder as it is until a person takes the changes over, and can be undone', async () => {
    const { runs } = made.host.services;
    const id = await finished([edit, read]);
    expect(runs.get(id)).toMatchObject({ status: 'succeeded', output: { content: '1: two' }, workspace: project });
    expect(text()).toBe('one\n');
    const found = await runs.changes(id);
    expect(found).toMatchObject({ mode: 'copy', complete: true, diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n' });
    expect(await runs.takeOver(id, found.changes)).toEqual({ done: ['a.txt'], refused: [] });
    expect(text()).toBe('two\n');
    expect(await runs.undo(id, found.changes)).toEqual({ done: ['a.txt'], refused: [] });
    expect(await runs.changes(id)).toMatchObject({ changes: [], diff: '' });
    await runs.remove(id);
    await until(
      () => readdirSync(join(outer, 'data-work')),
      (names) => names.length === 0,
    );
    expect(text()).toBe('two\n');
  });

  it('writes into the folder itself when that was asked for', async () => {
    const id = await finished([edit], { workspaceMode: 'folder' });
    expect(text()).toBe('two\n');
    const { changes } = await made.host.services.runs.changes(id);
    expect(await made.host.services.runs.undo(id, changes)).toEqual({ done: ['a.txt'], refused: [] });
    expect(text()).toBe('one\n');
  });

  it('never writes into a sample: not as the folder itself, and not by taking over (a sample that no template fits any more)', async () => {
    const rename = { id: 'edit', type: 'tool-call', config: { tool: 'create_file', input: { path: 'new.txt', content: 'x' } } };
    await expect(finished([rename], { workspaceMode: 'folder' }, 'late-fees')).rejects.toMatchObject({ code: 'WORKSPACE_SAMPLE' });
    const id = await finished([rename], undefined, 'late-fees');
    const { runs } = made.host.services;
    const { changes } = await runs.changes(id);
    expect(changes).toHaveLength(1);
    await expect(runs.takeOver(id, changes)).rejects.toMatchObject({ code: 'WORKSPACE_SAMPLE' });
  });

  it('makes no copy when it only reads', async () => {
    const id = await finished([read]);
    expect(await made.host.services.runs.changes(id)).toEqual({ mode: null, changes: [], diff: '', complete: true });
    expect(existsSync(join(outer, 'data-work'))).toBe(false);
  });

  it("checks with the server's own command where the workspace defines none", async () => {
    const id = await finished([check]);
    expect(made.host.services.runs.get(id).output).toMatchObject({ found: true, exitCode: 0, output: '42\n' });
  });
});
