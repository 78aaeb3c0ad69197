import { expect, test } from 'vitest';
import { operationalError } from '@/harness/contract/errors';
import { fakeContext, type Scripted } from '../../testing/fake-context';
import { type ControlChannels, channelValues } from '../support/state';
import { executeHypothesis } from './execute';
import { hypothesis } from './node';

const evidence = (id: string) => ({
  id,
  obs: `saw ${id}`,
  reliability: 'HIGH',
  source: 'read_file',
  evidence_type: 'OBSERVATION',
  freshness: '2026-01-01T00:00:00.000Z',
});

const run = async (given: Record<string, unknown>, config = {}, replies: Scripted[] = []) => {
  const fake = fakeContext(hypothesis, { state: channelValues(given), config, replies });
  const result = await executeHypothesis.execute(fake.context);
  const { active, eliminated } = result.output as unknown as { active: { id: string }[]; eliminated: string[] };
  return { ...fake, writes: result.writes ?? {}, active: active.map(({ id }) => id), eliminated };
};

test('a visit without any input raised nothing, or seeds ignored their configured confidence', async () => {
  const plain = await run({});
  expect(plain.active).toEqual(['symp_default', 'counter_default', 'fml_unknown', 'analogy_default']);
  const fallen = await run({}, { seeds: { unknownFailure: 0.01 } });
  expect(fallen.active).not.toContain('fml_unknown');
  expect(fallen.eliminated).toEqual(['fml_unknown']);
  expect((await run({}, { seeds: { unknownFailure: 0.01 }, floor: 0 })).active).toContain('fml_unknown');
});

test('a contradicted hypothesis stayed alive', async () => {
  const contradictions = [
    { id: 'c', type: 'pairwise', severity: 'LOW', scope: 'local', description: 'against symp_default', involved_belief_ids: [] },
  ];
  expect((await run({ worldModel: { contradictions } })).eliminated).toEqual(['symp_default']);
});

const many = Array.from({ length: 12 }, (_, index) => ({
  id: `h${index}`,
  explanation: `e${index}`,
  confidence: 0.9 - index / 100,
  generation_sources: ['analogy'],
}));

test('pruned hypotheses vanished without a trace, or the limits of config did not hold', async () => {
  const pruned = await run({ hypothesisSet: { active: many } });
  expect(pruned.active).toEqual(['h0', 'h1', 'h2', 'h3', 'h4']);
  const regions = (pruned.writes.memoryState as unknown as ControlChannels['memoryState']).compression_risk.pruned_regions;
  expect(regions.map(({ id }) => id)).toContain('hypothesis_h11');
  expect((await run({ hypothesisSet: { active: many } }, { maxActive: 100 })).active.length).toBeGreaterThan(12);
});

const proposal = { object: { hypotheses: [{ explanation: 'the clock is wrong', confidence: 0.7 }] } };

test('a model was asked for hypotheses more than once, or when nobody wanted it', async () => {
  const asked = await run({}, { propose: 'always' }, [proposal]);
  expect(asked.active).toContain('sem_1');
  expect(asked.writes).toMatchObject({ progress: { hypotheses_asked: true } });
  expect((await run({ progress: { hypotheses_asked: true } }, { propose: 'always' })).requests).toHaveLength(0);
  expect((await run({}, { propose: 'underdetermined' })).requests).toHaveLength(0);
  const open = await run({ turnPolicy: { riskLevel: 'LOW', isUnderdetermined: true } }, { propose: 'underdetermined' }, [proposal]);
  expect(open.requests).toHaveLength(1);
});

test('a failed call for hypotheses ended the run, or the trace does not say that only seeds count', async () => {
  const { active, decisions, writes } = await run({}, { propose: 'always' }, [operationalError('MODEL_UNAVAILABLE', 'down')]);
  expect(active).toHaveLength(4);
  expect(decisions[0]).toMatchObject({ rule: 'model check failed', outcome: 'only the seeds count as hypotheses' });
  expect(writes).toMatchObject({ progress: { hypotheses_asked: true } });
});

test('the judge saw old evidence again, or eliminated what it may not judge', async () => {
  const active = [
    { id: 'sem_1', explanation: 'a', confidence: 0.5, generation_sources: ['semantic'] },
    { id: 'own', explanation: 'b', confidence: 0.5, generation_sources: ['analogy'] },
  ];
  const given = {
    hypothesisSet: { active },
    evidenceStore: { observations: [evidence('e1'), evidence('e2')] },
    progress: { judged_evidence: 1 },
  };
  const verdict = {
    object: {
      contradicted: [
        { id: 'sem_1', reason: 'e2 says so' },
        { id: 'own', reason: 'x' },
      ],
    },
  };
  const { eliminated, requests, writes } = await run(given, { judge: true }, [verdict]);
  expect(eliminated).toEqual(['sem_1']);
  expect(requests[0]?.messages.at(-1)?.content).not.toContain('saw e1');
  expect(writes).toMatchObject({ progress: { judged_evidence: 2 } });
  expect((await run({ ...given, progress: { judged_evidence: 2 } }, { judge: true })).requests).toHaveLength(0);
});

test('no proposed hypothesis ever predicted a conflict, or it predicted one of beliefs that do not exist', async () => {
  const believed = { id: 'b1', statement: 's', confidence: 1, derived_from: ['o1'], recorded_at: '2026-01-01T00:00:00.000Z' };
  const state = { worldModel: { beliefs: [believed, { ...believed, id: 'b2' }] } };
  const object = { hypotheses: [{ explanation: 'two servers', confidence: 0.7, conflicting_beliefs: ['b2', 'nowhere', 'b1'] }] };
  const asked = await run(state, { propose: 'always' }, [{ object }]);
  const { active } = asked.writes.hypothesisSet as unknown as ControlChannels['hypothesisSet'];
  expect(active.find(({ id }) => id === 'sem_1')?.discriminating_evidence).toEqual(['b2', 'b1']);
});
