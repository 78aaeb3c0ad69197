import { setMaxListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteEventLog } from '@/db/event-log';
import { openDatabase } from '@/db/open';
import { median, rounded, timeOf } from './measure';
import { bareInsert, batchesOf, planOf, runOurs, shapes } from './our-engine';
import { langGraph } from './peers/langgraph';
import { rivet } from './peers/rivet';
import { xstate } from './peers/xstate';

/*
 * Microseconds per visited node with the whole trace in SQLite, beside a bare loop that inserts the same rows, and beside other engines on the
 * same shapes. Everything is measured in this one process, in turn; quote the ratios.
 */

// One of the peers listens to one signal many times and would warn about it each time.
setMaxListeners(0);

type Shape = 'chain' | 'loop' | 'fork';
const folder = mkdtempSync(join(tmpdir(), 'bridle-bench-'));
const rounds = { chain: 200, loop: 15, fork: 200 };
/** Steps a peer takes on a shape: its own counting of the same work. */
const peerSteps = { chain: 10, loop: 2000, fork: 12 };

interface Row {
  shape: Shape;
  microsecondsPerNode: number;
  rowsPerNode: number;
  bareMicrosecondsPerNode: number;
  ratioToBareInsert: number;
  peers: Record<string, { microsecondsPerNode: number; ratioToOurs: number } | { unavailable: string }>;
}

async function measure(shape: Shape): Promise<Row> {
  const entry = shapes[shape];
  if (!entry) throw new Error(`no shape ${shape}`);
  const plan = planOf(entry.document);
  const { client } = openDatabase(join(folder, `${shape}.db`));
  const log = new SqliteEventLog(client);
  const batches = await batchesOf(plan, client);
  const bare = bareInsert(client, batches);
  // In turn, so that a machine that slows down slows both.
  await timeOf(() => runOurs(plan, log), rounds[shape]);
  const ours: number[] = [];
  const inserts: number[] = [];
  for (let part = 0; part < 5; part += 1) {
    ours.push(...(await timeOf(() => runOurs(plan, log), Math.ceil(rounds[shape] / 5))));
    inserts.push(...(await timeOf(bare, Math.ceil(rounds[shape] / 5))));
  }
  const perNode = median(ours) / entry.visits;
  const barePerNode = median(inserts) / entry.visits;
  return {
    shape,
    microsecondsPerNode: rounded(perNode),
    rowsPerNode: rounded(batches.flat().length / entry.visits),
    bareMicrosecondsPerNode: rounded(barePerNode),
    ratioToBareInsert: rounded(perNode / barePerNode),
    peers: await measurePeers(shape, perNode),
  };
}

async function measurePeers(shape: Shape, ours: number): Promise<Row['peers']> {
  const candidates: [string, () => Promise<() => Promise<void>>][] = [
    ['LangGraph.js with SQLite checkpoints', () => langGraph(shape, join(folder, `langgraph-${shape}.db`))],
    ['LangGraph.js without checkpoints', () => langGraph(shape, null)],
    ['XState, nothing stored', () => xstate(shape)],
  ];
  if (shape !== 'loop') candidates.push(['Rivet, nothing stored', () => rivet(shape)]);
  const peers: Row['peers'] = {};
  for (const [name, prepare] of candidates) {
    try {
      const work = await prepare();
      const perNode = median(await timeOf(work, Math.max(3, Math.ceil(rounds[shape] / 10)))) / peerSteps[shape];
      peers[name] = { microsecondsPerNode: rounded(perNode), ratioToOurs: rounded(perNode / ours) };
    } catch (thrown) {
      peers[name] = { unavailable: thrown instanceof Error ? (thrown.message.split('\n')[0] ?? '') : String(thrown) };
    }
  }
  return peers;
}

const rows: Row[] = [];
for (const shape of ['chain', 'loop', 'fork'] as const) rows.push(await measure(shape));
rmSync(folder, { recursive: true, force: true });

if (process.argv.includes('--json')) console.log(JSON.stringify({ bench: 'engine', node: process.version, rows }, null, 2));
else {
  for (const row of rows) {
    console.log(
      `${row.shape}: ${row.microsecondsPerNode} µs per visited node (${row.rowsPerNode} rows), bare insert ${row.bareMicrosecondsPerNode} µs, ratioToBareInsert ${row.ratioToBareInsert}`,
    );
    for (const [name, result] of Object.entries(row.peers)) {
      console.log(
        'unavailable' in result
          ? `  ${name}: not measured (${result.unavailable})`
          : `  ${name}: ${result.microsecondsPerNode} µs per node, ${result.ratioToOurs} times ours`,
      );
    }
  }
}
