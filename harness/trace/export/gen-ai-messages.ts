import { isJsonObject, type Json } from '../../contract/json';

interface Part {
  [key: string]: Json;
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));

const toolCallParts = (calls: Json | undefined): Part[] =>
  Array.isArray(calls)
    ? calls
        .filter(isJsonObject)
        .map((call) => ({ type: 'tool_call', id: call.id ?? null, name: call.name ?? null, arguments: call.arguments ?? null }))
    : [];

function partsOf(message: { [key: string]: Json }): Part[] {
  if (message.role === 'tool') {
    return [{ type: 'tool_call_response', id: message.toolCallId ?? null, response: message.content ?? null }];
  }
  const content = text(message.content);
  return [...(content === '' ? [] : [{ type: 'text', content }]), ...toolCallParts(message.toolCalls)];
}

/** The messages of a recorded model request in the shape of `gen_ai.system_instructions` and `gen_ai.input.messages`. */
export function inputMessages(request: Json): { system: string | undefined; input: string | undefined } {
  const messages = isJsonObject(request) && Array.isArray(request.messages) ? request.messages.filter(isJsonObject) : [];
  const system = messages
    .filter((message) => message.role === 'system')
    .map((message) => ({ type: 'text', content: text(message.content) }));
  const rest = messages
    .filter((message) => message.role !== 'system')
    .map((message) => ({ role: message.role ?? 'user', parts: partsOf(message) }));
  return {
    system: system.length === 0 ? undefined : JSON.stringify(system),
    input: rest.length === 0 ? undefined : JSON.stringify(rest),
  };
}

const finishNames: Readonly<Record<string, string>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_call',
  'content-filter': 'content_filter',
  error: 'error',
};

/** A recorded reply as `gen_ai.output.messages`, with its finish reason. */
export function outputMessages(reply: Json | undefined): { output: string | undefined; finish: string | undefined } {
  if (!isJsonObject(reply)) return { output: undefined, finish: undefined };
  const finish = typeof reply.finish === 'string' && Object.hasOwn(finishNames, reply.finish) ? finishNames[reply.finish] : 'stop';
  const content = reply.object === undefined ? text(reply.text) : JSON.stringify(reply.object);
  const parts = [...(content === '' ? [] : [{ type: 'text', content }]), ...toolCallParts(reply.toolCalls)];
  return { output: JSON.stringify([{ role: 'assistant', parts, finish_reason: finish ?? 'stop' }]), finish };
}
