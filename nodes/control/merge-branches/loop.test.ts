import { expect, test } from 'vitest';
import { compile } from '@/harness/compiler/compile';
import type { Json, JsonObject } from '@/harness/contract/json';
import { RunDriver } from '@/harness/engine/driver';
import { MemoryEventLog } from '@/harness/engine/memory-event-log';
import { drawFlow } from '@/harness/testing/draw-flow';
import { reply, shortTrace, startWith, TestWorld, testHash, toolSpec } from '@/harness/testing/test-host';
import { catalogue } from '../../catalog';
import { runtime } from '../../executors';

/** The second half of the loop as a drawing, run by the engine: a pair of tasks, verification, recovery, merge, review, validation. */
const tasks: JsonObject[] = [
  { id: 'left', description: 'Mend left', risk_level: 'LOW', parallel_write_domains: ['left.js'] },
  { id: 'right', description: 'Mend right', risk_level: 'LOW', parallel_write_domains: ['right.js'] },
  { id: 'last', description: 'Say what was mended', risk_level: 'LOW', depends_on: ['left', 'right'] },
];
const edges = [
  'in -> init',
  'init -> contradiction',
  'contradiction -> hypothesis',
  'hypothesis -> diagnostics',
  'diagnostics -> resolve',
  'resolve.normal -> plan',
  'resolve.cautious -> plan',
  'resolve.blocked -> stuck',
  'resolve.human -> stuck',
  'plan.task -> gate',
  'plan.complete -> reviewer',
  'plan.nothing-eligible -> reviewer',
  'gate.pass -> act',
  'gate.block -> merge',
  'gate.escalate -> merge',
  'act.done -> evidence',
  'act.continue -> evidence',
  'act.failed -> evidence',
  'evidence -> world',
  'world -> ended',
  'ended.done -> verify',
  'ended.failed -> recover',
  'ended.else -> merge',
  'verify.pass -> update',
  'verify.fail -> recover',
  'update -> merge',
  'recover.retry -> merge',
  'recover.replan -> merge',
  'recover.escalate -> merge',
  'merge -> contradiction x60',
  'reviewer.release -> validate',
  'reviewer.reopen -> merge',
  'validate.ok -> out',
  'validate.revise -> out',
  'validate.violation -> out',
];
const nodes = (parallel: boolean) => ({
  in: 'input',
  init: { type: 'initialize-run', config: { tasks } },
  contradiction: 'contradiction',
  hypothesis: 'hypothesis',
  diagnostics: 'diagnostics',
  resolve: 'control-state',
  plan: { type: 'planning', config: { parallel } },
  gate: 'action-gate',
  act: { type: 'act', config: { gateWrites: false } },
  evidence: 'evidence',
  world: 'world-model',
  ended: {
    type: 'branch',
    config: {
      cases: [
        { id: 'done', when: 'state.taskResults[state.currentTask].status == "done"' },
        { id: 'failed', when: 'state.taskResults[state.currentTask].status == "failed"' },
      ],
    },
  },
  verify: { type: 'verification', config: { syntax: 'off' } },
  update: 'task-update',
  recover: { type: 'recovery', config: { retryEveryFailure: true } },
  merge: 'merge-branches',
  reviewer: 'reviewer-pass',
  validate: 'output-validation',
  out: { type: 'output', config: { value: '{{received}}' } },
  stuck: { type: 'output', config: { value: '{{received}}', required: false } },
});

/** Each task reads its file, writes it, and is done; the first test run of the left one fails. */
function worldOn(log: MemoryEventLog): TestWorld {
  const world = new TestWorld(log);
  world.tools = [toolSpec('edit_file', 'write'), toolSpec('run_check', 'idempotent')];
  let failures = 1;
  world.use = (name): Json => {
    if (name !== 'run_check') return { path: 'x' };
    const fails = failures-- > 0;
    return {
      found: true,
      command: 'npm test',
      reason: '',
      exitCode: fails ? 1 : 0,
      timedOut: false,
      output: fails ? 'not ok 1 - left' : 'ok',
      counts: fails ? { passed: 2, failed: 1 } : { passed: 3, failed: 0 },
    };
  };
  world.answer = (request) => {
    const text = JSON.stringify(request.messages);
    const file = text.includes('Mend left') && !text.includes('Mend right') ? 'left.js' : 'right.js';
    if (text.includes('Say what was mended')) return reply('Both are mended.');
    const open = request.messages.at(-1)?.role !== 'tool';
    if (!open) return reply(`${file} is mended.`);
    return reply('', {
      toolCalls: [{ id: `c${request.messages.length}-${file}`, name: 'edit_file', arguments: { path: file, find: 'a', replace: 'b' } }],
      finish: 'tool-calls',
    });
  };
  return world;
}

async function run(parallel: boolean) {
  const { plan, diagnostics } = compile(drawFlow({ nodes: nodes(parallel), edges }), { catalogue, hash: testHash });
  if (!plan) throw new Error(diagnostics.map((entry) => `${entry.nodeId ?? ''} ${entry.code}: ${entry.message}`).join('\n'));
  const log = new MemoryEventLog();
  const world = worldOn(log);
  const driver = new RunDriver(plan, world.host(runtime), 'run');
  await driver.start({ ...startWith({ message: 'Mend both' }), workspace: '/workspace' });
  for (let round = 0; round < 80 && driver.snapshot.status === 'running'; round += 1) await world.pass(1);
  return { driver, events: log.read('run'), diagnostics };
}

const walked = (events: ReturnType<MemoryEventLog['read']>, node: string): string[] =>
  events.flatMap((event) => (event.kind === 'visit-end' && event.nodeId === node ? [event.ports.join()] : []));

test('a pair of tasks, of which one fails its tests first, did not come out as one run with both done', async () => {
  const { driver, events, diagnostics } = await run(true);
  expect(
    diagnostics
      .filter(({ severity, code }) => severity !== 'info' && code !== 'MODEL_ROLE_EMPTY')
      .map(({ code, message }) => `${code} ${message}`),
  ).toEqual([]);
  expect(shortTrace(events).at(-1)).toBe('succeeded');
  const { taskGraph, strategyState, failureDiagnostics, evidenceStore, progress } = driver.snapshot.channels;
  expect(taskGraph).toMatchObject({ tasks: tasks.map(({ id }) => ({ id, status: 'COMPLETE' })) });
  expect(events.filter(({ kind }) => kind === 'branches-open').length).toBeGreaterThan(0);
  expect(walked(events, 'verify').sort()).toEqual(['fail', 'pass', 'pass', 'pass']);
  expect(walked(events, 'recover')).toEqual(['retry']);
  expect(failureDiagnostics).toMatchObject({ failure_history: [{ id: 'failure-1', handled: true, context: { kind: 'verification' } }] });
  expect(strategyState).toMatchObject({ switch_count: 1 });
  expect(JSON.stringify(evidenceStore)).toContain('exit 1, 1 of 3 failed');
  expect(events.at(-1)).toMatchObject({ kind: 'run-end', output: { text: 'Both are mended.', violations: [] } });
  expect(progress).toMatchObject({ final_result: 'Both are mended.' });
});

test('one task at a time came to another end than two at once', async () => {
  const [alone, pair] = [await run(false), await run(true)];
  expect(alone.events.filter(({ kind }) => kind === 'branches-open')).toEqual([]);
  const ends = [alone, pair].map(({ driver: { snapshot } }) => {
    const { taskGraph, worldModel } = snapshot.channels;
    const model: { observations: { id: string }[]; beliefs: { statement: string }[] } = JSON.parse(JSON.stringify(worldModel));
    return {
      status: snapshot.status,
      tasks: JSON.stringify(taskGraph).match(/"status":"\w+"/g),
      beliefs: model.beliefs.map(({ statement }) => statement).sort(),
    };
  });
  expect(ends[0]?.status).toBe('succeeded');
  expect(ends[1]).toEqual(ends[0]);
});
