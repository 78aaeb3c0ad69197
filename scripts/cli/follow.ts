import { setTimeout as delay } from 'node:timers/promises';
import type { Decision } from '@/harness/contract/decision';
import type { TraceEvent } from '@/harness/trace/events';
import type { OpenAsk } from '@/server/api-types';
import type { HostServices } from '@/server/host/services';
import type { ScenarioAnswer } from '@/server/scenarios/scenario';
import { print, printJson, progress } from './output';

interface Following {
  answers: ScenarioAnswer[];
  json: boolean;
}

interface ToldDecision extends Decision {
  seq: number;
  node: string | null;
  layer: string | null;
}

const pageSize = 1000;

/** Tells on stderr what a run does, answers what it asks, and prints its result. Exit code 0 only when it succeeded. */
export async function followRun(services: HostServices, runId: string, { answers, json }: Following): Promise<number> {
  const known: Known = { answers, uses: answers.map(() => 0), refused: new Set() };
  const decisions: ToldDecision[] = [];
  let seen = 0;
  for (;;) {
    const { events } = services.runs.events(runId, seen, pageSize);
    for (const event of events) {
      seen = event.seq;
      tell(event);
      const decision = decisionOf(event);
      if (decision) decisions.push(decision);
    }
    if (events.length === pageSize) continue;
    const run = services.runs.get(runId);
    if (run.endedAt !== null && seen >= run.lastSeq) return report(run, decisions, json);
    if (run.asks.length > 0) {
      const answered = await answerAll(services, run.asks, known);
      if (!answered && run.status === 'waiting' && !run.asks.some((open) => open.ask.expiresAt !== undefined))
        return leave(run, decisions, json);
    }
    await delay(20);
  }
}

type Run = ReturnType<HostServices['runs']['get']>;

interface Known {
  answers: ScenarioAnswer[];
  /** How often each answer was given. */
  uses: number[];
  /** Answers by place and ask that were refused: they are not given to the same ask again. */
  refused: Set<string>;
}

async function answerAll(services: HostServices, asks: OpenAsk[], known: Known): Promise<boolean> {
  let answered = false;
  for (const open of asks) {
    const index = known.answers.findIndex(
      (answer, place) => isLeft(answer, known.uses[place] ?? 0) && !known.refused.has(`${place} ${open.askId}`) && fits(answer, open),
    );
    const answer = known.answers[index];
    if (!answer) continue;
    known.uses[index] = (known.uses[index] ?? 0) + 1;
    if (answer.afterMs > 0) await delay(answer.afterMs);
    const { choice, values, comment } = answer;
    const given = { choice, by: 'person', ...(values ? { values } : {}), ...(comment ? { comment } : {}) };
    const result = await services.runs.answer(open.runId, open.askId, open.hash, given);
    if (!result.accepted) known.refused.add(`${index} ${open.askId}`);
    progress(result.accepted ? `  answered "${open.ask.title}": ${choice}` : `  refused: ${result.reason ?? ''}`);
    answered = true;
  }
  return answered;
}

const isLeft = (answer: ScenarioAnswer, used: number): boolean => answer.times === 0 || used < answer.times;
const fits = (answer: ScenarioAnswer, open: OpenAsk): boolean =>
  (answer.node === undefined || answer.node === open.nodeId) &&
  (answer.kind === undefined || answer.kind === open.ask.kind) &&
  (answer.title === undefined || open.ask.title.includes(answer.title));

function decisionOf(event: TraceEvent): ToldDecision | null {
  const decision = event.kind === 'decision' || event.kind === 'guard-verdict' ? event.decision : undefined;
  return decision ? { seq: event.seq, node: event.nodeId ?? null, layer: event.layer ?? null, ...decision } : null;
}

function tell(event: TraceEvent): void {
  const node = event.nodeId ?? '';
  if (event.kind === 'visit-end') progress(`  ${node}: ${event.outcome}${event.ports.length > 0 ? ` → ${event.ports.join(', ')}` : ''}`);
  else if (event.kind === 'decision') progress(`  ${node}: ${event.decision.rule} → ${event.decision.outcome}`);
  else if (event.kind === 'tool-start') progress(`  ${node}: ${event.tool}`);
  else if (event.kind === 'ask-open') progress(`  ${node} asks: ${event.ask.title}`);
  else if (event.kind === 'limit-reached') progress(`  ${event.message}`);
}

function report(run: Run, decisions: ToldDecision[], json: boolean): number {
  const { status, output, id, usage, error } = run;
  if (json) printJson({ status, output, runId: id, decisions, usage, ...(error ? { error } : {}) });
  else print(typeof output === 'string' ? output : JSON.stringify(output, null, 2));
  if (error && !json) progress(`${error.code}: ${error.message}`);
  progress(`${status} after ${run.usage.steps} steps, ${run.usage.modelCalls} model calls, ${run.usage.toolCalls} tool calls`);
  return status === 'succeeded' ? 0 : 1;
}

/** Nobody here can answer: the run stays as it is and can be answered in the app, or with --answers the next time. */
function leave(run: Run, decisions: ToldDecision[], json: boolean): number {
  const { id, usage, asks } = run;
  if (json) printJson({ status: 'waiting', output: null, runId: id, decisions, usage, asks });
  progress(
    `The run waits for a person: ${asks.map((open) => `"${open.ask.title}" at ${open.nodeId ?? 'the run'}`).join('; ')}. Give --answers, or answer in the app.`,
  );
  return 1;
}
