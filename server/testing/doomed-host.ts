import { storeLine, temporaryHost } from './temporary-host';

/*
 * A process that is to be killed: begins twelve runs that sleep and ten that wait for a person, says so with one line of JSON, and lives on.
 * Usage: doomed-host.ts DATA_FOLDER
 */
const { host } = temporaryHost({ folder: process.argv[2] ?? '' });
const { runs } = host.services;

const count = { id: 'count', type: 'code', config: { source: 'return 1' } };
const sleeper = storeLine(host, [count, { id: 'pause', type: 'wait', config: { milliseconds: 1500 } }]);
const asker = storeLine(host, [count, { id: 'gate', type: 'human-gate' }]);

const began = await Promise.all(
  Array.from({ length: 22 }, (_, index) => runs.start({ flowId: index < 12 ? sleeper : asker, input: { message: `run ${index}` } })),
);
const standing = () =>
  began.every(({ runId }) => runs.events(runId, 0, 100).events.some(({ kind }) => kind === 'sleep-start' || kind === 'ask-open'));
while (!standing()) await new Promise((resolve) => setTimeout(resolve, 10));
process.stdout.write(`${JSON.stringify(began.map(({ runId }) => runId))}\n`);
setInterval(() => undefined, 1000);
