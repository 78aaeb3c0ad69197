import { describe, expect, test } from 'vitest';
import { newTask } from '../planning/revalidate';
import { selectTask } from '../planning/select';
import { pendingProposalSchema, resumedTasks } from './proposal';
import { estimateRisk, raiseTaskRisk } from './risk';
import { symptomOf, systemErrorText } from './symptoms';
import { estimateVoi } from './voi';

test('D8: a run resumed at the gate brings both tasks of a pair back (bug: the parallel candidate was lost)', () => {
  const pending = pendingProposalSchema.parse({ taskId: 'a', concurrentTaskId: 'b', gateResult: 'PASS' });
  expect(resumedTasks(pending, new Set(['a', 'b']))).toEqual(['a', 'b']);
  expect(resumedTasks(pending, new Set(['b']))).toEqual(['b']);
  expect(resumedTasks({ ...pending, gateResult: 'BLOCK' }, new Set(['a', 'b']))).toEqual([]);
});

describe('D10: the risk estimate counts', () => {
  test('a large change makes its task HIGH, and HIGH tasks run alone (bug: estimate computed and thrown away)', () => {
    const graph = {
      tasks: [newTask({ id: 'a', description: 'a' }), newTask({ id: 'b', description: 'b' })],
      conflict_probability_cache: {},
      changed: false,
    };
    expect(selectTask(graph, { escalation_reason: null }).parallelDispatch).toBe(true);
    const { risk } = estimateRisk({ module_type: 'business_logic', lines_affected: 500, functions_affected: 20 }, graph);
    const raised = { ...graph, tasks: raiseTaskRisk(graph.tasks, 'a', risk) };
    expect(selectTask(raised, { escalation_reason: null }).parallelDispatch).toBe(false);
    expect(raiseTaskRisk(raised.tasks, 'a', 'LOW')[0]?.risk_level).toBe('HIGH');
  });
});

test('errors are named by what they mean, the first rule that fits', () => {
  expect(symptomOf('ENOENT: no such file or directory')).toBe('file not found');
  expect(symptomOf('HTTP 503 from upstream')).toBe('server error');
  expect(symptomOf('boom')).toBeNull();
  expect(systemErrorText('connect ECONNREFUSED')).toBe('[connection refused] Tool execution failed: connect ECONNREFUSED');
});

test('value of information names both of its reasons with their distance', () => {
  const { decision } = estimateVoi({ activeHypotheses: 4, verificationStrength: 0.2, tools: {} });
  expect(decision.outcome).toBe('gather evidence first');
  expect(decision.because[0]).toMatchObject({ name: 'value of information', value: 0.6, threshold: 0.5, holds: true });
});
