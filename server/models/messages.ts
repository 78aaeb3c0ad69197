import type { AssistantContent, ModelMessage, ToolContent } from 'ai';
import type { ChatMessage, ModelRequest } from '@/harness/contract/model';

/** What tells a model of the wanted JSON; sent even where the provider enforces a schema, since not all that claim to do. */
export const structuredInstruction = (request: ModelRequest): string =>
  [
    request.tools?.length ? 'When you have what you need, reply' : 'Reply',
    ' with one JSON value and nothing else: no explanation, no code fence. It must fit this JSON Schema:\n',
    JSON.stringify(request.schema),
  ].join('');

export interface Prompt {
  system: string | undefined;
  messages: ModelMessage[];
}

/**
 * Leading system messages become the system prompt. One further down stands as a user message, because not every provider takes it there.
 * Neighbouring tool results are joined into one message.
 */
export function toPrompt(request: ModelRequest): Prompt {
  const leading: string[] = [];
  const messages: ModelMessage[] = [];
  for (const message of request.messages) {
    if (message.role === 'system' && messages.length === 0) leading.push(message.content);
    else addMessage(messages, message);
  }
  if (request.schema !== undefined) leading.push(structuredInstruction(request));
  const system = leading.filter((text) => text.trim() !== '').join('\n\n');
  // Several providers want at least one message that is not the system's.
  if (messages.length === 0) return { system: undefined, messages: [{ role: 'user', content: system === '' ? ' ' : system }] };
  return { system: system === '' ? undefined : system, messages };
}

function addMessage(messages: ModelMessage[], message: ChatMessage): void {
  switch (message.role) {
    case 'system':
      messages.push({ role: 'user', content: `Note from the system: ${message.content}` });
      return;
    case 'user':
      messages.push({ role: 'user', content: message.content });
      return;
    case 'assistant':
      messages.push({ role: 'assistant', content: assistantContent(message) });
      return;
    case 'tool': {
      const part: ToolContent[number] = {
        type: 'tool-result',
        toolCallId: message.toolCallId,
        toolName: message.toolName,
        output: { type: message.isError === true ? 'error-text' : 'text', value: message.content },
      };
      const last = messages.at(-1);
      if (last?.role === 'tool') last.content.push(part);
      else messages.push({ role: 'tool', content: [part] });
    }
  }
}

function assistantContent(message: Extract<ChatMessage, { role: 'assistant' }>): AssistantContent {
  if (message.toolCalls === undefined || message.toolCalls.length === 0) return message.content;
  const calls = message.toolCalls.map((call) => ({
    type: 'tool-call' as const,
    toolCallId: call.id,
    toolName: call.name,
    input: call.arguments,
  }));
  return message.content === '' ? calls : [{ type: 'text', text: message.content }, ...calls];
}
