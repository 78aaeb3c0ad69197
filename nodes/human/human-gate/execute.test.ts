import { expect, test } from 'vitest';
import type { AskAnswer } from '@/harness/contract/ask';
import type { JsonObject } from '@/harness/contract/json';
import { fakeContext } from '../../testing/fake-context';
import { executeHumanGate } from './execute';
import { humanGate } from './node';

const gate = (config: JsonObject, ...answers: Partial<AskAnswer>[]) =>
  fakeContext(humanGate, { config, answers, outputs: { draft: { text: 'Hello' } }, input: { name: 'Ada' }, now: 5000 });

test('what is shown, the labels or the time limit did not reach the person', async () => {
  const fake = gate(
    {
      title: 'Send to {{input.name}}?',
      body: '**{{draft.text}}**',
      shown: 'draft.text',
      approveLabel: 'Send',
      rejectLabel: 'Stop',
      timeoutMs: 1000,
    },
    { choice: 'approved', by: 'ada' },
  );
  expect(await executeHumanGate.execute(fake.context)).toEqual({
    port: 'approved',
    output: { choice: 'approved', answer: '', values: {}, comment: '', by: 'ada', shown: 'Hello' },
  });
  expect(fake.asks).toEqual([
    {
      key: 'ask-1',
      ask: {
        kind: 'approval',
        title: 'Send to Ada?',
        body: '**Hello**',
        shown: 'Hello',
        choices: [
          { id: 'approved', label: 'Send', tone: 'accept' },
          { id: 'rejected', label: 'Stop', tone: 'reject' },
        ],
        expiresAt: 6000,
      },
    },
  ]);
});

test('a rejection lost its reason', async () => {
  const fake = gate({}, { choice: 'rejected', comment: 'too long' });
  expect(await executeHumanGate.execute(fake.context)).toMatchObject({
    port: 'rejected',
    output: { answer: 'too long', comment: 'too long' },
  });
  expect(fake.decisions).toMatchObject([{ outcome: 'rejected', note: 'too long', alternatives: [{ outcome: 'approved' }] }]);
});

test('a question could not be answered by a plain comment, or an empty answer went through', async () => {
  const comment = gate({ mode: 'question' }, { choice: 'answered', comment: 'Tuesday' });
  expect(await executeHumanGate.execute(comment.context)).toMatchObject({ port: 'answered', output: { answer: 'Tuesday' } });
  const empty = gate({ mode: 'question' }, { choice: 'answered' }, { choice: 'answered', values: { answer: 'Friday' } });
  expect(await executeHumanGate.execute(empty.context)).toMatchObject({ port: 'answered', output: { answer: 'Friday' } });
  expect(empty.asks.map((entry) => entry.key)).toEqual(['ask-1', 'ask-2']);
  expect(empty.asks[1]?.ask.body).toContain('answer');
});

test('a form that does not fit was accepted, or held up a rejection', async () => {
  const form = { type: 'object', properties: { amount: { type: 'number', maximum: 10 } }, required: ['amount'] };
  const fake = gate({ form }, { choice: 'approved', values: { amount: 11 } }, { choice: 'approved', values: { amount: 9 } });
  expect(await executeHumanGate.execute(fake.context)).toMatchObject({ output: { values: { amount: 9 } } });
  expect(fake.decisions.map((decision) => decision.outcome)).toEqual(['ask again', 'approved']);
  expect(await executeHumanGate.execute(gate({ form }, { choice: 'rejected' }).context)).toMatchObject({ port: 'rejected' });
});

test('an answer that came too late left by the port of an approval', async () => {
  const fake = gate({ timeoutMs: 10 }, { choice: 'timeout', by: 'engine' });
  expect(await executeHumanGate.execute(fake.context)).toMatchObject({ port: 'timeout', output: { choice: 'timeout' } });
  expect(fake.decisions).toMatchObject([{ rule: 'nobody answered in time' }]);
});
