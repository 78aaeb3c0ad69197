import { expect, test } from 'vitest';
import { operationalError } from '@/harness/contract/errors';
import type { ToolOutcome } from '@/harness/contract/execute';
import { isJsonObject, type Json } from '@/harness/contract/json';
import { type FakeOptions, fakeContext } from '../../testing/fake-context';
import { planningValues } from '../support/state';
import { executeWorkspaceInit } from './execute';
import { workspaceInit } from './node';

const ok = (output: Json): ToolOutcome => ({ status: 'ok', output });
const missing: ToolOutcome = { status: 'failed', code: 'TOOL_PATH', message: 'no such file' };

async function init(files: Record<string, string>, options: FakeOptions & { detected?: Record<string, string> } = {}) {
  const written: Record<string, string> = { ...files };
  const fieldOf = (input: Json, field: string): string => String(isJsonObject(input) ? input[field] : '');
  const { detected, ...rest } = options;
  const fake = fakeContext(workspaceInit, {
    input: { message: 'Add links' },
    tools: [
      {
        name: 'read_file',
        run: (input) => {
          const text = files[fieldOf(input, 'path')];
          return text === undefined
            ? missing
            : ok({
                content: text
                  .split('\n')
                  .map((line, at) => `${at + 1}: ${line}`)
                  .join('\n'),
              });
        },
      },
      { name: 'directory_tree', run: () => ok({ tree: 'src/\n  a.ts' }) },
      {
        name: 'create_file',
        effect: 'write',
        run: (input) => {
          written[fieldOf(input, 'path')] = fieldOf(input, 'content');
          return ok({});
        },
      },
      ...(detected
        ? [
            {
              name: 'detect_commands',
              run: () =>
                ok(
                  Object.fromEntries(
                    ['format', 'lint_fix', 'lint', 'test'].map((step) => [step, { command: detected[step] ?? '', reason: `why ${step}` }]),
                  ),
                ),
            },
          ]
        : []),
    ],
    ...rest,
  });
  return { fake, written, result: await executeWorkspaceInit.execute(fake.context) };
}

test('what was found was not kept, or the reason for a command went unsaid', async () => {
  const { fake, written, result } = await init(
    { 'AGENTS.md': 'Use tabs.' },
    { detected: { test: 'npm test' }, replies: [{ text: 'A shop.' }] },
  );
  expect(result.writes).toMatchObject({
    planTask: { task: 'Add links', context: 'A shop.\n\n## AGENTS.md\n\nUse tabs.' },
    commandSet: { test: 'npm test', lint: '' },
  });
  expect(JSON.parse(written['.bridle/commands.json'] ?? '')).toEqual({ format: '', lint_fix: '', lint: '', test: 'npm test' });
  expect(written['.bridle/project_context.md']).toBe('A shop.\n');
  expect(fake.decisions).toContainEqual(expect.objectContaining({ rule: 'commands_detected', outcome: 'test: npm test' }));
  expect(JSON.stringify(fake.decisions)).toContain('why test');
});

test('a description that is there was written again, or the person’s commands were overwritten', async () => {
  const own = '{"test": "cargo test"}';
  const { written, result } = await init({ '.bridle/project_context.md': 'Known.', '.bridle/commands.json': own });
  expect(result.output).toMatchObject({ source: 'file', context: 'Known.', commands: { test: 'cargo test' } });
  expect(written['.bridle/commands.json']).toBe(own);
});

test('a large workspace was cut instead of described in rounds', async () => {
  const { fake, result } = await init(
    { 'README.md': 'r'.repeat(2500) },
    { config: { contextWindow: 1024, roundShare: 0.25 }, replies: [{ text: 'first' }, { text: 'second' }, { text: 'third' }] },
  );
  expect(fake.requests).toHaveLength(3);
  expect(fake.requests[1]?.messages[1]?.content).toContain('first');
  expect(result.output).toMatchObject({ context: 'third' });
});

test('without a workspace or a model the pipeline was blocked', async () => {
  const { result, fake } = await init({}, { tools: [], replies: [] });
  expect(result.output).toMatchObject({ source: 'none', context: '' });
  expect(result.writes).toMatchObject({ planWarnings: [expect.stringContaining('thin architecture awareness')] });
  expect(fake.requests).toEqual([]);
  const failing = await init({}, { replies: [operationalError('MODEL_UNAVAILABLE', 'busy')] });
  expect(failing.result.output).toMatchObject({ source: 'none' });
});

test('what an earlier run left behind was lost when the project was described', async () => {
  const { result } = await init(
    { '.bridle/project_context.md': 'Known.' },
    { state: planningValues({ planTask: { task: 'Go on', context: 'Journal: half' } }) },
  );
  expect(result.writes).toMatchObject({ planTask: { task: 'Go on', context: 'Known.\n\nJournal: half' } });
});

test('a work branch was named by something git does not take, or a refusal of git failed the run', async () => {
  const git = (exitCode: number) => ({ name: 'run_command', run: () => ok({ exitCode, output: 'PASSED\nmain' }) });
  const works = await init({}, { config: { workBranch: true, projectContext: false }, tools: [git(0)] });
  expect(works.result.output).toMatchObject({ branch: 'bridle/add-links-run' });
  expect(works.fake.calls[1]).toEqual({ tool: 'run_command', input: { command: 'git switch -c bridle/add-links-run' } });
  const refused = await init({}, { config: { workBranch: true, projectContext: false }, tools: [git(128)] });
  expect(refused.result.output).toMatchObject({ branch: null });
});
