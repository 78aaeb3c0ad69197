import { expect, test } from 'vitest';
import type { ModelReply } from '@/harness/contract/model';
import { type FakeOptions, fakeContext } from '../../testing/fake-context';
import { executeGroundedChat } from './execute';
import { groundedChat } from './node';

const look: Partial<ModelReply> = { toolCalls: [{ id: 'l', name: 'grep_files', arguments: { pattern: 'link' } }] };
const tools = [{ name: 'grep_files', run: () => ({ status: 'ok' as const, output: { hits: [], truncated: false } }) }];
const questions = 'I looked.\n\n1. How long?\n2. For whom?\n3. Signed?';
const block = '```markdown\n## Suggested Agent Prompt\nAdd links.\n### References\n- src/a.ts:12\n```';

async function chat(message: string, options: FakeOptions) {
  const fake = fakeContext(groundedChat, { input: { message }, tools, ...options });
  return { fake, ...(await executeGroundedChat.execute(fake.context)) };
}

test('an answer of substance was given without looking', async () => {
  const { fake, output } = await chat('Where are links made?', {
    replies: [{ text: 'In a.ts, I guess.' }, look, { text: 'Nowhere yet.' }],
  });
  expect(output).toMatchObject({ text: 'Nowhere yet.', violations: [], turns: 3 });
  expect(fake.requests[1]?.messages.at(-1)?.content).toContain('grounding');
});

test('a second breach was hidden, or asked about for ever', async () => {
  const { fake, output } = await chat('Where are links made?', { replies: [{ text: 'In a.ts.' }, { text: 'In a.ts, really.' }] });
  expect(output).toMatchObject({ text: 'In a.ts, really.', violations: [{ kind: 'contract_violation', contract: 'explore_first' }] });
  expect(fake.decisions.map(({ rule }) => rule)).toContain('contract_violation');
});

test('a greeting had to be looked up', async () => {
  expect((await chat('Hello', { replies: [{ text: 'Hello, how can I help?' }] })).output).toMatchObject({ violations: [], turns: 1 });
});

test('asked for a prompt, it did not put its questions first', async () => {
  const { output } = await chat('Write a prompt for the coding agent to add links', {
    replies: [look, { text: 'Sure.' }, { text: questions }],
  });
  expect(output).toMatchObject({ round: 'questions', questions: ['How long?', 'For whom?', 'Signed?'], prompt: null });
});

test('after the answers no prompt was handed over', async () => {
  const transcript = [
    { role: 'user', content: 'Write a prompt for the coding agent to add links' },
    { role: 'assistant', content: questions },
  ];
  const { output } = await chat('One hour, everybody, yes', { state: { transcript }, replies: [look, { text: block }] });
  expect(output).toMatchObject({
    round: 'prompt',
    prompt: { text: expect.stringContaining('Add links.'), references: ['src/a.ts:12'] },
    violations: [],
  });
});

test('questions in an ordinary answer made the next message a prompt', async () => {
  const transcript = [
    { role: 'user', content: 'What is unclear here?' },
    { role: 'assistant', content: questions },
  ];
  const { output } = await chat('Thanks, and where are tests?', { state: { transcript }, replies: [look, { text: 'In test/.' }] });
  expect(output).toMatchObject({ round: 'none', text: 'In test/.' });
});

test('a note was kept as if a person had confirmed it, or came back after its rejection', async () => {
  const note: Partial<ModelReply> = { toolCalls: [{ id: 'n', name: 'save_note', arguments: { content: 'Links expire after one hour.' } }] };
  const { writes } = await chat('Note that links expire', { replies: [look, note, { text: 'Noted.' }] });
  expect(writes).toMatchObject({ workspaceMemories: [{ content: 'Links expire after one hour.', curation_status: 'auto' }] });
  const rejected = {
    id: 'r',
    content: 'Links expire after one hour.',
    category: 'discovery',
    curation_status: 'user_rejected',
    tags: [],
    source_phase: '',
    confidence: 0,
    seen_count: 1,
  };
  const again = await chat('Note that links expire', { state: { workspaceMemories: [rejected] }, replies: [look, note, { text: 'No.' }] });
  expect(again.writes).not.toHaveProperty('workspaceMemories');
});

test('corrections went beyond the turns of the message', async () => {
  const { fake } = await chat('Where?', { config: { maxTurns: 1, corrections: 5 }, replies: [{ text: 'In a.ts.' }] });
  expect(fake.requests).toHaveLength(1);
});
