import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChatReply, checkReply, contractEventSchema, roundOf } from './contract';
import { checkQuestions, closingList } from './questions';
import { isPromptRequest, isSocial } from './recognise';
import { checkSuggestedPrompt, fencedBlocks } from './suggested-prompt';

const reply = (more: Partial<ChatReply> = {}): ChatReply => ({
  round: 'none',
  message: 'How does login work?',
  text: 'It checks the token in src/auth.ts:12.',
  calls: ['read_file'],
  corrected: 0,
  ...more,
});
const questions = (count: number): string => Array.from({ length: count }, (_, at) => `${at + 1}. Is this ${at}?`).join('\n');
const prompt = [
  'Checked.',
  '',
  '```markdown',
  '## Suggested Agent Prompt',
  'Add a reset.',
  '### References',
  '- src/auth.ts:12',
  '- https://a.example/doc',
  '```',
].join('\n');

describe('explore first', () => {
  it('corrects a reply of substance that looked at nothing, once, then records the breach', () => {
    expect(checkReply(reply({ calls: [] }))).toMatchObject({ outcome: 'correct', nudge: expect.stringContaining('with a tool') });
    const result = checkReply(reply({ calls: [], corrected: 1 }));
    if (result.outcome !== 'violation') throw new Error(result.outcome);
    expect(result.events).toEqual([{ kind: 'contract_violation', contract: 'explore_first', problem: expect.any(String) }]);
    for (const event of result.events) contractEventSchema.parse(event);
    expect(checkReply(reply()).outcome).toBe('accept');
  });

  it('does not take a note that was saved for a look', () => expect(checkReply(reply({ calls: ['save_note'] })).outcome).toBe('correct'));

  it('exempts courtesy and nothing that hides behind it', () => {
    const hello = { message: 'Hi there!', calls: [] };
    expect(checkReply(reply({ ...hello, text: 'Hello. What would you like to work on today?' })).outcome).toBe('accept');
    expect(checkReply(reply({ ...hello, text: 'Hello. Your login is in `src/auth.ts`.' })).outcome).toBe('correct');
    expect(checkReply(reply({ message: 'thanks, and what does login do?', text: 'You are welcome.', calls: [] })).outcome).toBe('correct');
  });

  it.each(['Hi!', 'hello there', 'Thank you so much', 'Great, thanks!', 'good morning', '🙂', "How's it going, hey?"])(
    '%j is courtesy',
    (text) => expect(isSocial(text)).toBe(true),
  );
  it.each(['fix it', 'ok, delete the file', 'thanks, why does it fail', 'is it well', 'what is up with login'])('%j is none', (text) =>
    expect(isSocial(text)).toBe(false),
  );
});

describe('a prompt in two rounds', () => {
  it.each([
    'Write me a prompt for the coding agent',
    'Can you draft an agent prompt?',
    'I want a prompt to give to the agent for the reset flow',
    'Please turn this into a prompt.',
  ])('%j asks for one', (text) => expect(isPromptRequest(text)).toBe(true));
  it.each([
    'Where is the system prompt created?',
    'Make the login prompt red',
    'It should prompt users for a password',
    'How does login work?',
  ])('%j does not', (text) => expect(isPromptRequest(text)).toBe(false));

  it('goes from the request to questions, and from the answer to the prompt', () => {
    expect(roundOf('Write a prompt for the agent', false)).toBe('questions');
    expect(roundOf('1. yes 2. no', true)).toBe('prompt');
    expect(roundOf('How does login work?', false)).toBe('none');
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 9])('wants 3 to 5 numbered questions at the end, given %d', (count) => {
    expect(checkQuestions(`I looked.\n\n${questions(count)}`).ok).toBe(count >= 3 && count <= 5);
  });

  it('wants them at the end, numbered, and asking', () => {
    expect(checkQuestions(`${questions(3)}\n\nLet me know.`).ok).toBe(false);
    expect(checkQuestions('- a?\n- b?\n- c?').ok).toBe(false);
    expect(checkQuestions('1. I read a\n2. I read b\n3. I read c').ok).toBe(false);
    expect(checkQuestions(`1. step\n2. step\n\nNow:\n\n${questions(3)}`)).toMatchObject({ ok: true, questions: { length: 3 } });
    expect(checkQuestions('1) Which store?\n   - memory\n   - file\n\n2) Which length?\n\n3) **Who** may?').ok).toBe(true);
    expect(closingList('')).toEqual([]);
  });

  it('accepts round 1 with its questions, and corrects one without', () => {
    expect(checkReply(reply({ round: 'questions', text: questions(3) }))).toMatchObject({ outcome: 'accept', questions: { length: 3 } });
    expect(checkReply(reply({ round: 'questions', text: questions(2) }))).toMatchObject({ outcome: 'correct' });
    expect(checkReply(reply({ round: 'questions', text: questions(2), calls: [], corrected: 1 }))).toMatchObject({
      outcome: 'violation',
      events: [{ contract: 'explore_first' }, { contract: 'questions' }],
    });
  });

  it('takes prompt and references out of round 2', () => {
    expect(checkReply(reply({ round: 'prompt', text: prompt }))).toMatchObject({
      outcome: 'accept',
      prompt: {
        text: 'Add a reset.\n### References\n- src/auth.ts:12\n- https://a.example/doc',
        references: ['src/auth.ts:12', 'https://a.example/doc'],
      },
    });
  });

  it.each([
    ['no block', 'Here it is: Add a reset.'],
    ['two blocks', `${prompt}\n\n${prompt}`],
    ['no references', '```\n## Suggested Agent Prompt\nAdd.\n```'],
    ['empty references', '```\n## Suggested Agent Prompt\nAdd.\n### References\n\n### More\nx\n```'],
    ['a block that is not closed', '```\n## Suggested Agent Prompt\nAdd.\n### References\n- a:1'],
    ['a heading without a block', '## Suggested Agent Prompt\nAdd.\n### References\n- a:1'],
  ])('does not take %s', (_, text) => expect(checkSuggestedPrompt(text).ok).toBe(false));

  it.each([
    ['a title before the block', '## Suggested Agent Prompt\n\n~~~\nAdd.\n### References\n1. a:1\n~~~'],
    ['code within it, marked alike', '```markdown\n## Suggested Agent Prompt\nUse:\n```ts\nf();\n```\n### References\n- a:1\n```'],
    ['code within longer marks', '````\n## Suggested Agent Prompt\n```ts\nf();\n```\n### References\n- a:1\n````'],
    ['another block beside it', '```ts\nf();\n```\n\n```\n## Suggested Agent Prompt\nAdd.\n### References\n- a:1\n```'],
  ])('takes %s', (_, text) => expect(checkSuggestedPrompt(text)).toMatchObject({ ok: true, prompt: { references: ['a:1'] } }));
});

describe('any reply', () => {
  const text = fc
    .array(
      fc.constantFrom(
        '```',
        '````md',
        '~~~',
        '## Suggested Agent Prompt',
        '### References',
        '- a:1',
        '1. a?',
        '2. b?',
        '3. c',
        '',
        'words',
      ),
      { maxLength: 20 },
    )
    .map((lines) => lines.join('\n'));

  it('is judged without a throw: accepted, corrected at most once, else a breach, and the lines of its blocks are its own', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('none', 'questions', 'prompt'), fc.nat(2), (body, round, corrected) => {
        const result = checkReply(reply({ text: body, round, corrected }));
        expect(result.outcome === 'correct').toBe(result.outcome !== 'accept' && corrected === 0);
        if (result.outcome === 'violation') expect(result.events.length).toBeGreaterThan(0);
        const lines = body.split('\n');
        for (const block of fencedBlocks(body)) for (const line of block.lines) expect(lines).toContain(line);
      }),
    );
  });
});
