import type { AskInput } from '../contract/ask';
import { toErrorRecord } from '../contract/errors';
import type { ToolOutcome } from '../contract/execute';
import type { Json } from '../contract/json';
import type { CallLimits, GuardedToolCall } from '../contract/policy';
import type { CallScope, FileKeep, KeptFiles, ToolContext, ToolSpec } from '../contract/tool';
import { flowOf } from './plan-lookup';
import type { AttachedPolicy } from './policies';
import type { VisitRun } from './visit-run';

interface Call {
  key: string;
  name: string;
  input: Json;
  scope?: CallScope;
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
  const outcome = await answerOf(run, call);
  run.calls.push({ tool: call.name, input: call.input, outcome });
  return outcome;
}

async function answerOf(run: VisitRun, call: Call): Promise<ToolOutcome> {
  run.check();
  const known = run.memo(call.key);
  // Only `tool-end` events write this key, from a ToolOutcome.
  if (known) return known.value as unknown as ToolOutcome;
  const offered = offeredTools(run);
  const tool = offered.find((candidate) => candidate.name === call.name);
  if (!tool) return end(run, call, { began: run.now(), outcome: unknownTool(call.name, offered) });
  const open = run.visit.openTools[call.key];
  const settled = open?.effect === 'write' ? await settleUnknown(run, tool, call) : null;
  if (settled) return end(run, call, { began: run.now(), outcome: settled });
  const guarding = run.policies.filter(({ hooks }) => hooks.beforeTool !== undefined);
  const guarded: GuardedToolCall = { tool, input: call.input, ...(call.scope === undefined ? {} : { scope: call.scope }) };
  if (guarding.length > 0) {
    const targets = await run.driver.host.tools.targets?.(tool.name, call.input, toolContext(run, call));
    run.check();
    if (targets) guarded.targets = targets;
  }
  const limited: Limited[] = [];
  for (const policy of guarding) {
    const verdict = policy.hooks.beforeTool?.(policy.context(), guarded);
    if (!verdict) continue;
    // What a crash interrupted was let pass before: only the limits it had are found anew.
    const refusal = open ? null : await run.obey(policy, verdict, { subject: 'tool', key: call.key, tool: tool.name });
    if (refusal !== null) return end(run, call, { began: run.now(), outcome: { status: 'denied', message: refusal } });
    if ('limits' in verdict && verdict.limits) limited.push({ policy, limits: verdict.limits });
  }
  if (!open) {
    await run.record(
      [{ kind: 'tool-start', key: call.key, tool: tool.name, effect: tool.effect, input: call.input }],
      tool.effect === 'write',
    );
  }
  return perform(run, { tool, call, limited });
}

interface Limited {
  policy: AttachedPolicy;
  limits: CallLimits;
}

const toolContext = (run: VisitRun, call: Call): ToolContext => ({
  runId: run.driver.runId,
  workspace: run.driver.snapshot.workspace,
  now: () => run.now(),
  signal: run.controller.signal,
  caller: { nodeId: run.node.id, visit: run.visit.number, call: Number(call.key.split(':')[1]) },
});

async function perform(run: VisitRun, { tool, call, limited }: { tool: ToolSpec; call: Call; limited: Limited[] }): Promise<ToolOutcome> {
  const { driver } = run;
  const began = run.now();
  const times = limited.flatMap(({ limits }) => limits.timeoutMs ?? []);
  const keeps = limited.flatMap(({ policy, limits }) => (limits.keep === undefined ? [] : [{ policy, keep: limits.keep }]));
  const kept = new Map<number, KeptFiles>();
  let outcome: ToolOutcome;
  let replayed = false;
  try {
    const output = await driver.host.tools.call(tool.name, call.input, {
      ...toolContext(run, call),
      onReplayed: () => {
        replayed = true;
      },
      ...(times.length === 0 ? {} : { timeoutMs: Math.min(...times) }),
      ...(keeps.length === 0 ? {} : { keep: keeps.map(({ keep }): FileKeep => keep), onKept: (index, files) => kept.set(index, files) }),
    });
    outcome = { status: 'ok', output };
  } catch (thrown) {
    run.check();
    const error = toErrorRecord(thrown);
    outcome = { status: 'failed', code: error.code, message: error.message };
  }
  for (const [index, files] of kept) {
    const policy = keeps[index]?.policy;
    const verdict = policy?.hooks.afterTool?.(policy.context(), { tool, input: call.input, kept: files });
    if (!policy || !verdict) continue;
    const refusal = await run.obey(policy, verdict, { subject: 'tool', key: call.key, tool: tool.name });
    if (refusal !== null) outcome = { status: 'denied', message: refusal };
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

/** What a person says of a write that a crash left unknown; null when it shall be done again. */
async function settleUnknown(run: VisitRun, tool: ToolSpec, call: Call): Promise<ToolOutcome | null> {
  const answer = await run.ask(`${call.key}:unknown`, unknownOutcomeAsk(tool, call));
  if (answer.choice === 'repeat') return null;
  const note = answer.comment ?? '';
  return answer.choice === 'done'
    ? { status: 'ok', output: note === '' ? 'A person confirmed that this was done.' : note }
    : { status: 'failed', code: 'TOOL_OUTCOME_UNKNOWN', message: note === '' ? 'A person said that this was not done.' : note };
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
