import { expect, test } from 'vitest';
import { defaultPlanningConfig } from './config';
import { type PlanInput, planNext, whatIsOpen } from './plan-next';
import { newTask } from './revalidate';
import type { Task } from './state';

const task = (id: string, fields: Partial<Task> = {}) => newTask({ id, description: `do ${id}`, ...fields });
const input = (tasks: Task[], over: Partial<PlanInput> = {}): PlanInput => ({
  taskGraph: { tasks, conflict_probability_cache: {}, changed: false },
  control: { escalation_reason: null },
  results: {},
  steps: { used: 0, limit: 50 },
  ...over,
});
const idsOf = (plan: ReturnType<typeof planNext>) => (plan.kind === 'dispatch' ? plan.tasks.map(({ id }) => id) : plan.kind);

test('a task that was under way was left behind for a new one of higher risk', () => {
  const tasks = [task('a', { status: 'RUNNING', risk_level: 'LOW' }), task('b', { risk_level: 'HIGH' })];
  const plan = planNext(input(tasks, { results: { a: { status: 'continue' } } }));
  expect(idsOf(plan)).toEqual(['a']);
  expect(plan).toMatchObject({ resumed: ['a'] });
});

test('a task sent back by gathering evidence, which has no result yet, was never taken up again', () => {
  expect(idsOf(planNext(input([task('a', { status: 'RUNNING' })])))).toEqual(['a']);
});

test('a finished result that no layer settled was worked on again for ever', () => {
  const plan = planNext(input([task('a', { status: 'RUNNING' })], { results: { a: { status: 'done' } } }));
  expect(plan.kind).toBe('stuck');
  expect(whatIsOpen({ taskGraph: plan.taskGraph, results: { a: { status: 'done' } } })).toEqual([
    { id: 'a', why: 'its result (done) was not settled' },
  ]);
});

test('a pair under way lost its second task, or ran on side by side after one turned HIGH', () => {
  const pair = [task('a', { status: 'RUNNING' }), task('b', { status: 'RUNNING' })];
  expect(idsOf(planNext(input(pair)))).toEqual(['a', 'b']);
  expect(idsOf(planNext(input([task('a', { status: 'RUNNING', risk_level: 'HIGH' }), task('b', { status: 'RUNNING' })])))).toEqual(['a']);
  expect(idsOf(planNext(input(pair), { ...defaultPlanningConfig, parallel: false }))).toEqual(['a']);
});

test('tasks that were not dispatched stood RUNNING, or the chosen ones did not', () => {
  const plan = planNext(input([task('a'), task('b'), task('c', { depends_on: ['a'] })]));
  expect(plan.taskGraph.tasks.map(({ status }) => status)).toEqual(['RUNNING', 'RUNNING', 'PENDING']);
});

test('the step after the last one was taken, or the last one was refused', () => {
  expect(planNext(input([task('a')], { steps: { used: 49, limit: 50 } }))).toMatchObject({ kind: 'dispatch', exhausted: false });
  const over = planNext(input([task('a')], { steps: { used: 50, limit: 50 } }));
  expect(over).toMatchObject({ kind: 'dispatch', exhausted: true });
  expect(over.taskGraph.tasks[0]?.status).toBe('PENDING');
  expect(over.decisions.at(-1)?.because[0]).toMatchObject({ value: 51, threshold: 50, holds: true });
});

test('no tasks, nothing to run, a person needed and all done were taken for one another', () => {
  expect(planNext(input([])).kind).toBe('empty');
  expect(planNext(input([task('a', { depends_on: ['x'] })])).kind).toBe('stuck');
  expect(planNext(input([task('a')], { control: { escalation_reason: 'HUMAN_REQUIRED' } })).kind).toBe('person');
  expect(planNext(input([task('a', { status: 'COMPLETE' })], { control: { escalation_reason: 'HUMAN_REQUIRED' } })).kind).toBe('complete');
});
