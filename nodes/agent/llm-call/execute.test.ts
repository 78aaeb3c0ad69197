import { expect, test } from 'vitest';
import { operationalError } from '@/harness/contract/errors';
import { codeOf, fakeContext } from '../../testing/fake-context';
import { executeLlmCall } from './execute';
import { llmCall } from './node';

const schema = { type: 'object', properties: { score: { type: 'number' } }, required: ['score'], additionalProperties: false };

test('role, limits or the order of messages got lost on the way to the model', async () => {
  const fake = fakeContext(llmCall, {
    config: {
      role: 'expert',
      system: 'Be {{input.tone}}.',
      prompt: 'Q: {{input.q}}',
      temperature: 0,
      maxOutputTokens: 9,
      transcript: true,
      transcriptMessages: 2,
    },
    input: { tone: 'brief', q: 'why' },
    state: {
      transcript: [
        { role: 'user', content: 'oldest' },
        { role: 'user', content: 'one' },
        { role: 'assistant', content: 'two' },
      ],
    },
    replies: [{ text: 'because' }],
  });
  expect(await executeLlmCall.execute(fake.context)).toEqual({ output: { text: 'because', finish: 'stop', model: 'scripted-model' } });
  expect(fake.requests).toEqual([
    {
      role: 'expert',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'one' },
        { role: 'assistant', content: 'two' },
        { role: 'user', content: 'Q: why' },
      ],
      temperature: 0,
      maxOutputTokens: 9,
    },
  ]);
});

test('limits that are not set were sent as null', async () => {
  const fake = fakeContext(llmCall, { config: { prompt: 'x' }, replies: [{ text: 'y' }] });
  await executeLlmCall.execute(fake.context);
  expect(Object.keys(fake.requests[0] ?? {})).toEqual(['role', 'messages']);
});

test('an object that does not fit went on, or the model was not told what is wrong', async () => {
  const fake = fakeContext(llmCall, {
    config: { prompt: 'rate', schema },
    replies: [{ text: '{"score":"high"}', object: { score: 'high' } }, { object: { score: 4 } }],
  });
  expect(await executeLlmCall.execute(fake.context)).toMatchObject({ output: { object: { score: 4 }, text: '{"score":4}' } });
  expect(fake.requests).toHaveLength(2);
  expect(fake.requests[1]?.messages.at(-1)?.content).toContain('/score');
  expect(fake.decisions.map((decision) => decision.outcome)).toEqual(['ask again', 'fits']);
});

test('a fenced reply of a gateway that parses nothing was refused', async () => {
  const fake = fakeContext(llmCall, { config: { prompt: 'rate', schema }, replies: [{ text: 'Sure:\n```json\n{"score": 2}\n```' }] });
  expect(await executeLlmCall.execute(fake.context)).toMatchObject({ output: { object: { score: 2 } } });
});

test('a model that never fits was asked for ever', async () => {
  const fake = fakeContext(llmCall, {
    config: { prompt: 'rate', schema, corrections: 1 },
    replies: [{ text: 'a' }, { text: 'b' }, { text: 'c' }, { text: 'd' }],
  });
  expect(await codeOf(() => executeLlmCall.execute(fake.context))).toBe('MODEL_BAD_REPLY');
  expect(fake.requests).toHaveLength(3);
});

test('a gateway that has corrected once already was made to correct again', async () => {
  const bad = operationalError('MODEL_BAD_REPLY', 'no JSON', { reply: 'nope' });
  const once = fakeContext(llmCall, { config: { prompt: 'rate', schema }, replies: [bad, { object: { score: 1 } }] });
  expect(await codeOf(() => executeLlmCall.execute(once.context))).toBe('MODEL_BAD_REPLY');
  const more = fakeContext(llmCall, { config: { prompt: 'rate', schema, corrections: 1 }, replies: [bad, { object: { score: 1 } }] });
  expect(await executeLlmCall.execute(more.context)).toMatchObject({ output: { object: { score: 1 } } });
});

test('an error of the provider was taken for a bad reply and asked again', async () => {
  const fake = fakeContext(llmCall, {
    config: { prompt: 'rate', schema },
    replies: [operationalError('MODEL_RATE_LIMIT', 'slow down'), { object: { score: 1 } }],
  });
  expect(await codeOf(() => executeLlmCall.execute(fake.context))).toBe('MODEL_RATE_LIMIT');
});
