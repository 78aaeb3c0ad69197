import { readArguments, UsageError } from './arguments';
import type { Command } from './commands';
import { followRun } from './follow';
import { progress } from './output';
import { withHost } from './with-host';

export const replayCommand: Command = {
  arguments: 'RUN [--json]',
  summary: 'Runs a past run again with its recorded model and tool answers',
  async run(args) {
    const { values, words } = readArguments(args, { json: { type: 'boolean' } });
    const [id] = words;
    if (id === undefined || words.length > 1) throw new UsageError('Name one run by its id (bridle replay run-…).');
    return withHost(async ({ services }) => {
      const { runId } = await services.runs.replay(id);
      progress(`Replay of ${id}: ${runId}`);
      const answers = recordedAnswers(services.runs.events(id, 0, 100_000).events);
      return followRun(services, runId, { answers, json: values.json === true });
    });
  },
};

type Events = ReturnType<Parameters<Parameters<typeof withHost>[0]>[0]['services']['runs']['events']>['events'];

/** What people answered then is answered again, in the same order at the same nodes. */
function recordedAnswers(events: Events) {
  return events.flatMap((event) => {
    if (event.kind !== 'ask-answer' || event.answer.by === 'engine') return [];
    const { choice, values, comment } = event.answer;
    const node = event.nodeId === undefined ? {} : { node: event.nodeId };
    return [{ ...node, choice, afterMs: 0, times: 1, tampered: false, ...(values ? { values } : {}), ...(comment ? { comment } : {}) }];
  });
}
