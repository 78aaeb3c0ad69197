import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callSignature, orderCalls } from './calls';
import { deepDiveTurns, loopConfigSchema, loopPresets } from './config';
import { called, play, told, turnOf } from './control-loop.fixtures';
import { evaluateTurn } from './evaluate';
import { loopEventSchema } from './events';
import { loopStateSchema, newLoopState } from './state';
import { droppedResults, interruptPrefix, steer } from './steering';
import type { Turn } from './turn';

const grep = called('grep_files', { arguments: { pattern: 'a', path: 'src' } });
const failing = called('run_tests', { status: 'failed', exit_code: 1 });
const passing = called('run_tests', { exit_code: 0 });

describe('the same call again and again (L17)', () => {
  it('nudges on the third call, not on 4 and 5, again on 6', () => {
    const results = play(Array.from({ length: 6 }, () => ({ calls: [grep] })));
    expect(told(results)).toEqual(['continue', 'continue', 'continue +loop', 'continue', 'continue', 'continue +loop']);
    expect(results[2]?.events).toEqual([{ kind: 'loop_detected', tool_name: 'grep_files', count: 3, turn_index: 2 }]);
    expect(results[2]?.state.consecutive_same_tool).toBe(0);
    expect(results[2]?.decisions[0]).toMatchObject({
      because: [{ value: 3, operator: '>=', threshold: 3, holds: true }, { value: 'grep_files' }],
    });
  });

  it('counts calls, not turns, and says its words once when one turn holds two loops', () => {
    const [result] = play([{ calls: Array.from({ length: 6 }, () => grep) }]);
    expect(result?.events.filter(({ kind }) => kind === 'loop_detected')).toHaveLength(2);
    expect(result?.extras).toHaveLength(1);
  });

  it('takes the same arguments in another order for the same call, and others for another', () => {
    expect(callSignature({ name: 'a', arguments: { x: 1, y: [{ p: 1, q: 2 }] } })).toBe(
      callSignature({ name: 'a', arguments: { y: [{ q: 2, p: 1 }], x: 1 } }),
    );
    expect(callSignature({ name: 'a', arguments: { x: [1, 2] } })).not.toBe(callSignature({ name: 'a', arguments: { x: [2, 1] } }));
    const other = called('grep_files', { arguments: { pattern: 'b', path: 'src' } });
    expect(told(play([grep, grep, other, grep, grep].map((call) => ({ calls: [call] }))))).toEqual(Array(5).fill('continue'));
  });

  it('0 turns it off', () => expect(told(play(Array(9).fill({ calls: [grep] }), { loopDetection: 0 }))).toEqual(Array(9).fill('continue')));
});

describe('replies without a call', () => {
  it('nudges twice and ends on the third', () => {
    expect(told(play([{}, {}, {}, {}]))).toEqual(['nudge:text_only', 'nudge:text_only', 'exit:text_only']);
  });

  it('ends phase 1 with the first text, having called nothing (L14)', () => {
    const results = play([{ text: 'The task is clear.' }], loopPresets.clarify);
    expect(told(results)).toEqual(['exit:text_only']);
    expect(results[0]?.events).toEqual([{ kind: 'exit', reason: 'text_only', turn_index: 0 }]);
  });

  it('starts again after a call', () => {
    expect(told(play([{}, {}, { calls: [grep] }, {}, {}, {}]))).toEqual([
      'nudge:text_only',
      'nudge:text_only',
      'continue',
      'nudge:text_only',
      'nudge:text_only',
      'exit:text_only',
    ]);
  });

  it('puts the words of its caller to the model', () => {
    const [result] = play([{}], { texts: { textOnly: 'Go on, please.' } });
    expect(result?.verdict).toMatchObject({ text: 'Go on, please.' });
  });
});

describe('truncated replies (L18)', () => {
  it('nudges on 1 to 4, ends on 5, and leaves the count of text-only replies alone', () => {
    const results = play(Array(7).fill({ finish: 'length' }));
    expect(told(results)).toEqual([...Array(4).fill('nudge:truncation'), 'exit:truncation']);
    expect(results.map(({ state }) => state.consecutive_text_only)).toEqual(Array(5).fill(0));
  });

  it('is no truncation when the cut-off reply still holds a call', () => {
    expect(play([{ finish: 'length', calls: [grep] }])[0]?.state.consecutive_truncated).toBe(0);
  });
});

describe('a full context (L19)', () => {
  const full = { calls: [grep], context_window: 100_000 };

  it('is rebuilt at 70 %, on a turn with calls only', () => {
    expect(told(play([{ ...full, prompt_tokens: 71_000 }]))).toEqual(['refresh']);
    expect(told(play([{ ...full, prompt_tokens: 70_000 }]))).toEqual(['refresh']);
    expect(told(play([{ ...full, prompt_tokens: 71_000, calls: [] }]))).toEqual(['nudge:text_only']);
    expect(play([{ ...full, prompt_tokens: 71_000 }])[0]?.events).toEqual([
      { kind: 'context_refresh', turn_index: 0, prompt_tokens_before: 71_000, context_window: 100_000 },
    ]);
  });

  it.each([
    ['fewer than four messages', { message_count: 3 }],
    ['nothing to rebuild with', { refresh: 'absent' as const }],
    ['a rebuild that failed', { refresh: 'failed' as const }],
    ['an unknown size of the prompt', { prompt_tokens: null }],
    ['an unknown window', { context_window: null }],
  ])('stays with %s', (_, more) => expect(told(play([{ ...full, prompt_tokens: 71_000, ...more }]))).toEqual(['continue']));

  it('warns once, from 3 % below, and once more after a rebuild', () => {
    const tokens = [66_999, 67_000, 69_999, 70_000, 68_000];
    expect(
      told(
        play(
          tokens.map((prompt_tokens) => ({ ...full, prompt_tokens })),
          { loopDetection: 0 },
        ),
      ),
    ).toEqual(['continue', 'nudge:pre_refresh', 'continue', 'refresh', 'nudge:pre_refresh']);
  });

  it('has a warning zone of at least 256 tokens', () => {
    const small = { calls: [grep], context_window: 4000 };
    expect(told(play([{ ...small, prompt_tokens: 2543 }]))).toEqual(['continue']);
    expect(told(play([{ ...small, prompt_tokens: 2544 }]))).toEqual(['nudge:pre_refresh']);
  });

  it('keeps what was said beside the rebuild: a loop and the words of a person come after it', () => {
    const [result] = play([{ calls: [grep, grep, grep], context_window: 100, prompt_tokens: 90, interrupt: `${interruptPrefix} stop` }]);
    expect(told(result === undefined ? [] : [result])).toEqual(['refresh +loop +interrupt']);
  });
});

describe('the reminder', () => {
  it('comes every ten turns with calls, not on the last turn', () => {
    const turns = Array.from({ length: 30 }, (_, at) => ({ calls: [called('read_file', { arguments: { file_path: `f${at}` } })] }));
    const results = play(turns, { maxTurns: 30 });
    expect(results.flatMap(({ verdict }, at) => (verdict.kind === 'nudge' ? [at] : []))).toEqual([9, 19]);
    expect(results[9]?.events).toEqual([{ kind: 'reminder_injected', turn_index: 9, reminder_chars: expect.any(Number) }]);
    expect(told(results).at(-1)).toBe('exit:turn_cap');
  });

  it('gives way to a rebuild, and names itself as the nudge that would have come beside a warning', () => {
    const at = { turn_index: 9, calls: [grep], context_window: 1000 };
    expect(told(play([{ ...at, prompt_tokens: 700 }]))).toEqual(['refresh']);
    const [warned] = play([{ ...at, prompt_tokens: 690 }]);
    expect(warned?.verdict).toMatchObject({ kind: 'nudge', key: 'pre_refresh' });
    expect(warned?.decisions[0]?.alternatives).toEqual([{ outcome: 'nudge: reminder', needs: expect.any(String) }]);
  });
});

describe('claims amid failing checks (L20)', () => {
  const claim = 'This API was deprecated, so the test cannot pass.';

  it('questions a claim after two failing runs, once', () => {
    const results = play([{ calls: [failing] }, { calls: [failing], text: claim }, { calls: [called('edit_file')], text: claim }]);
    expect(told(results)).toEqual(['continue', 'continue +claim', 'continue']);
    expect(results[1]?.events).toEqual([{ kind: 'claim_unverified', turn_index: 1, recent_test_failures: 2 }]);
    expect(results[1]?.state.recent_test_failures).toBe(0);
  });

  it.each(['search_internet', 'read_file', 'grep_files'])('is silent when %s was used in the turn', (tool) => {
    expect(told(play([{ calls: [failing] }, { calls: [failing, called(tool)], text: claim }]))).toEqual(['continue', 'continue']);
  });

  it('counts by exit code, whatever the text of the answer says (P8)', () => {
    const quiet = called('run_tests', { status: 'ok', exit_code: 2 });
    expect(play([{ calls: [quiet] }])[0]?.state.recent_test_failures).toBe(1);
    expect(play([{ calls: [failing, passing] }])[0]?.state.recent_test_failures).toBe(0);
    expect(play([{ calls: [failing, called('edit_file', { status: 'failed' })] }])[0]?.state.recent_test_failures).toBe(1);
    expect(play([{ calls: [called('run_tests', { status: 'denied' })] }])[0]?.state.recent_test_failures).toBe(0);
  });

  it('asks to verify what is marked [UNVERIFIED] when it can be searched for and was not', () => {
    const text = 'The limit is 5 [UNVERIFIED].';
    expect(told(play([{ calls: [grep], text }]))).toEqual(['continue +confidence']);
    expect(told(play([{ calls: [grep, called('search_internet')], text }]))).toEqual(['continue']);
    expect(told(play([{ calls: [grep], text, offered: ['grep_files'] }]))).toEqual(['continue']);
    expect(told(play([{ calls: [grep], text }], { confidenceCheck: false }))).toEqual(['continue']);
  });
});

describe('thinking that is cut off', () => {
  it('is tolerated twice in a row and ends the loop the third time', () => {
    expect(told(play(Array(4).fill({ reasoning_aborted: true, text: '' })))).toEqual([
      'continue +reasoning_budget',
      'continue +reasoning_budget',
      'exit:reasoning_budget',
    ]);
  });

  it('starts again after a reply that went through, and is no text-only reply', () => {
    const results = play([{ reasoning_aborted: true }, { calls: [grep] }, { reasoning_aborted: true }, { reasoning_aborted: true }], {
      textOnlyExit: 1,
    });
    expect(told(results).at(-1)).toBe('continue +reasoning_budget');
  });
});

describe('task_complete', () => {
  const call = (id: string, name: string) => ({ id, name, arguments: {} });

  it('runs after all its siblings', () => {
    const { siblings, completion, surplus } = orderCalls([
      call('1', 'task_complete'),
      call('2', 'a'),
      call('3', 'task_complete'),
      call('4', 'b'),
    ]);
    expect([siblings, completion, surplus].flat().map((each) => each?.id)).toEqual(['2', '4', '1', '3']);
  });

  it('ends the loop with its summary', () => {
    const [result] = play([{ calls: [called('task_complete')], completion: { summary: 'done', rejection: null } }]);
    expect(result?.verdict).toEqual({ kind: 'exit', reason: 'task_complete', summary: 'done', warning: null });
    expect(result?.events).toEqual([{ kind: 'exit', reason: 'task_complete', turn_index: 0 }]);
  });

  it('goes on when a validator rejects it', () => {
    const [result] = play([{ calls: [called('task_complete')], completion: { summary: 'done', rejection: 'No observation yet.' } }]);
    expect(result?.verdict.kind).toBe('continue');
    expect(result?.events).toEqual([{ kind: 'task_complete_rejected', turn_index: 0, message: 'No observation yet.' }]);
  });

  it('does not end the loop once a person has spoken (L27)', () => {
    const [result] = play([{ calls: [grep], completion: { summary: 'done', rejection: null }, interrupt: `${interruptPrefix} wait` }]);
    expect(told(result === undefined ? [] : [result])).toEqual(['continue +interrupt']);
  });
});

describe('people who speak meanwhile (L27)', () => {
  const queue = ['run_tests', 'edit_file', 'task_complete'].map((name, at) => ({ id: `c${at}`, name, arguments: {} }));

  it('drops calls 2 and 3 after call 1, and answers each for the provider', () => {
    const outcome = steer({ cancelled: false, messages: ['use sqlite', 'not postgres'] }, 4, queue.slice(1));
    if (outcome.action !== 'interrupt') throw new Error(outcome.action);
    expect(outcome.text).toMatch(/^\[USER INTERRUPT\] use sqlite\n\nnot postgres/);
    expect(outcome.events).toEqual([{ kind: 'interrupt', turn_index: 4, dropped_calls: 2 }]);
    expect(droppedResults(outcome.dropped).map((message) => message.role === 'tool' && [message.toolCallId, message.isError])).toEqual([
      ['c1', true],
      ['c2', true],
    ]);
  });

  it('stops for a cancel even when a message waits', () => {
    expect(steer({ cancelled: true, messages: ['x'] }, 0, queue)).toMatchObject({ action: 'cancel', dropped: queue });
    expect(steer({ cancelled: false, messages: [] }, 0, queue)).toEqual({ action: 'continue' });
  });

  it('does not end the loop on text that a person has answered', () => {
    const [result] = play([{ interrupt: `${interruptPrefix} go on` }], { textOnlyExit: 1 });
    expect(told(result === undefined ? [] : [result])).toEqual(['continue +interrupt']);
  });
});

describe('any sequence of turns', () => {
  const turn: fc.Arbitrary<Partial<Turn>> = fc.record({
    text: fc.constantFrom('ok', 'It does not exist.', 'Maybe [UNVERIFIED].'),
    calls: fc.array(fc.constantFrom(grep, failing, passing, called('search_internet')), { maxLength: 4 }),
    finish: fc.constantFrom('stop', 'length', 'tool-calls'),
    reasoning_aborted: fc.boolean(),
    prompt_tokens: fc.option(fc.nat(1200)),
    context_window: fc.constantFrom(null, 1000),
    message_count: fc.nat(8),
    refresh: fc.constantFrom('available', 'absent', 'failed'),
    completion: fc.option(fc.record({ summary: fc.constant('done'), rejection: fc.option(fc.constant('no')) })),
    interrupt: fc.option(fc.constant(`${interruptPrefix} hm`)),
  });
  const config = fc.record({
    maxTurns: fc.constantFrom(0, 1, 5),
    textOnlyExit: fc.integer({ min: 1, max: 3 }),
    reminderInterval: fc.nat(3),
  });

  it('gives one verdict of the highest rank that holds, events that fit, a decision for each, and changes no input', () => {
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 12 }), config, (turns, input) => {
        const frozen = Object.freeze(newLoopState());
        for (const { verdict, extras, events, decisions, state } of play(turns, input, frozen)) {
          expect(decisions).toHaveLength(events.length);
          for (const event of events) loopEventSchema.parse(event);
          loopStateSchema.parse(state);
          if (verdict.kind === 'exit') expect(extras).toEqual([]);
          expect(events.filter(({ kind }) => kind === 'exit' || kind === 'context_refresh')).toHaveLength(
            verdict.kind === 'exit' || verdict.kind === 'refresh' ? 1 : 0,
          );
          expect(new Set(extras.map(({ key }) => key)).size).toBe(extras.length);
        }
      }),
    );
  });

  it('always ends under a cap, and a turn judged again with a failed rebuild differs in the rebuild only', () => {
    fc.assert(
      fc.property(fc.array(turn, { minLength: 5, maxLength: 5 }), (turns) => {
        expect(play(turns, { maxTurns: 5 }).at(-1)?.verdict.kind).toBe('exit');
        const [first] = turns;
        const whole = turnOf({ ...first, call_count: first?.calls?.length ?? 0 });
        const parsed = loopConfigSchema.parse({});
        const failed = evaluateTurn(newLoopState(), { ...whole, refresh: 'failed' }, parsed);
        expect(failed.verdict.kind).not.toBe('refresh');
        const available = evaluateTurn(newLoopState(), { ...whole, refresh: 'available' }, parsed);
        expect(failed.extras).toEqual(available.extras);
      }),
    );
  });
});

it('gives each deep dive 30 turns in all and at least 10 of its own', () =>
  expect([1, 2, 3, 8].map(deepDiveTurns)).toEqual([30, 15, 10, 10]));
