import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { TraceEvent } from '@/harness/trace/events';
import { createSandbox } from '../sandbox/sandbox';
import { templates } from '../templates/index';
import { type LoadedScenario, loadScenario, parseScenario } from './load-scenario';
import { runScenario } from './run-scenario';

/** A process may die after any event. Whenever it does, the run must come out the same and pay for nothing twice. */
const root = process.cwd();
const samples = join(root, 'public', 'samples');
const sandbox = createSandbox();
afterAll(() => sandbox.close());

const killedAfter = (loaded: LoadedScenario, seq: number): LoadedScenario => ({
  ...loaded,
  scenario: { ...loaded.scenario, faults: [...loaded.scenario.faults, { after: seq, kill: true }] },
});

/** Names the finished calls; one that is there twice was made again. */
const finishedCalls = (events: readonly TraceEvent[]): string[] =>
  events.flatMap((event, index) => {
    if (event.kind !== 'model-end' && event.kind !== 'tool-end') return [];
    const attempt = events.slice(0, index).filter((earlier) => earlier.kind === 'visit-retry' && earlier.visit === event.visit).length;
    return [`${event.kind} ${event.visit} ${event.key} attempt ${attempt}`];
  });

/** The pauses of a script are for people who watch. */
const hurried = (loaded: LoadedScenario): LoadedScenario =>
  loaded.script === undefined
    ? loaded
    : { ...loaded, script: { replies: loaded.script.replies.map(({ delayMs: _pause, ...reply }) => reply) } };

/** A write that was started and not recorded is put to a person (design §6), which is another run; other tests are about that. */
const isOpenWrite = (event: TraceEvent | undefined): boolean => event?.kind === 'tool-start' && event.effect === 'write';

/** Dies after every `every`-th event; a long run, which runs real tests in its folder, dies at a few events spread over it. */
async function dieEverywhere(given: LoadedScenario, every: number): Promise<void> {
  const loaded = hurried(given);
  const whole = await runScenario(loaded, sandbox);
  expect(whole.problems).toEqual([]);
  const last = whole.events.length;
  const step = last > 250 ? Math.ceil(last / 7) : every;
  for (let seq = 1; seq < last; seq += step) {
    if (isOpenWrite(whole.events[seq - 1])) continue;
    const { problems, events, status } = await runScenario(killedAfter(loaded, seq), sandbox);
    const calls = finishedCalls(events);
    const kept = whole.events.find((event) => event.kind === 'run-end');
    const end = events.find((event) => event.kind === 'run-end');
    expect({ seq, problems, status, repeated: calls.filter((call, index) => calls.indexOf(call) !== index) }).toEqual({
      seq,
      problems: [],
      status: whole.status,
      repeated: [],
    });
    if (kept?.kind !== 'run-end' || end?.kind !== 'run-end') continue;
    // What real commands print holds their durations, so the length of a prompt that quotes them differs by a character or two.
    const { inputTokens: _quoted, ...usage } = kept.usage;
    expect({ seq, output: end.output, usage: end.usage }).toMatchObject({ seq, output: kept.output, usage });
  }
}

test('a run that was killed after one of its events lost work, or did it twice', async () => {
  await dieEverywhere(loadScenario(join(root, 'scenarios/engine/busy.scenario.json'), samples), 1);
}, 60_000);

test.each(templates.map(({ id }) => id))(
  'the template %s came out otherwise after a kill',
  async (template) => {
    const text = JSON.stringify({ format: 'bridle/scenario', version: 1, name: template, template, expect: { status: 'succeeded' } });
    await dieEverywhere(parseScenario(text, { folder: root, samples }), 3);
  },
  300_000,
);
