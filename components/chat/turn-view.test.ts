import { describe, expect, it } from 'vitest';
import type { TraceDraft, TraceEvent } from '@/harness/trace/events';
import { turnOf } from './turn-view';

// as: the envelope is what the engine would have stamped; the rest is typed by TraceDraft
const log = (...drafts: TraceDraft[]): TraceEvent[] =>
  drafts.map((draft, index) => ({ runId: 'r', seq: index + 1, at: 0, ...draft }) as TraceEvent);
const visit = (id: string, label: string): TraceDraft => ({
  kind: 'visit-start',
  nodeId: id,
  visit: id,
  type: 't',
  label,
  number: 1,
  attempt: 1,
  via: null,
  token: 't',
});

describe('a turn as the chat shows it', () => {
  it('keeps two calls of one key in parallel visits apart', () => {
    const call = (at: string, input: string): TraceDraft => ({
      kind: 'tool-start',
      nodeId: at,
      visit: at,
      key: 'k',
      tool: 'grep',
      effect: 'read',
      input,
    });
    const end: TraceDraft = {
      kind: 'tool-end',
      visit: 'b',
      key: 'k',
      tool: 'grep',
      outcome: { status: 'denied', message: 'no' },
      durationMs: 3,
    };
    const { tools } = turnOf(log(call('a', '1'), call('b', '2'), end), new Map());
    expect(tools.map(({ input, status, message }) => [input, status, message])).toEqual([
      ['1', 'running', null],
      ['2', 'denied', 'no'],
    ]);
  });

  it('names the node that is at work, not one that has ended', () => {
    const events = log(visit('a', 'First'), visit('b', 'Second'), {
      kind: 'visit-end',
      visit: 'b',
      outcome: 'done',
      ports: [],
      edges: [],
      output: null,
      durationMs: 1,
    });
    expect(turnOf(events, new Map()).activeLabel).toBe('First');
  });

  it('shows the newest text being written', () => {
    const text = (start: number, words: string) => ({ start, nodeId: 'a', visit: 'a', text: words, done: false });
    const view = turnOf(
      log(visit('a', 'Draft')),
      new Map([
        [7, text(7, 'new')],
        [3, text(3, 'old')],
      ]),
    );
    expect(view.writing).toEqual({ label: 'Draft', text: 'new', done: false });
  });
});
