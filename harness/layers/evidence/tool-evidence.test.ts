import { expect, test } from 'vitest';
import { withSources } from './sources';
import { emptyEvidenceStore } from './state';
import { type CalledTool, collect, defaultToolEvidenceConfig as config, evidenceOfCall, evidenceOfTask } from './tool-evidence';

const at = '2026-01-01T00:00:00.000Z';
const call = (over: Partial<CalledTool> = {}): CalledTool => ({
  id: 'c',
  tool: 'web_search',
  input: { q: 'x' },
  status: 'ok',
  output: 'found',
  at,
  task_id: 't',
  ...over,
});
const store = withSources(emptyEvidenceStore(), [{ name: 'web_search', ceiling: 'MEDIUM' }]);

test('a tool’s answer counted for more than its ceiling, or the trace did not say that it was lowered', () => {
  const { added, decisions } = collect(store, [evidenceOfCall(call(), config)], config);
  expect(added[0]?.reliability).toBe('MEDIUM');
  expect(decisions[0]?.outcome).toBe('web_search HIGH capped to MEDIUM by its ceiling');
});

test('a ceiling set in the inspector did not count', () => {
  const low = { ...config, ceilings: { web_search: 'LOW' as const } };
  expect(collect(store, [evidenceOfCall(call(), low)], low).added[0]?.reliability).toBe('LOW');
});

test('the same call became evidence twice', () => {
  const once = collect(store, [evidenceOfCall(call(), config)], config);
  const twice = collect(
    once.store,
    [evidenceOfCall(call(), config), evidenceOfCall(call({ id: 'd' }), config), evidenceOfCall(call({ id: 'd' }), config)],
    config,
  );
  expect(twice.added.map(({ id }) => id)).toEqual(['d']);
});

test('a source that is not listed gave evidence', () => {
  const { added, refused, decisions } = collect(store, [evidenceOfCall(call({ tool: 'unknown' }), config)], config);
  expect([added, refused]).toEqual([[], ['unknown']]);
  expect(decisions[0]?.outcome).toBe('nothing collected');
});

test('an error was an ordinary observation, or its symptom was not named', () => {
  const failed = evidenceOfCall(call({ status: 'failed', output: 'ENOENT: no such file' }), config);
  expect(failed).toMatchObject({ evidence_type: 'SYSTEM_ERROR', obs: expect.stringContaining('[file not found]') });
  const { added } = collect(store, [failed], { ...config, ceilings: {} });
  expect(added[0]?.evidence_type).toBe('SYSTEM_ERROR');
  expect(evidenceOfCall(call({ status: 'denied', output: 'no' }), config)).toMatchObject({
    evidence_type: 'OBSERVATION',
    obs: expect.stringContaining('refused'),
  });
});

test('evidence did not say which files it is about, so nothing went stale when they changed', () => {
  const { added } = collect(
    store,
    [evidenceOfCall(call({ input: { path: './a.js' }, output: { path: 'a.js', content: '' } }), config)],
    config,
  );
  expect(added[0]).toMatchObject({ paths: ['a.js'], task_id: 't' });
});

test('a finished task left no evidence, a failure that is no system error left one', () => {
  const task = { id: 't', description: 'Mend', step: 4, at };
  expect(evidenceOfTask({ ...task, outcome: { status: 'done', output: 'y'.repeat(500) } }, config)).toMatchObject([
    { id: 'exec-t-4', obs: 'Task executed: Mend', reliability: 'HIGH', source: 'execution_engine' },
    { id: 'result-t-4', obs: `Result: ${'y'.repeat(200)}`, reliability: 'MEDIUM', source: 'result_inspection' },
  ]);
  expect(evidenceOfTask({ ...task, outcome: { status: 'failed', error: 'x', systemError: false } }, config)).toEqual([]);
  expect(evidenceOfTask({ ...task, outcome: { status: 'failed', error: 'HTTP 503', systemError: true } }, config)).toMatchObject([
    { id: 'error-t-4', evidence_type: 'SYSTEM_ERROR', obs: '[server error] Tool execution failed: HTTP 503' },
  ]);
});

test('a tool marked unavailable came back', () => {
  const gone = { ...store, tool_availability_manifest: { web_search: { available: false, fallback_tool: null } } };
  expect(withSources(gone, [{ name: 'web_search', ceiling: 'HIGH' }])).toBe(gone);
});
