import { setImmediate as nextTurn } from 'node:timers/promises';
import { SqliteEventLog } from '@/db/event-log';
import type { Client } from '@/db/open';
import { compile } from '@/harness/compiler/compile';
import type { Plan } from '@/harness/compiler/plan';
import { operationalError } from '@/harness/contract/errors';
import { RunDriver } from '@/harness/engine/driver';
import type { EventLog } from '@/harness/engine/event-log';
import type { RunHost } from '@/harness/engine/host';
import type { FlowDocument } from '@/harness/flow/schema';
import { draw } from '@/harness/testing/draw';
import { runOptionsSchema, type TraceEvent } from '@/harness/trace/events';
import { runtime } from '@/nodes/executors';
import { systemClock } from '@/server/host/clock';
import { sha256 } from '@/server/host/hash';

const step = 'transform';
const identity = { mode: 'expression', expression: 'received' };

/** The three shapes every engine is measured on, drawn with our own nodes. */
export const shapes: Record<string, { document: FlowDocument; visits: number }> = {
  chain: {
    visits: 12,
    document: draw({
      nodes: { input: 'input', ...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`s${i}`, [step, identity]])), output: 'output' },
      edges: ['input>s0', ...Array.from({ length: 9 }, (_, i) => `s${i}>s${i + 1}`), 's9>output'],
    }),
  },
  loop: {
    visits: 2002,
    document: draw({
      nodes: {
        input: 'input',
        s: [step, identity],
        again: ['branch', { cases: [{ id: 'again', title: 'Again', when: 'run.visit < 1000' }] }],
        output: 'output',
      },
      edges: ['input>s', 's>again', 'again.again>s*1000', 'again.else>output'],
      caps: { steps: 10_000 },
    }),
  },
  fork: {
    visits: 14,
    document: draw({
      nodes: {
        input: 'input',
        f: ['fork', { branches: Array.from({ length: 10 }, (_, i) => ({ id: `b${i}`, title: `Branch ${i}` })) }],
        ...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`s${i}`, [step, identity]])),
        j: 'join',
        output: 'output',
      },
      edges: ['input>f', ...Array.from({ length: 10 }, (_, i) => [`f.b${i}>s${i}`, `s${i}>j`]).flat(), 'j>output'],
    }),
  },
};

export function planOf(document: FlowDocument): Plan {
  const { plan, diagnostics } = compile(document, { catalogue: runtime.catalogue, hash: sha256 });
  if (!plan) throw new Error(diagnostics.map((entry) => entry.message).join('\n'));
  return plan;
}

const unused = () => Promise.reject(operationalError('BENCH', 'not part of this benchmark'));

function hostOn(log: EventLog): RunHost {
  return {
    runtime,
    log,
    clock: systemClock,
    models: { generate: unused },
    tools: { list: () => [], call: unused },
    fetch: unused,
    sandbox: unused,
    describeModel: () => ({ provider: 'none', model: 'none' }),
    secrets: {},
    redact: (value) => value,
    published: () => {},
    delta: () => {},
    breathe: () => nextTurn(),
    broken: (_run, error) => {
      throw error;
    },
    hash: sha256,
  };
}

let runs = 0;
const options = runOptionsSchema.parse({});

/** One run of our engine with every event in the log given. */
export async function runOurs(plan: Plan, log: EventLog): Promise<void> {
  runs += 1;
  const driver = new RunDriver(plan, hostOn(log), `bench-${runs}`);
  await driver.start({ input: { message: 'go' }, options, sessionId: null, workspace: null, channels: {} });
  const { outcome } = await driver.done;
  if (outcome !== 'succeeded') throw new Error(`the benchmark's run ended as ${outcome}`);
}

/** The batches that one run appends. */
export async function batchesOf(plan: Plan, client: Client): Promise<TraceEvent[][]> {
  const batches: TraceEvent[][] = [];
  const log = new SqliteEventLog(client);
  await runOurs(plan, {
    append(runId, events) {
      batches.push([...events]);
      log.append(runId, events);
    },
    read: (runId, options) => log.read(runId, options),
    lastSeq: (runId) => log.lastSeq(runId),
  });
  return batches;
}

/** The baseline: a bare loop that inserts the same rows in the same transactions, and does nothing else. */
export function bareInsert(client: Client, batches: TraceEvent[][]): () => void {
  const insert = client.prepare('INSERT INTO events (run_id, seq, kind, node_id, layer, packed, json) VALUES (?, ?, ?, ?, ?, ?, ?)');
  const begin = client.prepare('BEGIN IMMEDIATE');
  const commit = client.prepare('COMMIT');
  const rows = batches.map((batch) =>
    batch.map((event): [number, string, string | null, string | null, string] => [
      event.seq,
      event.kind,
      event.nodeId ?? null,
      event.layer ?? null,
      JSON.stringify(event),
    ]),
  );
  return () => {
    runs += 1;
    const runId = `bare-${runs}`;
    for (const batch of rows) {
      begin.run();
      for (const [seq, kind, node, layer, json] of batch) insert.run(runId, seq, kind, node, layer, 0, json);
      commit.run();
    }
  };
}
