'use client';

import { isJsonObject, type Json } from '@/harness/contract/json';
import { JsonView } from '../../ui/json-view';

const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value, null, 2);

function ToolCalls({ calls }: { calls: Json | undefined }) {
  if (!Array.isArray(calls)) return null;
  return calls.filter(isJsonObject).map((call, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a recorded message never changes
    <div key={i} className="rounded-md border border-line px-2 py-1">
      <p className="text-muted text-xs">
        calls <code className="text-ink">{textOf(call.name)}</code>
      </p>
      <JsonView value={call.arguments ?? null} openTo={1} bare />
    </div>
  ));
}

/** A prompt as the messages it consists of. */
export function ChatMessages({ request }: { request: Json }) {
  const messages = isJsonObject(request) && Array.isArray(request.messages) ? request.messages.filter(isJsonObject) : null;
  if (messages === null) return <JsonView value={request} openTo={2} />;
  return (
    <ol className="space-y-2">
      {messages.map((message, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a recorded prompt never changes
        <li key={i} className="space-y-1 rounded-md bg-sunken px-2 py-1.5">
          <p className="font-medium text-faint text-xs">
            {textOf(message.role)}
            {typeof message.toolName === 'string' ? ` · ${message.toolName}` : ''}
          </p>
          {textOf(message.content) === '' ? null : (
            <p className="max-h-72 overflow-y-auto whitespace-pre-wrap break-words text-xs leading-5">{textOf(message.content)}</p>
          )}
          <ToolCalls calls={message.toolCalls} />
        </li>
      ))}
    </ol>
  );
}

/** A reply: its text or object, and the tools it asks for. */
export function ModelReplyView({ reply }: { reply: Json }) {
  if (!isJsonObject(reply)) return <JsonView value={reply} openTo={2} />;
  // A structured reply is its object; its text is the same once more.
  const text = reply.object === undefined ? textOf(reply.text) : '';
  return (
    <div className="space-y-2">
      {text === '' ? null : (
        <p className="max-h-96 overflow-y-auto whitespace-pre-wrap break-words rounded-md bg-sunken px-2 py-1.5 text-xs leading-5">
          {text}
        </p>
      )}
      {reply.object === undefined ? null : <JsonView value={reply.object} openTo={2} />}
      <ToolCalls calls={reply.toolCalls} />
      {text === '' && reply.object === undefined && !(Array.isArray(reply.toolCalls) && reply.toolCalls.length > 0) ? (
        <p className="text-faint text-xs">The reply is empty.</p>
      ) : null}
      {typeof reply.finish === 'string' ? <p className="text-faint text-xs">Finished: {reply.finish}</p> : null}
    </div>
  );
}
