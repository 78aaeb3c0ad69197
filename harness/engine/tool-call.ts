import type { AskInput } from '../contract/ask';
import { toErrorRecord } from '../contract/errors';
import type { ToolOutcome } from '../contract/execute';
import type { Json } from '../contract/json';
import type { ToolSpec } from '../contract/tool';
import { flowOf } from './plan-lookup';
import type { VisitRun } from './visit-run';

interface Call {
  key: string;
  name: string;
  input: Json;
}

/** Tools the visit may use: what the host has, minus what the flow does not grant, minus what attached policies hide. */
export function offeredTools(run: VisitRun): ToolSpec[] {
  const { driver } = run;
  const granted = flowOf(driver.plan, driver.snapshot, run.visit).settings.tools;
  const tools = driver.host.tools.list().filter((tool) => granted === null || granted.includes(tool.name));
  return run.policies.reduce((left, policy) => policy.hooks.filterTools?.(policy.context(), left) ?? left, tools);
}

/**
 * One tool call through the attached policies. What is refused or fails is a value. A write whose outcome a crash left unknown is put to a
 * person, never silently repeated (design §6).
 */
export async function callTool(run: VisitRun, call: Call): Promise<ToolOutcome> {
  run.check();
  const known = run.memo(call.key);
  // Only `tool-end` events write this key, from a ToolOutcome.
  if (known) return known.value as unknown as ToolOutcome;
  const offered = offeredTools(run);
  const tool = offered.find((candidate) => candidate.name === call.name);
  if (!tool) return end(run, call, { began: run.now(), outcome: unknownTool(call.name, offered) });
  const open = run.visit.openTools[call.key];
  if (open) {
    if (open.effect !== 'write') return perform(run, tool, call);
    return settleUnknown(run, tool, call);
  }
  for (const policy of run.policies) {
    const verdict = policy.hooks.beforeTool?.(policy.context(), { tool, input: call.input });
    const refusal = verdict ? await run.obey(policy, verdict, { subject: 'tool', key: call.key, tool: tool.name }) : null;
    if (refusal !== null) return end(run, call, { began: run.now(), outcome: { status: 'denied', message: refusal } });
  }
  await run.record(
    [{ kind: 'tool-start', key: call.key, tool: tool.name, effect: tool.effect, input: call.input }],
    tool.effect === 'write',
  );
  return perform(run, tool, call);
}

async function perform(run: VisitRun, tool: ToolSpec, call: Call): Promise<ToolOutcome> {
  const { driver } = run;
  const began = run.now();
  let outcome: ToolOutcome;
  let replayed = false;
  try {
    const output = await driver.host.tools.call(tool.name, call.input, {
      runId: driver.runId,
      workspace: driver.snapshot.workspace,
      now: () => run.now(),
      signal: run.controller.signal,
      caller: { nodeId: run.node.id, visit: run.visit.number, call: Number(call.key.split(':')[1]) },
      onReplayed: () => {
        replayed = true;
      },
    });
    outcome = { status: 'ok', output };
  } catch (thrown) {
    run.check();
    const error = toErrorRecord(thrown);
    outcome = { status: 'failed', code: error.code, message: error.message };
  }
  return end(run, call, { began, outcome, replayed });
}

async function end(run: VisitRun, call: Call, done: { began: number; outcome: ToolOutcome; replayed?: boolean }): Promise<ToolOutcome> {
  await run.record([
    {
      kind: 'tool-end',
      key: call.key,
      tool: call.name,
      outcome: done.outcome as unknown as Json, // plain JSON; a union of interfaces has no index signature
      durationMs: Math.max(0, run.now() - done.began),
      ...(done.replayed === true ? { replayed: true } : {}),
    },
  ]);
  return done.outcome;
}

const unknownTool = (name: string, offered: ToolSpec[]): ToolOutcome => ({
  status: 'failed',
  code: 'TOOL_UNKNOWN',
  message: `There is no tool "${name}" here. Available: ${offered.map((tool) => tool.name).join(', ') || 'none'}.`,
});

async function settleUnknown(run: VisitRun, tool: ToolSpec, call: Call): Promise<ToolOutcome> {
  const answer = await run.ask(`${call.key}:unknown`, unknownOutcomeAsk(tool, call));
  if (answer.choice === 'repeat') return perform(run, tool, call);
  const note = answer.comment ?? '';
  const outcome: ToolOutcome =
    answer.choice === 'done'
      ? { status: 'ok', output: note === '' ? 'A person confirmed that this was done.' : note }
      : { status: 'failed', code: 'TOOL_OUTCOME_UNKNOWN', message: note === '' ? 'A person said that this was not done.' : note };
  return end(run, call, { began: run.now(), outcome });
}

const unknownOutcomeAsk = (tool: ToolSpec, call: Call): AskInput => ({
  kind: 'unknown-outcome',
  title: `Did "${tool.title}" happen?`,
  body: 'The process stopped after this write was started and before its result was recorded. Look at the target, then say how to go on.',
  shown: { tool: tool.name, input: call.input },
  choices: [
    { id: 'done', label: 'It was done', tone: 'accept' },
    { id: 'repeat', label: 'Do it again', tone: 'neutral' },
    { id: 'failed', label: 'It was not done', tone: 'reject' },
  ],
});
