import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyWorldModel, type WorldModel } from '../world-model/state';
import { blockDependents, describeBlocked, releaseDependents } from './dependents';
import { mergeWorldModels } from './merge';
import { newTask, revalidateTaskGraph } from './revalidate';
import { eligibleTasks, selectTask } from './select';
import { type Task, type TaskGraph, taskStatusSchema } from './state';
import { reopenTask, setTaskStatus, transitionAllowed } from './transitions';
import { updateTaskGraph } from './update';

const seed = 20_260_104;
const graphOf = (...tasks: Task[]): TaskGraph => ({ tasks, conflict_probability_cache: {}, changed: false });
const task = (id: string, fields: Partial<Task> = {}): Task => newTask({ id, description: `do ${id}`, ...fields });
const free = { escalation_reason: null };
const status = fc.constantFrom(...taskStatusSchema.options);

describe('status', () => {
  test('COMPLETE is terminal whatever is tried, and FAILED comes from the execution layer only', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(status, fc.boolean()), { maxLength: 12 }), (changes) => {
        let graph = graphOf(task('a'));
        let finished = false;
        for (const [to, fromExecutionLayer] of changes) {
          const from = graph.tasks[0]?.status ?? 'PENDING';
          const allowed = transitionAllowed(from, to, fromExecutionLayer);
          if (!allowed) expect(() => setTaskStatus(graph, 'a', { status: to, fromExecutionLayer })).toThrow();
          else graph = setTaskStatus(graph, 'a', { status: to, fromExecutionLayer });
          finished ||= graph.tasks[0]?.status === 'COMPLETE';
          if (finished) expect(graph.tasks[0]?.status).toBe('COMPLETE');
          if (graph.tasks[0]?.status === 'FAILED' && from !== 'FAILED') expect(fromExecutionLayer).toBe(true);
        }
      }),
      { seed },
    );
  });

  test('only the reviewer opens a finished task again, and only a finished one', () => {
    const graph = graphOf(task('a', { status: 'COMPLETE' }), task('b', { status: 'FAILED' }));
    expect(reopenTask(graph, 'a').tasks[0]?.status).toBe('PENDING');
    expect(reopenTask(graph, 'b')).toBe(graph);
  });
});

describe('selection', () => {
  test('what is picked is eligible, and no more risky task was passed over (bug: unstable sort)', () => {
    const rank = { HIGH: 0, MEDIUM: 1, LOW: 2 };
    const anyTask = fc.record({
      risk: fc.constantFrom('HIGH', 'MEDIUM', 'LOW'),
      done: fc.boolean(),
      needs: fc.array(fc.nat(6), { maxLength: 2 }),
    });
    fc.assert(
      fc.property(fc.array(anyTask, { maxLength: 7 }), (specs) => {
        const graph = graphOf(
          ...specs.map(({ risk, done, needs }, index) =>
            task(`t${index}`, {
              risk_level: risk as Task['risk_level'],
              status: done ? 'COMPLETE' : 'PENDING',
              depends_on: needs.map((need) => `t${need}`),
            }),
          ),
        );
        const eligible = eligibleTasks(graph);
        const selected = selectTask(graph, free);
        expect(selected.task === null).toBe(eligible.length === 0);
        if (!selected.task) return;
        const best = Math.min(...eligible.map(({ risk_level }) => rank[risk_level]));
        expect(selected.task).toBe(eligible.find(({ risk_level }) => rank[risk_level] === best));
        if (selected.parallelDispatch) expect([selected.task.risk_level, selected.concurrent?.risk_level]).not.toContain('HIGH');
      }),
      { seed },
    );
  });

  test('the decision says who was picked before whom and who waits for what', () => {
    const graph = graphOf(task('t1'), task('t3', { risk_level: 'HIGH' }), task('t5', { depends_on: ['t3'] }));
    const { decision } = selectTask(graph, free);
    expect(decision.outcome).toBe('picked t3 (HIGH)');
    expect(decision.because).toContainEqual({ name: 't5 waits for', value: ['t3 (PENDING)'] });
    expect(decision.alternatives[0]?.outcome).toBe('t1 alongside');
  });

  test('a circle is named along its whole way (bug: a run that hangs, or an error without the tasks)', () => {
    const graph = graphOf(task('a', { depends_on: ['c'] }), task('b', { depends_on: ['a'] }), task('c', { depends_on: ['b'] }));
    expect(() => updateTaskGraph(graph)).toThrow(/a → c → b → a/);
  });
});

describe('D6: a failed root does not strand its dependents silently', () => {
  const graph = graphOf(
    task('root', { status: 'FAILED' }),
    task('mid', { depends_on: ['root'] }),
    task('leaf', { depends_on: ['mid'] }),
    task('free'),
  );

  test('direct and indirect dependents become BLOCKED, name the cause, and the reply lists them', () => {
    const blocked = blockDependents(graph, 'root');
    expect(blocked.tasks.map((item) => [item.id, item.status, item.blocked_by])).toEqual([
      ['root', 'FAILED', undefined],
      ['mid', 'BLOCKED', 'root'],
      ['leaf', 'BLOCKED', 'root'],
      ['free', 'PENDING', undefined],
    ]);
    expect(describeBlocked(blocked)).toEqual(['"do root" failed, so these did not run: "do mid", "do leaf"']);
  });

  test('when the root is tried again they wait again', () => {
    const released = releaseDependents(blockDependents(graph, 'root'), 'root');
    expect(released.tasks.map((item) => item.status)).toEqual(['FAILED', 'PENDING', 'PENDING', 'PENDING']);
    expect(released.tasks[1]).not.toHaveProperty('blocked_by');
  });
});

describe('D7: merging a parallel branch', () => {
  const change = (id: string) => ({ id, description: id, affected_paths: [], timestamp: '2026-01-01T12:00:00.000Z' });
  const left: WorldModel = { ...emptyWorldModel(), generation_id: 4, environment_change_log: [change('a')], stale_flags: { x: true } };
  const right: WorldModel = {
    ...emptyWorldModel(),
    generation_id: 3,
    environment_change_log: [change('b')],
    stale_flags: { x: false, y: true },
  };

  test('environment log and stale flags of both branches survive (bug: those of the second branch were dropped)', () => {
    const merged = mergeWorldModels(left, right);
    expect(merged.environment_change_log.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(merged.stale_flags).toEqual({ x: true, y: true });
    expect(merged.generation_id).toBe(4);
  });

  test('the reference parameter drops them', () => {
    expect(mergeWorldModels(left, right, { unite: false }).stale_flags).toEqual({});
  });
});

test('a criterion that a new scope leaves open becomes a task whose id is not taken yet', () => {
  const graph = graphOf(task('task-1', { description: 'write docs', status: 'COMPLETE' }));
  const { taskGraph } = revalidateTaskGraph(graph, ['docs']);
  expect(taskGraph.tasks.map(({ id }) => id)).toEqual(['task-1', 'task-2']);
});
