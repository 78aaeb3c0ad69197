import { expect, test } from 'vitest';
import { compile } from '@/harness/compiler/compile';
import type { Json } from '@/harness/contract/json';
import type { ModelRequest } from '@/harness/contract/model';
import { RunDriver } from '@/harness/engine/driver';
import { drawFlow } from '@/harness/testing/draw-flow';
import { reply, shortTrace, startWith, TestWorld, testHash, toolSpec } from '@/harness/testing/test-host';
import { catalogue } from '../../catalog';
import { runtime } from '../../executors';

/** Two tasks that may run side by side, each with a write that waits for the gates, run by the engine. */
const drawingOf = (parallel: boolean) =>
  drawFlow({
    nodes: {
      in: 'input',
      init: {
        type: 'initialize-run',
        config: {
          tasks: [
            { id: 'a', description: 'Write a.txt', write_domains: ['a'] },
            { id: 'b', description: 'Write b.txt', write_domains: ['b'] },
            { id: 'c', description: 'Write c.txt', write_domains: ['c'], depends_on: ['a', 'b'] },
          ],
        },
      },
      resolve: 'control-state',
      plan: { type: 'planning', config: { parallel } },
      review: 'review-gate',
      gate: 'action-gate',
      act: 'act',
      evidence: 'evidence',
      world: 'world-model',
      ended: { type: 'branch', config: { cases: [{ id: 'done', when: 'state.taskResults[state.currentTask].status == "done"' }] } },
      update: 'task-update',
      merge: 'merge-branches',
      out: { type: 'output', config: { value: '{{state.progress.steps_used}}' } },
      stuck: { type: 'output', config: { value: '{{received}}', required: false } },
    },
    edges: [
      'in -> init',
      'init -> resolve',
      'resolve.normal -> plan',
      'resolve.cautious -> plan',
      'resolve.blocked -> stuck',
      'resolve.human -> stuck',
      'plan.task -> review',
      'plan.complete -> out',
      'plan.nothing-eligible -> stuck',
      'review.pass -> gate',
      'review.revise -> merge',
      'review.halt -> stuck',
      'gate.pass -> act',
      'gate.block -> merge',
      'gate.escalate -> stuck',
      'act.done -> evidence',
      'act.continue -> evidence',
      'act.failed -> evidence',
      'evidence -> world',
      'world -> ended',
      'ended.done -> update',
      'ended.else -> merge',
      'update -> merge',
      'merge -> resolve x50',
    ],
  });

function answer(request: ModelRequest) {
  const task = request.messages.findLast(({ role, content }) => role === 'user' && content.includes('Task: '))?.content ?? '';
  const path = /Write (\w\.txt)/.exec(task)?.[1] ?? '';
  if (request.messages.some(({ role }) => role === 'tool')) return reply(`${path} is written.`);
  return reply('', { toolCalls: [{ id: 'w', name: 'create_file', arguments: { path, content: path } }], finish: 'tool-calls' });
}

async function run(parallel: boolean) {
  const { plan, diagnostics } = compile(drawingOf(parallel), { catalogue, hash: testHash });
  if (!plan) throw new Error(diagnostics.map((entry) => `${entry.nodeId ?? ''} ${entry.code}: ${entry.message}`).join('\n'));
  const world = new TestWorld();
  const files: string[] = [];
  world.tools = [toolSpec('create_file', 'write')];
  world.answer = answer;
  world.use = (_name, input): Json => {
    const { path = '' }: { path?: string } = JSON.parse(JSON.stringify(input));
    files.push(path);
    return { path };
  };
  const driver = new RunDriver(plan, world.host(runtime), 'run');
  await driver.start(startWith({ message: 'Write them' }));
  for (let round = 0; round < 60 && driver.snapshot.status === 'running'; round += 1) await world.pass(1);
  return { driver, world, files };
}

test('a pair of tasks lost a write, wrote twice, or left one of the two behind at the merge', async () => {
  const { driver, world, files } = await run(true);
  expect(shortTrace(world.events).at(-1)).toBe('succeeded');
  expect(files.toSorted()).toEqual(['a.txt', 'b.txt', 'c.txt']);
  expect(driver.snapshot.channels).toMatchObject({
    taskGraph: { tasks: [{ status: 'COMPLETE' }, { status: 'COMPLETE' }, { status: 'COMPLETE' }] },
    taskResults: { a: { output: 'a.txt is written.' }, b: { output: 'b.txt is written.' }, c: { output: 'c.txt is written.' } },
    worldModel: { environment_change_log: [{}, {}, {}] },
    toolResults: [],
    // two iterations for the pair and two for the task that waited for both
    progress: { steps_used: 4 },
  });
});

test('switched to one at a time, two tasks still ran side by side', async () => {
  const { driver, files } = await run(false);
  expect(files).toEqual(['a.txt', 'b.txt', 'c.txt']);
  expect(driver.snapshot.channels).toMatchObject({ progress: { steps_used: 6 } });
});
