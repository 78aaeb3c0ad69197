import type { ChatMessage, ToolCall } from '@/harness/contract/model';
import { stableJson } from '@/harness/flow/stable-json';
import type { WorkMessage } from '../channels';

const unanswered = 'Not carried out.';

/**
 * The conversation as providers take it: each call is answered right after the reply that made it, in its order, whatever notes came between;
 * a call without an answer gets one, an answer without a call is left out.
 */
export function chatOf(messages: readonly WorkMessage[]): ChatMessage[] {
  const chat: ChatMessage[] = [];
  messages.forEach((message, index) => {
    if (message.role === 'tool') return;
    if (message.role === 'user') {
      chat.push({ role: 'user', content: message.content });
      return;
    }
    const calls = message.tool_calls ?? [];
    if (calls.length === 0) {
      chat.push({ role: 'assistant', content: message.content });
      return;
    }
    chat.push({ role: 'assistant', content: message.content, toolCalls: calls });
    const next = messages.findIndex((later, at) => at > index && later.role === 'assistant');
    const answers = messages.slice(index + 1, next === -1 ? undefined : next);
    for (const call of calls) {
      const content = answers.find(({ tool_call_id }) => tool_call_id === call.id)?.content ?? unanswered;
      chat.push({ role: 'tool', toolCallId: call.id, toolName: call.name, content });
    }
  });
  return chat;
}

const leftOut = (length: number): string => `[left out: ${length} characters. Make the call again if you need it.]`;

/** The conversation within a number of characters: the oldest tool results give way first, the newest one and everything said stay. */
export function within(messages: readonly ChatMessage[], limit: number): { messages: ChatMessage[]; leftOut: number } {
  let total = messages.reduce((sum, { content }) => sum + content.length, 0);
  const newest = messages.findLastIndex(({ role }) => role === 'tool');
  let count = 0;
  const kept = messages.map((message, index) => {
    const short = leftOut(message.content.length);
    if (total <= limit || message.role !== 'tool' || index === newest || message.content.length <= short.length) return message;
    total -= message.content.length - short.length;
    count += 1;
    return { ...message, content: short };
  });
  return { messages: kept, leftOut: count };
}

/** Calls with ids that are neither empty nor used before; scripted and careless models repeat them. */
export function withFreshIds(calls: readonly ToolCall[], messages: readonly WorkMessage[]): ToolCall[] {
  const used = new Set(messages.flatMap(({ tool_calls }) => (tool_calls ?? []).map(({ id }) => id)));
  return calls.map((call) => {
    let id = call.id;
    for (let number = 2; id === '' || used.has(id); number += 1) id = `${call.id || 'call'}-${number}`;
    used.add(id);
    return { ...call, id };
  });
}

/** How often this very call was answered since the last write, which may have changed what it would find. */
export function timesAnswered(messages: readonly WorkMessage[], call: ToolCall, writes: ReadonlySet<string>): number {
  const wanted = keyOf(call);
  const calls = new Map(messages.flatMap(({ tool_calls }) => (tool_calls ?? []).map((made) => [made.id, made] as const)));
  let count = 0;
  for (const message of messages) {
    const made = message.tool_call_id === undefined ? undefined : calls.get(message.tool_call_id);
    if (message.role !== 'tool' || !made) continue;
    const same = keyOf(made) === wanted;
    if (writes.has(made.name) && !same && !message.content.startsWith(errorMark)) count = 0;
    else if (same) count += 1;
  }
  return count;
}

const keyOf = ({ name, arguments: input }: ToolCall): string => `${name} ${stableJson(typeof input === 'string' ? input : (input ?? {}))}`;

/** Begins every answer that tells the model that a call did not go through. */
export const errorMark = 'Error: ';

export const goOn = 'Your reply was cut off at its length limit. Go on exactly where it stopped, without repeating anything.';

/** The text of an answer that was cut off once or more, put together again; `last` is the reply that ended it. */
export function wholeText(messages: readonly WorkMessage[], last: string): string {
  const parts = [last];
  for (let at = messages.length - 1; at > 0; at -= 2) {
    const asked = messages[at];
    const before = messages[at - 1];
    if (asked?.role !== 'user' || asked.content !== goOn || before?.role !== 'assistant') break;
    parts.unshift(before.content);
  }
  return parts.join('');
}

export const emptyReply = '(empty)';
export const sayMore = 'Your reply was empty. Call a tool, or say what the result of the task is.';

/** Empty replies at the end of the conversation. */
export function emptyInRow(messages: readonly WorkMessage[]): number {
  const replies = messages.filter(({ role }) => role === 'assistant');
  const last = replies.findLastIndex(({ content }) => content !== emptyReply);
  return replies.length - 1 - last;
}
