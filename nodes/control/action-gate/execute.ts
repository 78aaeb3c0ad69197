import { isBridleError, toErrorRecord } from '@/harness/contract/errors';
import type { ExecuteContext } from '@/harness/contract/execute';
import { implementNode } from '@/harness/contract/execute';
import type { ConfigOf } from '@/harness/contract/node';
import { actionGate as decideGate, type GateResult } from '@/harness/layers/execution/action-gate';
import { needsApproval, neverResolved, recordGate } from '@/harness/layers/execution/gate-record';
import { setTaskStatus } from '@/harness/layers/planning/transitions';
import { ensureFresh } from '@/harness/layers/world-model/generation';
import type { Proposal } from '../channels';
import { type ControlChannels, stateOf } from '../support/state';
import { proposalOf, proposalTitle, type Work, withNote, workOf } from '../support/work';
import { writesOf } from '../support/writes';
import { actionGate } from './node';

type Context = ExecuteContext<ConfigOf<typeof actionGate>>;

interface Gated {
  result: GateResult;
  reason: string;
}

const ports = { PASS: 'pass', BLOCK: 'block', ESCALATE: 'escalate' } as const satisfies Record<GateResult, string>;

export const executeActionGate = implementNode(actionGate, async (context) => {
  const state = stateOf(context);
  const work = workOf(state, context.input);
  const proposal = proposalOf(state, work);
  const gated = stale(context, state) ?? (await approved(context, { work, proposal, gated: judge(context, state) }));
  const { result, reason } = gated;
  const passes = result === 'PASS';
  return {
    port: ports[result],
    output: { result, task_id: work.id, kind: proposal.kind, proposal: proposal.text, reason },
    writes: writesOf(context, {
      proposal: { ...proposal, gate: result },
      progress: { gates: recordGate(state.progress.gates, { task_id: work.id, result }, state.taskGraph) },
      ...(passes || !work.task ? {} : { taskGraph: setTaskStatus(state.taskGraph, work.id, { status: 'PENDING' }) }),
      ...(reason.startsWith(refusal) ? { conversation: { [work.id]: withNote(state.conversation[work.id] ?? [], reason, proposal) } } : {}),
    }),
  };
});

/** A gate never reads a control state older than the world model (layers.md R1). One that nobody ever resolved blocks nothing. */
function stale(context: Context, { controlState, worldModel }: ControlChannels): Gated | null {
  if (neverResolved(controlState)) return null;
  try {
    ensureFresh(controlState, worldModel);
    return null;
  } catch (thrown) {
    if (!isBridleError(thrown) || thrown.code !== 'STALENESS') throw thrown;
    const block = context.config.whenStale === 'block';
    context.decide({
      rule: 'staleness gate',
      outcome: block ? 'BLOCK' : 'the run fails',
      because: [
        {
          name: 'generation of the control state',
          value: controlState.generation_id,
          operator: '>=',
          threshold: worldModel.generation_id,
          distance: worldModel.generation_id - controlState.generation_id,
          holds: false,
        },
      ],
      alternatives: [{ outcome: 'PASS', needs: 'a control state that is resolved after the world model last changed' }],
    });
    if (!block) throw thrown;
    return { result: 'BLOCK', reason: toErrorRecord(thrown).message };
  }
}

function judge(context: Context, { controlState }: ControlChannels): Gated {
  const { result, decision } = decideGate(controlState, context.config.requiredResources);
  context.decide(
    neverResolved(controlState) ? { ...decision, note: 'No control state was resolved in this run, so nothing is blocked.' } : decision,
  );
  return { result, reason: decision.rule };
}

const refusal = 'Not carried out: a person refused it.';

/** Risk feeds the approval policy (D10): a change that is risky enough is put to a person, with what it would do. */
async function approved(context: Context, { work, proposal, gated }: { work: Work; proposal: Proposal; gated: Gated }): Promise<Gated> {
  const risk = work.task?.risk_level ?? 'MEDIUM';
  const { approvalFrom } = context.config;
  if (gated.result !== 'PASS' || !needsApproval(proposal.kind, risk, approvalFrom)) return gated;
  const answer = await context.ask('approval', {
    kind: 'approval',
    title: `May "${proposalTitle(proposal)}" be carried out?`,
    // a fence longer than any that a change may hold
    body: `Task: ${work.description}\n\n${'~'.repeat(8)}diff\n${proposal.text}\n${'~'.repeat(8)}`,
    shown: { tool: proposal.tool, arguments: proposal.arguments, task: work.id, risk },
    choices: [
      { id: 'approve', label: 'Carry it out', tone: 'accept' },
      { id: 'reject', label: 'Refuse', tone: 'reject' },
    ],
  });
  const yes = answer.choice === 'approve';
  context.decide({
    rule: `risk ${risk} needs approval from ${approvalFrom} on`,
    outcome: yes ? 'PASS' : 'BLOCK',
    because: [
      { name: 'risk of the task', value: risk },
      { name: 'answer', value: answer.choice },
    ],
    ...(answer.comment ? { note: answer.comment } : {}),
  });
  return yes ? gated : { result: 'BLOCK', reason: [refusal, answer.comment ?? ''].join(' ').trim() };
}
