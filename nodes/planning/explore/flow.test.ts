import { expect, test } from 'vitest';
import { compile } from '@/harness/compiler/compile';
import type { Plan } from '@/harness/compiler/plan';
import { operationalError } from '@/harness/contract/errors';
import type { Json } from '@/harness/contract/json';
import type { ModelCaller, ModelReply } from '@/harness/contract/model';
import { RunDriver } from '@/harness/engine/driver';
import { MemoryEventLog } from '@/harness/engine/memory-event-log';
import { drawFlow } from '@/harness/testing/draw-flow';
import { reply, shortTrace, startWith, TestWorld, testHash, toolSpec } from '@/harness/testing/test-host';
import type { TraceEvent } from '@/harness/trace/events';
import { catalogue } from '../../catalog';
import { runtime } from '../../executors';

/** From a message to a design as a drawing, run by the engine. */
const document = drawFlow({
  nodes: {
    in: 'input',
    mode: { type: 'mode-router', config: { decideBy: 'rules' } },
    init: 'workspace-init',
    clarify: 'clarify',
    scope: 'scope-synthesis',
    explore: 'explore',
    design: 'design',
    loop: { type: 'control-loop', config: { maxTurns: 4 } },
    out: { type: 'output', config: { value: '{{received}}' } },
    other: { type: 'output', config: { value: '{{received}}', required: false } },
  },
  edges: [
    'in -> mode',
    'mode.plan -> init',
    'mode.fix -> other',
    'mode.request -> other',
    'mode.resume -> other',
    'init -> clarify',
    'clarify -> scope',
    'scope -> explore',
    'explore -> design',
    'design -> out',
    'loop @ explore',
  ],
});

function planOf(): Plan {
  const { plan, diagnostics } = compile(document, { catalogue, hash: testHash });
  if (!plan) throw new Error(diagnostics.map((entry) => `${entry.nodeId ?? ''} ${entry.code}: ${entry.message}`).join('\n'));
  return plan;
}

const calls = (...made: [name: string, input: Json][]): ModelReply =>
  reply('', { toolCalls: made.map(([name, input], index) => ({ id: `c${index}`, name, arguments: input })), finish: 'tool-calls' });

/** Which call of its visit it is decides the answer, so that a resumed run hears the same. */
function answer({ nodeId, call }: ModelCaller): ModelReply {
  const script: Record<string, ModelReply[]> = {
    init: [reply('A shop.')],
    clarify: [calls(['request_clarification', { question: 'How long?' }]), reply('Links live one hour.')],
    scope: [
      reply('', { object: { problem: 'Links are missing.', assumptions: [{ assumption: 'a.ts makes links', verify_hint: 'grep' }] } }),
    ],
    explore: [
      calls(['task_complete', { summary: 'early' }]),
      calls(['read_file', { path: 'a.ts' }]),
      calls(
        ['record_file_observation', { file_path: 'a.ts', role: 'modify', reason: 'makes links' }],
        ['task_complete', { summary: 'Seen.' }],
      ),
      reply('', { object: { files_to_modify: [{ file_path: 'a.ts', role: 'modify', reason: 'makes links' }] } }),
    ],
    design: [reply('Use a token.'), reply('', { object: { notes: 'token' } })],
  };
  const said = script[nodeId]?.[call - 1];
  if (!said) throw operationalError('TEST_UNSCRIPTED', `${nodeId} ${call}`);
  return said;
}

class BatchedLog extends MemoryEventLog {
  readonly ends: number[] = [];
  override append(runId: string, events: readonly TraceEvent[]): void {
    super.append(runId, events);
    this.ends.push(this.lastSeq(runId));
  }
}

function worldOf(log: MemoryEventLog) {
  const world = new TestWorld(log);
  world.tools = [toolSpec('read_file'), toolSpec('directory_tree'), toolSpec('create_file', 'write')];
  world.answer = (_request, { caller }) => answer(caller);
  world.use = (name, input): Json => {
    if (name === 'create_file') return { path: '.bridle/project_context.md', paths: [] };
    if (name === 'directory_tree') return { tree: 'a.ts' };
    if (JSON.stringify(input).includes('a.ts')) return { content: '1: export const link = 1', lastLine: 1, totalLines: 1 };
    throw operationalError('TOOL_PATH_MISSING', 'not there');
  };
  return { world, host: world.host(runtime) };
}

async function goOn(driver: RunDriver, world: TestWorld): Promise<void> {
  for (let round = 0; round < 40 && driver.snapshot.status === 'running'; round += 1) {
    await world.pass(1);
    for (const visit of Object.values(driver.snapshot.visits)) {
      for (const suspension of Object.values(visit.suspended)) {
        if (suspension.kind !== 'ask') continue;
        const answered = suspension.ask.kind === 'question' ? { choice: 'answered', values: { answer: 'One hour' } } : { choice: 'repeat' };
        await driver.answer(suspension.askId, suspension.hash, { ...answered, by: 'person' });
      }
    }
  }
}

async function whole() {
  const log = new BatchedLog();
  const { world, host } = worldOf(log);
  const driver = new RunDriver(planOf(), host, 'run');
  await driver.start(startWith({ message: 'Add links' }, { workspace: '/repo' }));
  await goOn(driver, world);
  return { driver, world, events: log.read('run'), ends: log.ends };
}

const expected = {
  planTask: { task: 'Add links', context: 'A shop.' },
  phase1Summary: { prose: 'Links live one hour.', clarifications: [{ answer: 'One hour', outcome: 'answered' }] },
  scopeDocument: { problem: 'Links are missing.' },
  observations: [{ id: 'a.ts' }],
  fileSummary: { files_to_modify: [{ file_path: 'a.ts' }] },
  designAndRisks: { notes: 'token' },
  sessionWork: { task: 'Add links' },
};

test('the drawing did not go from a message over a question to a design', async () => {
  const { driver, events } = await whole();
  expect(shortTrace(events).filter((line) => !line.includes(':'))).toEqual([
    'in→next',
    'mode→plan',
    'init→next',
    'clarify→next',
    'scope→next',
    'explore→next',
    'design→next',
    'out→',
    'succeeded',
  ]);
  expect(driver.snapshot.channels).toMatchObject(expected);
});

test('killed and resumed anywhere, a question was asked again, or a phase heard another answer', async () => {
  const { events, ends } = await whole();
  expect(ends.length).toBeGreaterThan(30);
  for (const end of ends.slice(0, -1)) {
    const log = new MemoryEventLog();
    log.append('run', events.slice(0, end));
    const { world, host } = worldOf(log);
    const driver = new RunDriver(planOf(), host, 'run');
    await driver.restore();
    await goOn(driver, world);
    expect(driver.snapshot.status, `killed after event ${end}`).toBe('succeeded');
    expect(driver.snapshot.channels, `killed after event ${end}`).toMatchObject(expected);
    expect(
      log.read('run').filter((event) => event.kind === 'ask-open' && event.ask.kind === 'question'),
      `killed after event ${end}`,
    ).toHaveLength(1);
  }
});
