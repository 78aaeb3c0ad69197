import { describe, expect, test } from 'vitest';
import { addDerivations, soundBeliefs, verifyDerivations } from '../belief-graph/derivations';
import { emptyBeliefDepGraph } from '../belief-graph/state';
import { referenceReviewGateConfig, reviewProposal } from '../execution/review-gate';
import { newTask } from '../planning/revalidate';
import { defaultReviewerConfig, referenceReviewerConfig } from '../reviewer/lenses';
import { reviewerPass } from '../reviewer/pass';
import { emptyWorldModel } from '../world-model/state';
import { updateWorldModel } from '../world-model/update';
import { type VerifyInput, verify } from './verify';

const evidence = (id: string) => ({
  id,
  obs: 'o',
  reliability: 'HIGH' as const,
  source: 's',
  evidence_type: 'OBSERVATION' as const,
  freshness: '2026-01-01T12:00:00.000Z',
});
const input = (fields: Partial<VerifyInput> = {}): VerifyInput => ({
  result: 'ok',
  successCriteria: [],
  assumptions: [],
  evidence: [evidence('e1'), evidence('e2')],
  tools: {},
  contradictions: [],
  requiredSections: null,
  ...fields,
});

describe('D9: checks that really decide', () => {
  test('a command that ran decides unit; SKIPPED stays "not verified" and is never counted as a pass', () => {
    const { verification, decisions } = verify(input({ backing: { unit: { status: 'FAIL', detail: 'exit 1, 3 of 41 failed' } } }));
    expect(verification.checks.find(({ check }) => check === 'unit')).toMatchObject({ status: 'FAIL', detail: 'exit 1, 3 of 41 failed' });
    expect(verification.has_critical_failure).toBe(true);
    expect(verification.verified).toBe(3);
    expect(decisions[0]?.because.find(({ name }) => name === 'goal_correctness')?.value).toBe('SKIPPED (no judge configured)');
    expect(decisions[0]?.note).toBe('3 verified, 5 not verified');
  });

  test('an unavailable tool is SKIPPED even when something claims to back it', () => {
    const { verification } = verify(
      input({ tools: { pytest: { available: false, fallback_tool: null } }, backing: { unit: { status: 'PASS', detail: '' } } }),
    );
    expect(verification.checks.find(({ check }) => check === 'unit')?.status).toBe('SKIPPED');
  });
});

describe('D12: derivations', () => {
  const observed = updateWorldModel(emptyWorldModel(), { evidence: evidence('e1') }).worldModel;
  const { worldModel, belief } = updateWorldModel(observed, {
    evidence: { ...evidence('b1'), evidence_type: 'INFERENCE' },
    beliefInput: { statement: 's', derived_from: ['e1'] },
  });

  test('a belief gets an edge from what it derives from, once, and verification marks it', () => {
    if (!belief) throw new Error('no belief');
    const once = addDerivations(emptyBeliefDepGraph(), belief);
    expect(once.derived_from_edges).toEqual([{ from: 'e1', to: 'b1', confidence: 1, verified: false }]);
    expect(once.unverified_edge_ratio).toBe(1);
    expect(addDerivations(once, belief)).toBe(once);
    const sound = soundBeliefs(worldModel, new Set());
    expect(verifyDerivations(once, sound).graph.unverified_edge_ratio).toBe(0);
  });

  test('what derives from something unknown, stale or disputed is not verified', () => {
    const bare = { ...worldModel, observations: [] };
    expect(soundBeliefs(bare, new Set()).size).toBe(0);
    expect(soundBeliefs({ ...worldModel, stale_flags: { b1: true } }, new Set()).size).toBe(0);
    const conflict = {
      id: 'c',
      type: 'pairwise' as const,
      severity: 'HIGH' as const,
      scope: 'local' as const,
      description: '',
      involved_belief_ids: ['b1'],
    };
    expect(soundBeliefs({ ...worldModel, contradictions: [conflict] }, new Set()).size).toBe(0);
  });

  test('INV-01: a belief without a derivation is refused and nothing changes', () => {
    expect(() =>
      updateWorldModel(worldModel, {
        evidence: { ...evidence('b2'), evidence_type: 'INFERENCE' },
        beliefInput: { statement: 's', derived_from: [] },
      }),
    ).toThrow(/derived_from required/);
  });
});

describe('D13: the review gate judges the proposal', () => {
  const belief = {
    id: 'b',
    statement: 'login is required',
    confidence: 0.9,
    derived_from: ['o'],
    supporting_evidence: [],
    reliability: '',
    recorded_at: '',
  };
  const review = {
    proposal: {
      description: 'tidy up',
      tool: 'edit_file',
      arguments: '{"path":"auth.ts"}',
      diff: '- remove the login check that is required',
    },
    task: { id: 't', description: 'tidy up' },
    beliefs: [belief],
    requiredSections: [],
    hypotheses: [],
    tools: {},
    failuresSoFar: 0,
  };

  test('a diff that negates a belief fails although the description is harmless', () => {
    const result = reviewProposal(review);
    expect(result.failed.map(({ dimension }) => dimension)).toEqual(['world_model_consistency']);
    expect(result.decision.because).toHaveLength(6);
  });

  test('the reference parameter sees the description only', () => {
    expect(reviewProposal(review, referenceReviewGateConfig).passed).toBe(true);
  });
});

describe('D5 and D10: what reopens a task', () => {
  const tasks = [
    newTask({ id: 'task-7', description: 'do', status: 'COMPLETE' }),
    newTask({ id: 'task-8', description: 'do', status: 'COMPLETE' }),
  ];
  const contradiction = {
    id: 'c',
    type: 'pairwise' as const,
    severity: 'HIGH' as const,
    scope: 'local' as const,
    description: 'see task-8 for the way it was done',
    involved_belief_ids: ['b1'],
  };
  const worldModel = {
    ...emptyWorldModel(),
    observations: [{ id: 'o7', content: '', source: 's', recorded_at: '', task_id: 'task-7' }],
    beliefs: [
      { id: 'b1', statement: 's', confidence: 0.9, derived_from: ['o7'], supporting_evidence: [], reliability: '', recorded_at: '' },
    ],
    contradictions: [contradiction],
  };
  const pass = (config = defaultReviewerConfig, adversarialFailures: string[] = []) =>
    reviewerPass(
      {
        worldModel,
        beliefGraph: emptyBeliefDepGraph(),
        taskGraph: { tasks, conflict_probability_cache: {}, changed: false },
        successCriteria: [],
        classPriors: {},
        adversarialFailures,
        runAdversarial: true,
      },
      config,
    );

  test('the task the disputed belief came from, not the one whose id occurs in the text', () => {
    expect(pass().reopenedTaskIds).toEqual(['task-7']);
    expect(pass(referenceReviewerConfig).reopenedTaskIds).toEqual(['task-8']);
  });

  test('a failed adversarial check is a finding that reopens its task', () => {
    expect(pass(defaultReviewerConfig, ['task-8']).reopenedTaskIds).toEqual(['task-7', 'task-8']);
  });
});
