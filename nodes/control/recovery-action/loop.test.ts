import { expect, test } from 'vitest';
import { compile } from '@/harness/compiler/compile';
import type { JsonObject } from '@/harness/contract/json';
import { RunDriver } from '@/harness/engine/driver';
import { drawFlow } from '@/harness/testing/draw-flow';
import { shortTrace, startWith, TestWorld, testHash, toolSpec } from '@/harness/testing/test-host';
import { catalogue } from '../../catalog';
import { runtime } from '../../executors';
import { channelValues } from '../support/state';

/** The thinking part of the loop as a drawing, run by the engine. */
const drawing = (configs: Record<string, JsonObject> = {}) =>
  drawFlow({
    nodes: {
      in: 'input',
      judge: { type: 'adaptive-control', config: { judge: 'rules' } },
      init: { type: 'initialize-run', config: {} },
      fold: 'context-compression',
      inbox: { type: 'caller-updates', config: { classify: false } },
      conflict: { type: 'contradiction', config: { semantic: false } },
      rivals: 'hypothesis',
      health: { type: 'diagnostics', config: configs.health ?? {} },
      resolve: { type: 'control-state', config: configs.resolve ?? {} },
      repair: { type: 'recovery-action', config: configs.repair ?? {} },
      work: { type: 'output', config: { value: 'goes on', as: 'text', required: false } },
      person: { type: 'output', config: { value: '{{state.controlState}}', required: false } },
      quick: { type: 'output', config: { value: 'at once', as: 'text', required: false } },
      stopped: { type: 'output', config: { value: 'stopped', as: 'text', required: false } },
    },
    edges: [
      'in -> judge',
      'judge.trivial -> quick',
      'judge.full -> init',
      'judge.needs-approval -> stopped',
      'init -> fold',
      'fold -> inbox',
      'inbox.next -> conflict',
      'inbox.changed -> conflict',
      'inbox.cancelled -> stopped',
      'conflict -> rivals',
      'rivals -> health',
      'health -> resolve',
      'resolve.normal -> work',
      'resolve.cautious -> work',
      'resolve.blocked -> repair',
      'resolve.human -> person',
      'repair.repaired -> health x10',
      'repair.unchanged -> health x10',
    ],
  });

async function walk(
  options: {
    message?: string;
    configs?: Record<string, JsonObject>;
    channels?: Record<string, unknown>;
    inbox?: string[];
    content?: string;
  } = {},
) {
  const { plan, diagnostics } = compile(drawing(options.configs), { catalogue, hash: testHash });
  if (!plan) throw new Error(diagnostics.map((entry) => `${entry.nodeId ?? ''} ${entry.code}: ${entry.message}`).join('\n'));
  const world = new TestWorld();
  world.tools = [toolSpec('read_file')];
  world.use = (_name, input) => ({ path: String(input), content: options.content ?? '' });
  const messages = (options.inbox ?? []).map((text, index) => ({ id: `m${index}`, text, at: index }));
  const driver = new RunDriver(plan, { ...world.host(runtime), inbox: async () => messages }, 'run');
  const start = startWith({ message: options.message ?? 'Fix the parser' });
  await driver.start({ ...start, channels: channelValues(options.channels ?? {}) });
  for (let round = 0; round < 40 && driver.snapshot.status === 'running'; round += 1) await world.pass(1);
  const events = await world.log.read('run');
  return {
    driver,
    world,
    trace: shortTrace(events),
    end: events.at(-1),
    visits: (node: string) => events.filter((event) => event.kind === 'visit-end' && event.nodeId === node),
  };
}

test('a trivial turn walked through layers', async () => {
  const { trace } = await walk({ message: 'hello' });
  expect(trace).toEqual(['in→next', 'judge→trivial', 'quick→', 'succeeded']);
});

test('a turn that is well did not reach the work', async () => {
  const { trace } = await walk();
  expect(trace.slice(2)).toEqual([
    'init→next',
    'fold→next',
    'inbox→next',
    'conflict→next',
    'rivals→next',
    'health→next',
    'resolve→normal',
    'work→',
    'succeeded',
  ]);
});

test('a dimension that recovery cannot mend was blocked for ever instead of calling a person by its name (D3, D11)', async () => {
  const { end, visits } = await walk({ configs: { resolve: { critical: 0.6 } } });
  expect(visits('repair').map((event) => event.kind === 'visit-end' && event.ports.join())).toEqual(['unchanged', 'unchanged']);
  expect(end).toMatchObject({ kind: 'run-end', output: { escalation: 'HUMAN_REQUIRED' } });
  expect(JSON.stringify(end)).toContain(
    'A person is needed for verification_feasibility: feasibility_check changed nothing 2 times in a row',
  );
  const patient = await walk({ configs: { resolve: { critical: 0.6 }, repair: { unchangedToEscalate: 4 } } });
  expect(patient.visits('repair')).toHaveLength(4);
});

const recorded_at = '1970-01-01T00:00:00.000Z';
const believed = {
  worldModel: {
    beliefs: [{ id: 'b1', statement: 'the parser reads tabs', confidence: 1, derived_from: ['e1', 'parser.ts'], recorded_at }],
    environment_change_log: [{ id: 'c', description: 'written', affected_paths: ['parser.ts'], timestamp: '1970-01-01T00:00:00.001Z' }],
  },
  evidenceStore: {
    observations: [
      {
        id: 'e1',
        obs: 'parser.ts\nindent = readTabs(line)',
        reliability: 'HIGH',
        source: 'read_file',
        evidence_type: 'OBSERVATION',
        freshness: recorded_at,
      },
    ],
  },
};

test('a belief whose source was written later blocked the run although the source could be read again (D3)', async () => {
  const { trace, driver, world } = await walk({ channels: believed, content: 'export {}\nindent = readTabs(line)\n' });
  expect(world.toolCalls).toEqual([{ name: 'read_file', input: { path: 'parser.ts' } }]);
  expect(trace.slice(-6)).toEqual(['resolve→blocked', 'repair→repaired', 'health→next', 'resolve→normal', 'work→', 'succeeded']);
  expect(driver.snapshot.channels).toMatchObject({ worldModel: { beliefs: [{ id: 'b1' }], stale_flags: {}, contradictions: [] } });
});

test('a belief whose source says something else now was kept', async () => {
  const { trace, driver } = await walk({ channels: believed, content: 'indent = readSpaces(line)' });
  expect(trace.at(-1)).toBe('succeeded');
  expect(driver.snapshot.channels).toMatchObject({ worldModel: { beliefs: [] }, progress: { retired_belief_ids: ['b1'] } });
});

test('a message sent meanwhile was dropped or taken in twice', async () => {
  const { driver, trace } = await walk({ inbox: ['Also check the tests', 'Weather tomorrow'] });
  expect(trace.at(-1)).toBe('succeeded');
  expect(driver.snapshot.channels).toMatchObject({
    conversation: { 'task-0': [{ role: 'user', content: 'Also check the tests' }] },
    progress: { handed_back: [{ id: 'm1', text: 'Weather tomorrow' }] },
  });
});

test('a cancellation did not stop the drawn run', async () => {
  const { trace, driver } = await walk({ inbox: ['Stop'] });
  expect(trace.slice(-3)).toEqual(['inbox→cancelled', 'stopped→', 'succeeded']);
  expect(driver.snapshot.channels).toMatchObject({ taskGraph: { tasks: [{ status: 'BLOCKED' }] } });
});

test('a disabled layer stopped the run, or a layer after it could not do without it', async () => {
  for (const disabled of ['judge', 'init', 'fold', 'inbox', 'conflict', 'rivals', 'health', 'resolve']) {
    const document = drawing();
    const off = { ...document, nodes: document.nodes.map((node) => (node.id === disabled ? { ...node, disabled: true } : node)) };
    const { plan, diagnostics } = compile(off, { catalogue, hash: testHash });
    if (!plan) throw new Error(`${disabled}: ${diagnostics.map((entry) => entry.message).join('\n')}`);
    const world = new TestWorld();
    const driver = new RunDriver(plan, world.host(runtime), 'run');
    await driver.start(startWith({ message: 'Fix the parser' }));
    for (let round = 0; round < 20 && driver.snapshot.status === 'running'; round += 1) await world.pass(1);
    expect({ disabled, trace: shortTrace(await world.log.read('run')).slice(-2) }).toEqual({ disabled, trace: ['work→', 'succeeded'] });
  }
});
