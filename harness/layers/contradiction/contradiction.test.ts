import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyBeliefDepGraph } from '../belief-graph/state';
import { defaultLexicon } from '../shared/lexicon';
import { type Belief, emptyWorldModel } from '../world-model/state';
import { defaultContradictionConfig, referenceContradictionConfig } from './config';
import { detectContradictions } from './detect';
import { beliefsToCheck, recordExternalContradiction } from './external';
import { opposed, statementReader } from './opposition';
import { opposedPairs } from './pairs';

const seed = 20_260_102;
const belief = (id: string, statement: string, confidence = 0.9): Belief => ({
  id,
  statement,
  confidence,
  derived_from: ['o1'],
  supporting_evidence: [],
  reliability: '',
  recorded_at: '2026-01-01T11:50:00.000Z',
});
const model = (beliefs: Belief[]) => ({ ...emptyWorldModel(), beliefs });
const run = (worldModel: ReturnType<typeof model>, config = defaultContradictionConfig) =>
  detectContradictions({ worldModel, graph: emptyBeliefDepGraph(), hypotheses: [] }, config);

const words = fc.constantFrom(
  'build',
  'cache',
  'passed',
  'failed',
  'not',
  'is',
  'is not',
  'enabled',
  'disabled',
  'the',
  'no',
  '可用',
  '不可用',
  'server',
);
const statements = fc.array(words, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(' '));

describe('comparing beliefs', () => {
  test('the index finds exactly the pairs that comparing all with all finds (bug: an inverted index that misses conflicts)', () => {
    fc.assert(
      fc.property(fc.array(statements, { maxLength: 14 }), (texts) => {
        const beliefs = texts.map((text, index) => belief(`b${index}`, text));
        const reader = statementReader(defaultLexicon);
        const all: [number, number][] = [];
        for (let j = 0; j < texts.length; j += 1) {
          for (let i = 0; i < j; i += 1) if (opposed(reader.read(texts[i] ?? ''), reader.read(texts[j] ?? ''))) all.push([i, j]);
        }
        expect(opposedPairs(beliefs, new Set(beliefs.keys()), defaultLexicon)).toEqual([...all].sort((a, b) => a[0] - b[0] || a[1] - b[1]));
      }),
      { seed },
    );
  });

  test('a large group is searched by token and gives the same pairs as a small one (bug: the shortcut for large groups misses or doubles)', () => {
    const beliefs = Array.from({ length: 200 }, (_, index) =>
      belief(`b${index}`, `part ${index % 7} ${index % 3 === 0 ? 'passed' : 'failed'}`.replace('part', index % 2 === 0 ? 'part' : 'piece')),
    );
    const reader = statementReader(defaultLexicon);
    const marks = beliefs.map(({ statement }) => reader.read(statement));
    const all = marks.flatMap((right, j) =>
      marks.slice(0, j).flatMap((left, i): [number, number][] => (opposed(left, right) ? [[i, j]] : [])),
    );
    expect(opposedPairs(beliefs, null, defaultLexicon)).toEqual(all.sort((a, b) => a[0] - b[0] || a[1] - b[1]));
  });

  test('beliefs that come in batches end with the same pairs as beliefs that come at once (bug: only new beliefs compared with new ones)', () => {
    fc.assert(
      fc.property(fc.array(statements, { minLength: 1, maxLength: 10 }), fc.nat(10), (texts, cut) => {
        const beliefs = texts.map((text, index) => belief(`b${index}`, text, 0.7));
        const pairs = (found: { type: string; involved_belief_ids: string[] }[]) =>
          found
            .filter(({ type }) => type === 'pairwise')
            .map(({ involved_belief_ids }) => involved_belief_ids.join())
            .sort();
        // Penalties of the first batch may push a pair below the skip limit, so penalties are off here.
        const config = { ...defaultContradictionConfig, mediumFactor: 1, lowFactor: 1 };
        const first = run(model(beliefs.slice(0, cut)), config).worldModel;
        const second = run({ ...first, beliefs: [...first.beliefs, ...beliefs.slice(cut)] }, config).worldModel;
        expect(pairs(second.contradictions)).toEqual(pairs(run(model(beliefs), config).worldModel.contradictions));
      }),
      { seed },
    );
  });
});

describe('D2: one record per set of beliefs', () => {
  const beliefs = [belief('b1', 'the build passed', 0.7), belief('b2', 'the build failed', 0.7)];

  test('a second check finds nothing new and lowers no confidence again (bug: recorded every iteration, consistency falls to 0)', () => {
    const first = run(model(beliefs));
    const second = run(first.worldModel);
    expect(first.found).toHaveLength(1);
    expect(second.found).toEqual([]);
    expect(second.worldModel.beliefs).toEqual(first.worldModel.beliefs);
  });

  test('the reference parameter records it again', () => {
    const first = run(model(beliefs), referenceContradictionConfig);
    expect(run(first.worldModel, referenceContradictionConfig).worldModel.contradictions).toHaveLength(2);
  });

  test('a statement is not read again in a later check (bug: 1,000 beliefs tokenised pair by pair)', () => {
    let reads = 0;
    const counted = (id: string, text: string): Belief => {
      const item = belief(id, text);
      Object.defineProperty(item, 'statement', {
        enumerable: true,
        get: () => {
          reads += 1;
          return text;
        },
      });
      return item;
    };
    const many = Array.from({ length: 1000 }, (_, index) => counted(`b${index}`, `fact number ${index} about module ${index % 40}`));
    const first = run(model(many)).worldModel;
    reads = 0;
    run({ ...first, beliefs: [...first.beliefs, counted('new', 'fact about nothing')] });
    expect(reads).toBeLessThan(50);
  });

  test('a flood of conflicts is capped and says so (bug: ten negations among a thousand beliefs give millions of chains)', () => {
    const flood = Array.from({ length: 300 }, (_, index) => belief(`b${index}`, index % 30 === 0 ? 'item is not fine' : 'item is fine'));
    const result = run(model(flood));
    expect(result.found.length).toBeLessThanOrEqual(2 * defaultContradictionConfig.maxPerCheck);
    expect(result.decisions.at(-1)?.rule).toBe('limit of conflicts per check');
  });
});

test('a HIGH pair that a live hypothesis predicted breaks the system and leaves confidences alone', () => {
  const beliefs = [belief('b1', 'the build passed'), belief('b2', 'the build failed')];
  const hypothesis = {
    id: 'h',
    explanation: '',
    confidence: 0.5,
    predicted_observations: [],
    discriminating_evidence: ['b2', 'b1'],
    generation_sources: [],
    diversity_score: 0,
  };
  const result = detectContradictions({ worldModel: model(beliefs), graph: emptyBeliefDepGraph(), hypotheses: [hypothesis] });
  expect(result.found.map(({ severity, scope }) => [severity, scope])).toEqual([['SYSTEM_BREAKING', 'global']]);
  expect(result.worldModel.beliefs.map(({ confidence }) => confidence)).toEqual([0.9, 0.9]);
  expect(result.graph.invalidation_frontier).toEqual([]);
});

test('a conflict found by a model check is MEDIUM and recorded once for a set whatever its order', () => {
  const state = { worldModel: model([belief('b1', 'x'), belief('b2', 'y')]), graph: emptyBeliefDepGraph() };
  const first = recordExternalContradiction(state, { beliefIds: ['b1', 'b2'], description: 'they exclude each other' });
  expect(first.recorded?.severity).toBe('MEDIUM');
  expect(first.worldModel.beliefs[0]?.confidence).toBeCloseTo(0.675);
  expect(recordExternalContradiction(first, { beliefIds: ['b2', 'b1'], description: 'again' }).recorded).toBeNull();
});

test('a model check is asked only when there is something to compare with', () => {
  const [one, two] = [belief('b1', 'x'), belief('b2', 'y')];
  expect(beliefsToCheck([one], new Set())).toBeNull();
  expect(beliefsToCheck([one, two], new Set())?.fresh).toHaveLength(2);
  expect(beliefsToCheck([one, two], new Set(['b1']))?.known).toHaveLength(1);
  expect(beliefsToCheck([one], new Set(['b1']))).toBeNull();
});

test('a conflict on record was never raised by a hypothesis that predicts it later, so it could not break the system', () => {
  const first = run(model([belief('b1', 'the server is online'), belief('b2', 'the server is offline')]));
  expect(first.found.map(({ severity }) => severity)).toEqual(['HIGH']);
  const predicting = {
    id: 'h',
    explanation: 'two servers answer',
    confidence: 0.5,
    predicted_observations: [],
    discriminating_evidence: ['b2', 'b1'],
    generation_sources: ['semantic'],
    diversity_score: 0,
  };
  const input = { worldModel: first.worldModel, graph: first.graph, hypotheses: [predicting] };
  const second = detectContradictions(input);
  expect(second.worldModel.contradictions.map(({ severity }) => severity)).toEqual(['SYSTEM_BREAKING']);
  expect(second.found).toHaveLength(1);
  expect(detectContradictions({ ...input, worldModel: second.worldModel }).found).toEqual([]);
  expect(detectContradictions({ ...input, hypotheses: [] }).found).toEqual([]);
});
