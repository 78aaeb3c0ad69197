import type { ExecuteContext } from '@/harness/contract/execute';
import type { ChatMessage, ModelRole, ToolCall, ToolOffer } from '@/harness/contract/model';
import { defaultWindowShares, estimatedPromptTokens } from '@/harness/planning/context/tokens';
import { orderCalls } from '@/harness/planning/control-loop/calls';
import type { LoopConfig, LoopConfigInput } from '@/harness/planning/control-loop/config';
import { evaluateTurn } from '@/harness/planning/control-loop/evaluate';
import type { ExitReason, LoopEvent } from '@/harness/planning/control-loop/events';
import { type LoopState, newLoopState } from '@/harness/planning/control-loop/state';
import { droppedResults } from '@/harness/planning/control-loop/steering';
import type { Turn, TurnResult } from '@/harness/planning/control-loop/turn';
import { loopConfigOf } from './attached-loop';
import { type LoopSettings, windowOf } from './config';
import type { LocalTool } from './local-tools';
import { type LoopCall, makeCall, usableCalls } from './loop-calls';
import { continued, replyFacts } from './loop-turn';
import { Steering } from './steering';
import { completionOffer, summaryOf } from './task-complete';

export type LoopContext = Pick<ExecuteContext, 'model' | 'tool' | 'tools' | 'decide' | 'log' | 'inbox' | 'signal' | 'attachments' | 'node'>;

export interface ToolLoop {
  role: ModelRole;
  /** What the conversation begins with. */
  messages: readonly ChatMessage[];
  /** Names of host tools that may be offered, as far as the flow grants them; `null` = all. */
  tools: readonly string[] | null;
  local?: readonly LocalTool[];
  /** What the node sets; an attached control loop goes over it. */
  loop: LoopConfigInput;
  settings: LoopSettings;
  /** True once changes are made: then messages of people interrupt. Before, they are left for the approval (planning.md §11). */
  executing: boolean;
  /** `false`: `task_complete` is not offered. `validate` sees the calls of its turn and may say what is missing. */
  completion?: false | { validate?: (summary: string, calls: readonly LoopCall[]) => string | null };
  /** The conversation rebuilt from what is on record. Absent: it is never rebuilt. */
  refresh?: (messages: readonly ChatMessage[]) => ChatMessage[] | Promise<ChatMessage[]>;
  /** Told of each call that was carried out, in order. */
  onCall?: (call: LoopCall) => void;
}

export interface LoopResult {
  exit: ExitReason;
  /** The last text of the model that was not empty. */
  text: string;
  /** What `task_complete` said; `null` when the loop ended otherwise. */
  summary: string | null;
  warning: string | null;
  /** Model calls. */
  turns: number;
  calls: LoopCall[];
  messages: ChatMessage[];
  events: LoopEvent[];
  /** Workspace paths that were written, each once, in order. */
  paths: string[];
}

/**
 * Runs a model with tools until a rule of planning.md §12 ends it. The rules are pure and live in `control-loop`; this only carries out what they
 * say: every firing is a decision, host tools go through the attached policies, errors of the model pass on.
 */
export async function runToolLoop(context: LoopContext, loop: ToolLoop): Promise<LoopResult> {
  return new RunningLoop(context, loop).run();
}

class RunningLoop {
  readonly #config: LoopConfig;
  readonly #host;
  readonly #offers: ToolOffer[];
  readonly #steering: Steering;
  readonly #calls: LoopCall[] = [];
  readonly #events: LoopEvent[] = [];
  #messages: ChatMessage[];
  #state: LoopState = newLoopState();
  #text = '';

  constructor(
    private readonly context: LoopContext,
    private readonly loop: ToolLoop,
  ) {
    this.#config = loopConfigOf(context, loop.loop);
    this.#messages = [...loop.messages];
    const { tools } = loop;
    this.#host = context.tools().filter(({ name }) => tools === null || tools.includes(name));
    this.#offers = [
      ...this.#host.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      ...(loop.local ?? []).map(({ offer }) => offer),
      ...(loop.completion === false ? [] : [completionOffer(this.#config.completionTool)]),
    ];
    this.#steering = new Steering(context, loop.executing);
  }

  async run(): Promise<LoopResult> {
    for (let index = 0; ; index += 1) {
      this.context.signal.throwIfAborted();
      const said = await this.#steering.look(index, []);
      if (said !== null) this.#messages.push({ role: 'user', content: said.text });
      const { turn, before } = await this.#turn(index);
      const result = await this.#apply(before, turn);
      if (result.verdict.kind === 'exit') return this.#end(result.verdict, index + 1);
    }
  }

  /** One model call and the calls it asks for. */
  async #turn(index: number): Promise<{ turn: Turn; before: LoopState }> {
    const before = this.#state;
    const reply = await this.context.model(this.#request());
    const promptTokens = reply.usage.inputTokens ?? estimatedPromptTokens(this.#messages);
    const calls = usableCalls(reply.toolCalls, this.#messages);
    if (reply.text.trim() !== '') this.#text = reply.text;
    this.#messages.push({
      role: 'assistant',
      content: reply.text === '' && calls.length === 0 ? '(empty)' : reply.text,
      ...(calls.length === 0 ? {} : { toolCalls: calls }),
    });
    const carried = await this.#carryOut(index, calls);
    const facts = replyFacts(reply, {
      turn_index: index,
      prompt_tokens: promptTokens,
      context_window: windowOf(this.loop.settings),
      message_count: this.#messages.length,
      refresh: this.loop.refresh ? 'available' : 'absent',
      offered: this.#offers.map(({ name }) => name),
    });
    return { before, turn: { ...facts, call_count: calls.length, ...carried } };
  }

  #request() {
    const { settings, role } = this.loop;
    return {
      role,
      messages: [...this.#messages],
      ...(this.#offers.length === 0 ? {} : { tools: this.#offers }),
      // Of a window that a person gave, a quarter is for the reply; else the flow's model settings decide.
      ...(settings.contextWindow === null ? {} : { maxOutputTokens: Math.floor(settings.contextWindow * defaultWindowShares.output) }),
    };
  }

  /** The calls in order, `task_complete` last. A message of a person drops those that are still to come. */
  async #carryOut(index: number, calls: readonly ToolCall[]): Promise<Pick<Turn, 'calls' | 'completion' | 'interrupt'>> {
    const { siblings, completion, surplus } = orderCalls(calls, this.#config);
    const queue = [...siblings, ...(completion === null ? [] : [completion])];
    const done: LoopCall[] = [];
    let outcome: Turn['completion'] = null;
    for (const [at, call] of queue.entries()) {
      if (call === completion) outcome = this.#complete(call, done);
      else done.push(this.#record(await makeCall(this.context, call, this.#tools())));
      const rest = queue.slice(at + 1);
      const said = await this.#steering.look(index, rest);
      if (said === null) continue;
      this.#messages.push(...droppedResults([...rest, ...surplus]));
      return { calls: done, completion: null, interrupt: said.text };
    }
    this.#messages.push(...droppedResults(surplus, 'one completion is enough'));
    const late = queue.length === 0 ? await this.#steering.look(index, []) : null;
    return { calls: done, completion: outcome, interrupt: late?.text ?? null };
  }

  #tools() {
    return { host: this.#host, local: this.loop.local ?? [], settings: this.loop.settings };
  }

  #record(call: LoopCall): LoopCall {
    this.#calls.push(call);
    this.#messages.push({
      role: 'tool',
      toolCallId: call.id,
      toolName: call.name,
      content: call.text,
      ...(call.status === 'ok' ? {} : { isError: true }),
    });
    this.loop.onCall?.(call);
    return call;
  }

  #complete(call: ToolCall, done: LoopCall[]): Turn['completion'] {
    const summary = summaryOf(call.arguments);
    const { completion } = this.loop;
    const rejection = completion === false ? 'task_complete is not a tool here.' : (completion?.validate?.(summary, done) ?? null);
    const text = rejection ?? 'Accepted.';
    const record = { id: call.id, name: call.name, arguments: call.arguments, exit_code: null, text, output: text, paths: [] };
    done.push(this.#record({ ...record, status: rejection === null ? 'ok' : 'failed' }));
    return { summary, rejection };
  }

  /** Judges the turn and does what the verdict says. A rebuild that throws is skipped and the turn judged without it. */
  async #apply(before: LoopState, turn: Turn): Promise<TurnResult> {
    let result = evaluateTurn(before, turn, this.#config);
    if (result.verdict.kind === 'refresh') {
      const rebuilt = await this.#rebuild();
      if (rebuilt === null) result = evaluateTurn(before, { ...turn, refresh: 'failed' }, this.#config);
      else this.#messages = rebuilt;
    }
    this.#state = result.state;
    this.#events.push(...result.events);
    for (const decision of result.decisions) this.context.decide(decision);
    const { verdict } = result;
    if (verdict.kind === 'exit') return result;
    if (verdict.kind === 'continue') this.context.decide(continued(turn, this.#config));
    const words = [...(verdict.kind === 'nudge' ? [verdict.text] : []), ...result.extras.map(({ text }) => text)];
    if (words.length > 0) this.#messages.push({ role: 'user', content: words.join('\n\n') });
    return result;
  }

  async #rebuild(): Promise<ChatMessage[] | null> {
    try {
      return (await this.loop.refresh?.(this.#messages)) ?? null;
    } catch (thrown) {
      this.context.log('warning', `The context was not rebuilt: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
      return null;
    }
  }

  #end(verdict: Extract<TurnResult['verdict'], { kind: 'exit' }>, turns: number): LoopResult {
    if (verdict.warning !== null) this.context.log('warning', `${this.context.node.label}: ${verdict.warning}`);
    return {
      exit: verdict.reason,
      text: this.#text,
      summary: verdict.summary,
      warning: verdict.warning,
      turns,
      calls: this.#calls,
      messages: this.#messages,
      events: [...this.#steering.events, ...this.#events],
      paths: [...new Set(this.#calls.flatMap(({ paths }) => paths))],
    };
  }
}
