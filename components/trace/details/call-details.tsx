'use client';

import { isJsonObject, type Json } from '@/harness/contract/json';
import { type CallSpan, spanMs, type VisitSpan } from '@/harness/trace/views/spans';
import { eventAt } from '@/harness/trace/views/trace-index';
import { Badge } from '../../ui/badge';
import { formatCost, formatDuration, formatTokens } from '../../ui/format';
import { StatusBadge } from '../../ui/status';
import { Resolved } from '../payload';
import { useTraceView } from '../trace-context';
import { ChatMessages, ModelReplyView } from './chat-messages';
import { ErrorBox, Fact, Facts, Part, Value } from './detail-parts';

const withoutMessages = (request: Json): Json => {
  if (!isJsonObject(request)) return request;
  const { messages: _messages, ...rest } = request;
  return rest;
};

function ModelDetails({ call }: { call: CallSpan }) {
  const { index, texts } = useTraceView();
  const start = eventAt(index, call.start.seq);
  const end = call.end === null ? undefined : eventAt(index, call.end.seq);
  const live = texts.get(call.start.seq);
  return (
    <>
      <div className="px-3 pb-3">
        <Facts>
          <Fact name="Model">{call.provider === call.name ? call.name : `${call.provider} ${call.name}`}</Fact>
          <Fact name="Role">{call.role}</Fact>
          <Fact name="Tokens">
            {call.end === null ? 'counting' : `${formatTokens(call.inputTokens)} in, ${formatTokens(call.outputTokens)} out`}
          </Fact>
          <Fact name="Cost">{call.end === null ? 'counting' : formatCost(call.cost)}</Fact>
          <Fact name="Latency">{formatDuration(call.durationMs ?? spanMs(call, index.now))}</Fact>
          {call.retries > 0 ? <Fact name="Retries">{call.retries}</Fact> : null}
        </Facts>
      </div>
      {call.error === undefined ? null : <ErrorBox error={call.error} />}
      <Part title="Reply">
        {end?.kind === 'model-end' && end.reply !== undefined ? (
          <Resolved value={end.reply}>{(reply) => <ModelReplyView reply={reply} />}</Resolved>
        ) : live === undefined ? (
          <p className="text-faint text-xs">{call.end === null ? 'No text yet.' : 'No reply was recorded.'}</p>
        ) : (
          <p className="whitespace-pre-wrap break-words text-xs leading-5">{live.text.slice(-4000)}</p>
        )}
      </Part>
      {start?.kind === 'model-start' ? (
        <>
          <Part title="Prompt">
            <Resolved value={start.request}>{(request) => <ChatMessages request={request} />}</Resolved>
          </Part>
          <Part title="Tools, schema and parameters" open={false}>
            <Resolved value={start.request}>{(request) => <Value value={withoutMessages(request)} />}</Resolved>
          </Part>
        </>
      ) : null}
    </>
  );
}

function ToolDetails({ call, visit }: { call: CallSpan; visit: VisitSpan }) {
  const { index } = useTraceView();
  const start = eventAt(index, call.start.seq);
  const end = call.end === null ? undefined : eventAt(index, call.end.seq);
  const verdicts = visit.verdicts
    .map((seq) => eventAt(index, seq))
    .filter(
      (event) =>
        event?.kind === 'guard-verdict' &&
        event.subject === 'tool' &&
        event.tool === call.name &&
        event.seq <= (call.end?.seq ?? index.last),
    );
  return (
    <>
      <div className="px-3 pb-3">
        <Facts>
          {call.effect === undefined ? null : <Fact name="Effect">{call.effect}</Fact>}
          <Fact name="Duration">{formatDuration(call.durationMs ?? spanMs(call, index.now))}</Fact>
          {verdicts.map((event) =>
            event?.kind === 'guard-verdict' ? (
              <Fact key={event.seq} name={event.policy}>
                {event.verdict}
                {event.message === undefined ? '' : `: ${event.message}`}
              </Fact>
            ) : null,
          )}
        </Facts>
      </div>
      {start?.kind === 'tool-start' ? (
        <Part title="Arguments">
          <Value value={start.input} />
        </Part>
      ) : null}
      <Part title="Result">
        {end?.kind === 'tool-end' ? <Value value={end.outcome} openTo={3} /> : <p className="text-faint text-xs">Not answered yet.</p>}
      </Part>
    </>
  );
}

export function CallDetails({ call, visit }: { call: CallSpan; visit: VisitSpan }) {
  const { index } = useTraceView();
  const end = call.end === null ? undefined : eventAt(index, call.end.seq);
  return (
    <>
      <div className="flex flex-wrap items-center gap-1.5 px-3 py-2">
        <StatusBadge
          status={call.status === 'denied' ? 'cancelled' : call.status}
          {...(call.status === 'denied' ? { label: 'Refused' } : {})}
        />
        {call.rehearsal ? <Badge tone="accent">Rehearsal model</Badge> : null}
        {call.replayed ? <Badge tone="outline">Recorded answer, nothing spent</Badge> : null}
      </div>
      {call.kind === 'model' ? <ModelDetails call={call} /> : null}
      {call.kind === 'tool' ? <ToolDetails call={call} visit={visit} /> : null}
      {call.kind === 'effect' && end?.kind === 'effect-end' ? (
        <Part title="Stored result">
          <Value value={end.value} />
        </Part>
      ) : null}
    </>
  );
}
