import { expect, test } from 'vitest';
import { evidenceStoreSchema } from '../../evidence/state';
import { type Belief, beliefSchema, worldModelSchema } from '../../world-model/state';
import { acknowledgeEscalations } from './acknowledge';
import { outsideSources, rereadStatus } from './reread';

const at = '2026-01-01T10:00:00.000Z';
const belief = (fields: Partial<Belief>) =>
  beliefSchema.parse({ id: 'b', statement: 's', confidence: 1, derived_from: ['e1', 'src/a.ts'], recorded_at: at, ...fields });
const evidence = evidenceStoreSchema.parse({
  observations: [
    {
      id: 'e1',
      obs: 'read src/a.ts:\nexport const limit = 12;',
      reliability: 'HIGH',
      source: 'read_file',
      evidence_type: 'OBSERVATION',
      freshness: at,
    },
  ],
});
const world = (timestamp: string) =>
  worldModelSchema.parse({ environment_change_log: [{ id: 'c', description: '', affected_paths: ['src/a.ts'], timestamp }] });

test('a source that still says what was read counted as changed, or the other way round', () => {
  const reading = { source: 'src/a.ts', beliefs: [belief({})], worldModel: world('2026-01-01T11:00:00.000Z'), evidence };
  expect(rereadStatus({ ...reading, content: '// head\nexport const limit = 12;\n' })).toBe('same');
  expect(rereadStatus({ ...reading, content: 'export const limit = 13;' })).toBe('changed');
  expect(rereadStatus({ ...reading, content: null })).toBe('gone');
});

test('a changed last line was missed, because the answer of a tool ends in its envelope', () => {
  const content = '1: # Rules\n2: The limit is disabled, it grows for ever.';
  const answer = JSON.stringify({ path: 'src/a.ts', content, totalLines: 2 });
  const obs = `read_file {"path":"src/a.ts"}: ${answer}`;
  const seen = { ...evidence, observations: evidence.observations.map((entry) => ({ ...entry, obs })) };
  const reading = { source: 'src/a.ts', beliefs: [belief({})], worldModel: world('2026-01-01T11:00:00.000Z'), evidence: seen };
  expect(rereadStatus({ ...reading, content })).toBe('same');
  expect(rereadStatus({ ...reading, content: content.replace('disabled, it grows for ever', 'ten, whatever comes') })).toBe('changed');
});

test('without text on record a source that was written later counted as fresh', () => {
  const reading = { source: 'src/a.ts', content: 'x', beliefs: [belief({ derived_from: ['src/a.ts'] })], evidence };
  expect(rereadStatus({ ...reading, worldModel: world('2026-01-01T11:00:00.000Z') })).toBe('changed');
  expect(rereadStatus({ ...reading, worldModel: world('2026-01-01T09:00:00.000Z') })).toBe('same');
});

test('evidence on record was looked up outside', () => {
  expect(outsideSources([belief({ supporting_evidence: ['https://x.example'] })], world(at), evidence)).toEqual([
    'src/a.ts',
    'https://x.example',
  ]);
});

test('a dimension for which a person had answered called again at once', () => {
  const log = { unchanged: { 'a:x': 2, 'b:y': 1 }, escalated_dimension: 'a' };
  expect(acknowledgeEscalations(log, [{ dimension: 'a' }])).toEqual({ unchanged: { 'b:y': 1 }, escalated_dimension: null });
});
