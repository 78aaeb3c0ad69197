import { expect, test } from 'vitest';
import { formatInstant, parseInstant } from '@/harness/layers/shared/instant';
import { fakeContext } from '../../testing/fake-context';
import { channelValues } from '../support/state';
import { executeDiagnostics } from './execute';
import { diagnostics } from './node';

const minute = 60_000;
const start = parseInstant('2026-01-01T00:00:00.000Z');
const iso = formatInstant;

const run = async (given: Record<string, unknown>, config = {}, now = start) => {
  const fake = fakeContext(diagnostics, { state: channelValues(given), config, now });
  const result = await executeDiagnostics.execute(fake.context);
  return { output: result.output as Record<string, number>, writes: result.writes ?? {}, decisions: fake.decisions };
};

const chain = (length: number) => ({
  taskGraph: { tasks: Array.from({ length }, (_, index) => ({ id: `t${index}`, description: 'd', status: 'COMPLETE' })) },
  worldModel: {
    observations: Array.from({ length }, (_, index) => ({
      id: `exec-t${index}-1`,
      content: 'c',
      source: 's',
      recorded_at: iso(start),
      task_id: `t${index}`,
    })),
  },
  hypothesisSet: { active: [{ id: 'h', explanation: 'e', confidence: 1, generation_sources: ['analogy'] }] },
});

test('a run of successes blocked itself, or the reference cannot be restored (D1)', async () => {
  expect((await run(chain(1000))).output.symptom_coverage).toBe(1);
  expect((await run(chain(1000), { counting: 'all' })).output.symptom_coverage).toBe(0.001);
});

const belief = { id: 'b', statement: 's', confidence: 1, derived_from: ['src/a.ts'], recorded_at: iso(start) };

test('an old belief, or one whose source changed later, counted as fresh', async () => {
  const old = await run({ worldModel: { beliefs: [belief] } }, {}, start + 31 * minute);
  expect(old.output.belief_freshness).toBe(0);
  expect(old.writes).toMatchObject({ worldModel: { stale_flags: { b: true }, generation_id: 1 } });
  expect(old.decisions[0]).toMatchObject({ outcome: 'stale: b', because: [{ operator: '>', threshold: 30 }] });
  const patient = await run({ worldModel: { beliefs: [belief] } }, { ttlMinutes: 60 }, start + 31 * minute);
  expect(patient.output.belief_freshness).toBe(1);
  expect(patient.writes).not.toHaveProperty('worldModel');
  const change = { id: 'c', description: '', affected_paths: ['src/a.ts'], timestamp: iso(start + 1) };
  expect((await run({ worldModel: { beliefs: [belief], environment_change_log: [change] } })).output.belief_freshness).toBe(0);
});

test('near the end of the step budget feasibility was not capped, or granted steps did not count', async () => {
  const late = {
    goal: { max_steps: 10 },
    worldModel: { completeness_flags: { a: true }, observations: [{ id: 'o', content: '', source: '', recorded_at: iso(start) }] },
  };
  const capped = await run({ ...late, progress: { steps_used: 8 } });
  expect(capped.output.verification_feasibility).toBe(0.5);
  expect(capped.decisions.at(-1)).toMatchObject({ rule: 'step budget', because: [{ value: 8, operator: '>=', threshold: 8 }, {}] });
  for (const [given, config] of [
    [{ ...late, progress: { steps_used: 7 } }, {}],
    [{ ...late, progress: { steps_used: 8, extra_steps: 10 } }, {}],
    [{ ...late, progress: { steps_used: 8 } }, { feasibilityCap: 1 }],
  ] as const)
    expect((await run(given, config)).output.verification_feasibility).toBeGreaterThan(0.5);
});

test('a match that recovery’s model check found was wiped where words are not matched', async () => {
  const matched_pattern = { failure_class: 'X', confidence: 0.9, matched_pattern: 'x' };
  const given = { failureDiagnostics: { matched_pattern } };
  expect((await run(given, { lexicalMatching: false })).writes).not.toHaveProperty('failureDiagnostics');
  expect((await run(given)).writes).toMatchObject({ failureDiagnostics: { matched_pattern: null } });
});

test('derivations faded twice per pass of a loop with two diagnostics nodes', async () => {
  const given = { beliefDepGraph: { derived_from_edges: [{ from: 'a', to: 'b', confidence: 1, verified: false }] } };
  expect((await run(given)).writes).toMatchObject({ beliefDepGraph: { derived_from_edges: [{ confidence: 0.95 }] } });
  expect((await run(given, { decayHere: false })).writes).not.toHaveProperty('beliefDepGraph');
});
