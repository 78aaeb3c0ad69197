import type { ExecuteContext } from '@/harness/contract/execute';
import { isJsonObject, type Json } from '@/harness/contract/json';
import type { ChatMessage, ToolCall } from '@/harness/contract/model';
import type { ConfigOf } from '@/harness/contract/node';
import type { ToolSpec } from '@/harness/contract/tool';
import { stableJson } from '@/harness/flow/stable-json';
import { readJson } from '../../support/structured';
import { noteShown, type ShownLines } from './citations';
import type { agent } from './node';

export type AgentContext = ExecuteContext<ConfigOf<typeof agent>>;

export type CallStatus = 'ok' | 'denied' | 'failed' | 'unknown' | 'invalid' | 'repeated' | 'skipped';

/** One tool call of the agent as it stands in its output. */
export interface CallRecord {
  tool: string;
  input: Json;
  status: CallStatus;
  /** The tool's output, or the message the model got instead. */
  output: Json;
}

/** What the calls of one visit have come to so far. */
export class CallLog {
  readonly records: CallRecord[] = [];
  readonly shown: ShownLines = new Map();
  private readonly counts = new Map<string, number>();

  /** Counts identical calls, this one included. */
  count(tool: string, input: Json): number {
    const key = `${tool} ${stableJson(input)}`;
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    return count;
  }
}

/** Answers every call of one model turn, in order. Whatever goes wrong with a call is told to the model, never thrown. */
export async function answerCalls(
  context: AgentContext,
  calls: readonly ToolCall[],
  offered: readonly ToolSpec[],
  log: CallLog,
): Promise<ChatMessage[]> {
  const messages: ChatMessage[] = [];
  for (const [position, call] of calls.entries()) {
    const record = position > 0 && !context.config.parallelTools ? skipped(call) : await answerCall(context, call, offered, log);
    log.records.push(record);
    messages.push({
      role: 'tool',
      toolCallId: call.id,
      toolName: call.name,
      content: cut(context, record.output),
      ...(record.status === 'ok' ? {} : { isError: true }),
    });
  }
  return messages;
}

async function answerCall(context: AgentContext, call: ToolCall, offered: readonly ToolSpec[], log: CallLog): Promise<CallRecord> {
  const input = argumentsOf(call);
  if (!offered.some((tool) => tool.name === call.name)) {
    const names = offered.map((tool) => tool.name).join(', ') || 'none';
    return refused(call.name, input ?? call.arguments, 'unknown', `There is no tool "${call.name}" here. Tools: ${names}.`);
  }
  if (input === null) {
    return refused(call.name, call.arguments, 'invalid', 'The arguments must be one JSON object that fits the tool’s input schema.');
  }
  const count = log.count(call.name, input);
  const { repeatLimit } = context.config;
  if (repeatLimit > 0 && count >= repeatLimit) return repeated(context, call.name, input, count);
  const outcome = await context.tool(call.name, input);
  if (outcome.status === 'ok') {
    noteShown(outcome.output, log.shown);
    return { tool: call.name, input, status: 'ok', output: outcome.output };
  }
  if (outcome.status === 'denied') return refused(call.name, input, 'denied', outcome.message);
  return refused(call.name, input, outcome.code === 'TOOL_INPUT' ? 'invalid' : 'failed', outcome.message);
}

function repeated(context: AgentContext, tool: string, input: Json, count: number): CallRecord {
  const { repeatLimit } = context.config;
  context.decide({
    rule: 'same call again',
    outcome: 'nudge instead of calling',
    because: [
      {
        name: `identical calls of ${tool}`,
        value: count,
        operator: '>=',
        threshold: repeatLimit,
        distance: count - repeatLimit,
        holds: true,
      },
    ],
    alternatives: [{ outcome: 'call', needs: 'other arguments, or a higher “Same call again”' }],
  });
  const message = `You have made this exact call ${count - 1} times and its result is above. Do something else: other arguments, another tool, or answer with what you have.`;
  return refused(tool, input, 'repeated', message);
}

const skipped = (call: ToolCall): CallRecord =>
  refused(call.name, call.arguments, 'skipped', 'Only one tool call per turn is possible here. Make this call again if you still need it.');

const refused = (tool: string, input: Json, status: CallStatus, message: string): CallRecord => ({ tool, input, status, output: message });

/** Providers hand arguments over as an object, or as its JSON text, or as nothing for a tool without input. */
function argumentsOf(call: ToolCall): Json | null {
  const given = typeof call.arguments === 'string' ? (call.arguments.trim() === '' ? {} : readJson(call.arguments)) : call.arguments;
  if (given === null) return {};
  return given !== undefined && isJsonObject(given) ? given : null;
}

function cut(context: AgentContext, output: Json): string {
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  const longest = context.config.maxToolResultChars;
  return text.length <= longest ? text : `${text.slice(0, longest)}\n[cut: ${text.length - longest} more characters. Ask for less.]`;
}
