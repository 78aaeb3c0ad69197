import { expect, test } from 'vitest';
import { operationalError } from '@/harness/contract/errors';
import type { Json } from '@/harness/contract/json';
import type { ModelReply } from '@/harness/contract/model';
import { type FakeOptions, fakeContext } from '../../testing/fake-context';
import { planningValues } from '../support/state';
import { executeExplore } from './execute';
import { explore } from './node';

const calls = (...made: [name: string, input?: Json][]): Partial<ModelReply> => ({
  toolCalls: made.map(([name, input = {}], index) => ({ id: `c${index}`, name, arguments: input })),
});
const record = (file_path: string): [string, Json] => ['record_file_observation', { file_path, role: 'modify', reason: 'it changes' }];
const complete: [string, Json] = ['task_complete', { summary: 'Looked around.' }];
const summary = { object: { notes: 'small' } };
const scopeDocument = { problem: 'Links.', assumptions: [{ assumption: 'Links expire', verify_hint: 'grep expires' }] };
const state = planningValues({ planTask: { task: 'Add links', context: 'A shop.' }, scopeDocument });

async function run(options: FakeOptions) {
  const fake = fakeContext(explore, { state, ...options });
  return { fake, result: await executeExplore.execute(fake.context) };
}

test('L16: exploration ended with nothing on record', async () => {
  const { fake, result } = await run({ replies: [calls(complete), calls(record('a.ts')), calls(complete), summary] });
  expect(result.output).toMatchObject({ observations: 1, turns: 3, exit: 'task_complete' });
  expect(fake.requests[1]?.messages.at(-1)?.content).toContain('0 of 1 required files recorded');
  expect(fake.decisions.map(({ rule }) => rule)).toContain('complete_rejected');
});

test('L16: record and complete in one reply were refused, or an earlier completion was judged before the record', async () => {
  const { result } = await run({ replies: [calls(complete, record('a.ts')), summary] });
  expect(result.output).toMatchObject({ observations: 1, turns: 1, summary: { notes: 'small' } });
  expect(result.writes).toMatchObject({ observations: [{ id: 'a.ts', file_path: 'a.ts' }], fileSummary: { notes: 'small' } });
});

test('a later record of a file stood beside the earlier one, or records of an earlier visit were written again', async () => {
  const known = planningValues({ observations: [{ id: 'old.ts', file_path: 'old.ts', role: 'reference', reason: 'r' }] });
  const { result } = await run({
    state: { ...state, ...known },
    replies: [calls(record('a.ts'), record('./a.ts'), ['add_journal_entry', { entry: 'Found it' }]), calls(complete), summary],
  });
  expect(result.output).toMatchObject({ observations: 2 });
  expect(result.writes?.observations).toHaveLength(1);
  expect(result.writes).toMatchObject({ journal: [{ text: 'Found it' }], sessionWork: { journal: [{ text: 'Found it' }] } });
});

test('L19: after a refresh the model had lost its observations, its journal or the files it has seen', async () => {
  const read = { name: 'read_file', run: () => ({ status: 'ok' as const, output: 'export const a = 1' }) };
  const full = { ...calls(['read_file', { path: 'src/b.ts' }]), usage: { inputTokens: 90_880, outputTokens: 1, cost: null } };
  const { fake } = await run({
    tools: [read],
    replies: [calls(record('a.ts'), ['add_journal_entry', { entry: 'Half done' }]), full, calls(complete), summary],
  });
  const rebuilt = fake.requests[2]?.messages ?? [];
  expect(rebuilt.map(({ role }) => role)).toEqual(['system', 'user', 'user']);
  for (const kept of ['### `a.ts`', 'Half done', 'src/b.ts']) expect(rebuilt[2]?.content).toContain(kept);
  expect(fake.decisions.map(({ rule }) => rule)).toContain('control loop: context refresh');
});

test('a summary that failed lost the prose, failed the run, or went unsaid', async () => {
  const { fake, result } = await run({ replies: [calls(record('a.ts'), complete), operationalError('MODEL_UNAVAILABLE', 'busy')] });
  expect(result.output).toMatchObject({ summary: null, markdown: 'Looked around.' });
  expect(result.writes).toMatchObject({ fileSummary: null, planWarnings: [expect.stringContaining('busy')] });
  expect(fake.decisions.map(({ rule }) => rule)).toContain('exploration synthesis failed');
});

test('the assumptions of the scope, or the stock-taking of tests, did not reach the model', async () => {
  const { fake } = await run({ replies: [calls(record('a.ts'), complete), summary] });
  const user = fake.requests[0]?.messages[1]?.content ?? '';
  expect(user).toContain('Links expire');
  expect(user).toContain('test framework');
});

test('several explorers read what does not exist, shared a file, or one that failed cost the others', async () => {
  const there = ['src/a.ts', 'src/b.ts'];
  const read = {
    name: 'read_file',
    run: (input: Json) =>
      there.some((path) => JSON.stringify(input).includes(path))
        ? { status: 'ok' as const, output: 'text' }
        : { status: 'failed' as const, code: 'TOOL_PATH', message: 'no such file' },
  };
  const { fake, result } = await run({
    tools: [read],
    config: { parallel: 2 },
    replies: [
      calls(['task_complete', { summary: 'See src/a.ts, src/b.ts and/or src/gone.ts' }]),
      operationalError('MODEL_UNAVAILABLE', 'busy'),
      calls(['task_complete', { summary: 'b does links' }]),
    ],
  });
  expect(result.output).toMatchObject({ summary: null, turns: 2 });
  expect(result.output).toHaveProperty('markdown', expect.stringMatching(/deep dive 1 failed: busy[\s\S]*b does links/));
  expect(fake.requests[0]?.tools?.map(({ name }) => name)).not.toContain('read_file');
  expect(fake.decisions.find(({ rule }) => rule === 'exploration_split')).toMatchObject({ outcome: '2 deep dives of 15 turns' });
});
