import { expect, test } from 'vitest';
import { operationalError } from '@/harness/contract/errors';
import { fakeContext } from '../../testing/fake-context';
import { planningValues } from '../support/state';
import { executeDesign } from './execute';
import { design } from './node';

const snippet = 'export function link(id: string): string';
const state = planningValues({
  planTask: { task: 'Add links', context: 'A shop.' },
  fileSummary: { files_to_modify: [{ file_path: 'a.ts', role: 'modify', reason: 'r', key_snippets: [snippet] }] },
});
const citation = { dependency: 'nanoid', docs_url: 'https://example.com/nanoid' };
const tag = { entity: 'link', file_path: 'a.ts', reason: 'public', source_signal: 'public_api', confidence: 'high' };
const object = {
  citations: [citation, citation],
  core_functionality: [tag],
  missing_files: [{ file_path: 'b.ts', purpose: 'expiry', blocking: true }],
};

test('a design lost its missing files, kept a citation twice, or its tags went unsaid', async () => {
  const fake = fakeContext(design, { state, replies: [{ text: 'Use nanoid.' }, { object }] });
  const { output, writes } = await executeDesign.execute(fake.context);
  expect(output).toMatchObject({ fallback: false, turns: 1, missing_files: [{ file_path: 'b.ts', blocking: true }] });
  expect(writes).toMatchObject({ designAndRisks: { citations: [citation], core_functionality: [tag] } });
  expect(fake.requests.map(({ role }) => role)).toEqual(['expert', 'expert']);
  expect(fake.decisions).toContainEqual(expect.objectContaining({ rule: 'core_tag', outcome: 'link: high' }));
});

test('the model saw no snippets, or was given tools for the codebase', async () => {
  const tools = ['read_file', 'fetch_url'].map((name) => ({ name, run: () => ({ status: 'ok' as const, output: '' }) }));
  const fake = fakeContext(design, { state, tools, replies: [{ text: 'Fine.' }, { object }] });
  await executeDesign.execute(fake.context);
  expect(fake.requests[0]?.messages[1]?.content).toContain(snippet);
  expect(fake.requests[0]?.tools?.map(({ name }) => name)).toEqual(['fetch_url', 'task_complete']);
  expect(fake.requests[1]?.messages.at(-1)?.content).toContain('Fine.');
});

test('a second pass that failed threw the prose away', async () => {
  const fake = fakeContext(design, { state, replies: [{ text: 'Use nanoid.' }, operationalError('MODEL_UNAVAILABLE', 'busy')] });
  const { output, writes } = await executeDesign.execute(fake.context);
  expect(output).toMatchObject({ fallback: true });
  expect(writes).toMatchObject({
    designAndRisks: { notes: 'Use nanoid.', core_functionality: [] },
    planWarnings: [expect.stringContaining('busy')],
  });
  expect(fake.decisions.map(({ rule }) => rule)).toContain('design_fallback');
});

test('a model designated a tag in the name of a person, or tags came though they are off', async () => {
  const byPerson = { ...object, core_functionality: [{ ...tag, source_signal: 'user_designated' }] };
  const fake = fakeContext(design, { state, replies: [{ text: 'x' }, { object: byPerson }, { object }] });
  await executeDesign.execute(fake.context);
  expect(fake.requests[2]?.messages.at(-1)?.content).toContain('cannot be used');
  const off = fakeContext(design, { state, config: { coreFunctionality: false }, replies: [{ text: 'x' }, { object }] });
  expect((await executeDesign.execute(off.context)).writes).toMatchObject({ designAndRisks: { core_functionality: [] } });
});
