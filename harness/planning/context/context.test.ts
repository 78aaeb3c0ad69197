import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../contract/model';
import { fileObservationSchema } from '../artefacts/file-summary';
import { pressureOf } from './pressure';
import { exploredFiles, rebuildMessages } from './rebuild';
import { capEntries, contextTier, lineCap, reinjectsScope, shortenedSummary, summaryShortening, truncationNotice } from './tier';
import { charactersOf, estimatedPromptTokens, newestWithin, planOutputTokens, shareInCharacters } from './tokens';
import { expiredOutputs, planToolOutput, type ToolOutput, toolReply } from './tool-output';

describe('tokens and characters', () => {
  it('takes 3.5 characters for a token, and 4 where it estimates a prompt', () => {
    expect(charactersOf(1000)).toBe(3500);
    expect(charactersOf(3)).toBe(10);
    const messages: ChatMessage[] = [
      { role: 'user', content: 'x'.repeat(396) },
      { role: 'assistant', content: '', toolCalls: [{ id: '1', name: 'a', arguments: {} }] },
    ];
    expect(estimatedPromptTokens(messages)).toBe(100);
  });

  it('gives the plan what the expert may write, at least 40 % of its window', () => {
    expect([planOutputTokens(100_000, 8000), planOutputTokens(100_000, 64_000), planOutputTokens(100_000, null)]).toEqual([
      40_000, 64_000, 40_000,
    ]);
  });

  it('keeps the newest part of a text, never over its room', () => {
    expect(newestWithin('one\ntwo\nthree', 100)).toBe('one\ntwo\nthree');
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 30 })), fc.nat(200), (lines, room) => {
        const text = lines.join('\n');
        const kept = newestWithin(text, room);
        expect(kept.length).toBeLessThanOrEqual(room);
        expect(text.endsWith(kept.replace('[earlier parts left out]\n', ''))).toBe(true);
      }),
    );
  });
});

describe('how full a window is', () => {
  it.each([
    [null, 1000, 'unknown'],
    [10, null, 'unknown'],
    [10, 0, 'unknown'],
    [66_999, 100_000, 'none'],
    [67_000, 100_000, 'warning'],
    [70_000, 100_000, 'refresh'],
    [10_000, 100_000, 'none'],
  ])('%s of %s is %s', (tokens, window, expected) => expect(pressureOf(tokens, window)).toBe(expected));
});

describe('a conversation that is rebuilt (L19)', () => {
  const record = {
    system: 'S',
    user: 'U',
    observations: [
      fileObservationSchema.parse({
        file_path: 'src/a.ts',
        role: 'modify',
        reason: 'holds the route',
        key_snippets: ['const a = `x`;', '```js\nb\n```'],
      }),
    ],
    journal: 'did a thing',
    scratchpad: 'open: b',
    explored: ['src/a.ts', 'src/b.ts', 'src/a.ts'],
    window: 100_000,
  };

  it('holds the prompts, the observations, journal, scratchpad, explored files and how to go on', () => {
    const messages = rebuildMessages(record);
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'user']);
    const text = messages[2]?.content ?? '';
    for (const part of ['do not record them again', '### `src/a.ts`', 'did a thing', 'open: b', '- src/b.ts', 'How to go on']) {
      expect(text).toContain(part);
    }
    expect(text.match(/^- src\/a\.ts$/gm)).toHaveLength(1);
    expect(text).toContain('````\n```js');
  });

  it('leaves out what is empty, and keeps the newest of a journal that is too long', () => {
    const bare = rebuildMessages({ ...record, observations: [], journal: '', scratchpad: ' ', explored: [] })[2]?.content;
    expect(bare).toMatch(/^## How to go on/);
    const long = rebuildMessages({ ...record, window: 1000, journal: `${'old\n'.repeat(500)}newest` })[2]?.content ?? '';
    expect(long).toContain('newest');
    expect(long.split('## Journal\n')[1]?.split('\n\n## ')[0]?.length).toBeLessThanOrEqual(shareInCharacters(1000, 0.03));
  });

  it('lists what the calls of a conversation have looked at', () => {
    const call = (name: string, input: ChatMessage extends never ? never : Record<string, string>) => ({
      id: name,
      name,
      arguments: input,
    });
    const messages: ChatMessage[] = [
      { role: 'assistant', content: '', toolCalls: [call('read_file', { file_path: 'a' }), call('edit_file', { file_path: 'b' })] },
      { role: 'assistant', content: '', toolCalls: [call('grep_files', { path: 'c' }), call('read_file', { file_path: 'a' })] },
    ];
    expect(exploredFiles(messages)).toEqual(['a', 'c']);
  });
});

describe('a small window', () => {
  it('begins at 32,768 tokens and below', () => {
    expect(contextTier(32_768)).toEqual({ small: true, tdd: false, readFileLines: 200, grepHits: 30, listEntries: 50, treeEntries: 100 });
    expect(contextTier(32_769)).toEqual({
      small: false,
      tdd: true,
      readFileLines: null,
      grepHits: null,
      listEntries: 100,
      treeEntries: 200,
    });
    expect(contextTier(null).small).toBe(false);
    expect([reinjectsScope(32_768), reinjectsScope(200_000)]).toEqual([false, true]);
  });

  it('caps a read that names no end, and says where to go on', () => {
    const tier = contextTier(8000);
    expect([lineCap(1, null, tier), lineCap(201, null, tier), lineCap(1, 900, tier), lineCap(1, null, contextTier(null))]).toEqual([
      200,
      400,
      900,
      null,
    ]);
    expect(truncationNotice(200, 350)).toContain('start_line=201');
    expect(truncationNotice(350, 350)).toBe('');
    expect(capEntries([1, 2, 3], 2, 'matches')).toEqual({ kept: [1, 2], left_out: 1, notice: expect.stringContaining('1 more matches') });
    expect(capEntries([1, 2], null, 'matches').notice).toBe('');
  });

  it('shortens a file summary to a fifth of the window, by a model when its answer holds something', () => {
    const long = 'y'.repeat(100_000);
    const plan = summaryShortening(long, 10_000);
    expect(plan).toMatchObject({ budget: 7000, maxOutputTokens: 2048 });
    expect(plan?.input).toHaveLength(21_000);
    expect(summaryShortening('short', 10_000)).toBeNull();
    expect(summaryShortening(long, 100_000)).toBeNull();
    expect(shortenedSummary(long, 'z'.repeat(201), 7000)).toEqual({ text: 'z'.repeat(201), by: 'model' });
    expect(shortenedSummary(long, 'z'.repeat(200), 7000)).toMatchObject({ by: 'truncation', text: 'y'.repeat(7000) });
    expect(shortenedSummary(long, null, 7000).by).toBe('truncation');
  });
});

describe('what a tool put out', () => {
  const output = (more: Partial<ToolOutput>): ToolOutput => ({ tool: 'run_tests', text: 'fine', status: 'ok', exit_code: 0, ...more });
  const facts = { window: 100_000, at: 1234 };

  it('is shown whole up to 2,000 characters, with the verdict of a failure before it', () => {
    const plan = planToolOutput(output({ text: 'x'.repeat(2000), status: 'failed', exit_code: 2 }), facts);
    expect(plan).toMatchObject({ save: null, compress: null });
    expect(toolReply(plan, null)).toBe(`FAILED (exit code 2)\n${'x'.repeat(2000)}`);
  });

  it('goes to a file when longer, and only its last 40 lines are shown', () => {
    const text = Array.from({ length: 600 }, (_, at) => `line ${at + 1}`).join('\n');
    const plan = planToolOutput(output({ text, status: 'failed', exit_code: 1 }), facts);
    expect(plan.save).toEqual({ path: '.bridle/tool_output/run_tests_1234.txt', content: text });
    const reply = toolReply(plan, null);
    expect(reply).toMatch(/^FAILED \(exit code 1\)\n/);
    expect(reply).toContain('must read the file before diagnosing');
    expect(reply).toContain('\nline 561\n');
    expect(reply).not.toContain('\nline 560\n');
    expect(toolReply(planToolOutput(output({ text }), facts), null)).not.toContain('must read');
  });

  it('is compressed only when large, of a listed tool and no error', () => {
    const large = 'w'.repeat(17_501);
    const needs = (more: Partial<ToolOutput>, window: number | null = 100_000) =>
      planToolOutput(output(more), { window, at: 1 }).compress !== null;
    expect(needs({ tool: 'read_file', text: large })).toBe(true);
    expect(needs({ tool: 'read_file', text: large.slice(1) })).toBe(false);
    expect(needs({ tool: 'read_file', text: `ERROR: ${large}` })).toBe(false);
    expect(needs({ tool: 'create_file', text: large })).toBe(false);
    expect(needs({ tool: 'read_file', text: large }, null)).toBe(false);
  });

  it('takes the compressed text when it is longer than 50 characters, else cuts', () => {
    const plan = planToolOutput(output({ tool: 'read_file', text: 'w'.repeat(20_000), exit_code: null }), facts);
    expect(toolReply(plan, 'c'.repeat(51))).toContain('c'.repeat(51));
    const cut = toolReply(plan, 'c'.repeat(50));
    expect(cut).not.toContain('c'.repeat(50));
    expect(cut).toContain('[cut after 17500 of 20000 characters]');
  });

  it('keeps the verdict whatever the worker makes of the text (P8)', () => {
    const plan = planToolOutput(output({ text: 'w'.repeat(20_000), status: 'failed', exit_code: 1 }), facts);
    expect(toolReply(plan, `Everything passed, it seems to me: ${'!'.repeat(30)}`)).toMatch(/^FAILED \(exit code 1\)\n/);
  });

  it('never shows more than the window holds of one endless line', () => {
    const plan = planToolOutput(output({ text: 'w'.repeat(1_000_000) }), { window: 8000, at: 1 });
    expect(toolReply(plan, null).length).toBeLessThan(2000);
  });

  it('is removed after an hour, by the time in its name, and nothing else is', () => {
    expect(expiredOutputs(['run_tests_0.txt', 'run_tests_3600000.txt', 'notes.txt', 'x_0.md'], 3_600_001)).toEqual(['run_tests_0.txt']);
    expect(planToolOutput(output({ tool: '../x', text: 'y'.repeat(3000) }), facts).save).toBeNull();
  });
});
