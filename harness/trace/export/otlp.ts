import type { TraceEvent, TraceEventOf } from '../events';
import { decisionLine } from '../views/decision-words';
import { sendersOf } from '../views/provenance';
import type { CallSpan, Span, VisitSpan } from '../views/spans';
import { eventAt, indexTrace, type TraceIndex } from '../views/trace-index';
import { inputMessages, outputMessages } from './gen-ai-messages';
import { attributes, type OtlpAttribute, type OtlpSpan, type OtlpTraces } from './otlp-types';
import { spanIdOf, traceIdOf } from './span-ids';

/** The semantic conventions that names of attributes follow. */
const schemaUrl = 'https://opentelemetry.io/schemas/1.41.0';

const nanos = (at: number): string => `${Math.max(0, Math.trunc(at))}000000`;

const failure = (error: { code: string; message: string } | undefined): OtlpSpan['status'] =>
  error === undefined ? { code: 1 } : { code: 2, message: error.message };

interface Shape {
  id: string;
  parent?: string;
  name: string;
  kind?: OtlpSpan['kind'];
  span: Span;
  attributes: OtlpAttribute[];
  status: OtlpSpan['status'];
}

function builder(index: TraceIndex, runId: string) {
  const traceId = traceIdOf(runId);
  const id = (part: string): string => spanIdOf(runId, part);
  const make = (shape: Shape): OtlpSpan => ({
    traceId,
    spanId: id(shape.id),
    ...(shape.parent === undefined ? {} : { parentSpanId: id(shape.parent) }),
    name: shape.name,
    kind: shape.kind ?? 1,
    startTimeUnixNano: nanos(shape.span.start.at),
    // A span that is still open ends where the log ends; none ends before it starts.
    endTimeUnixNano: nanos(Math.max(shape.span.start.at, shape.span.end?.at ?? index.now)),
    attributes: shape.attributes,
    events: [],
    links: [],
    status: shape.status,
  });
  return { traceId, id, make };
}

type Builder = ReturnType<typeof builder>;

const eventsOf = (index: TraceIndex, seqs: readonly number[]): OtlpSpan['events'] =>
  seqs.flatMap((seq) => {
    const event = eventAt(index, seq);
    const time = nanos(event?.at ?? 0);
    if (event?.kind === 'decision') {
      const { rule, outcome } = event.decision;
      return [
        {
          timeUnixNano: time,
          name: 'bridle.decision',
          attributes: attributes({ 'bridle.rule': rule, 'bridle.outcome': outcome, 'bridle.because': decisionLine(event.decision) }),
        },
      ];
    }
    if (event?.kind === 'guard-verdict') {
      const { policy, subject, verdict, message, tool } = event;
      return [
        {
          timeUnixNano: time,
          name: 'bridle.guard',
          attributes: attributes({
            'bridle.policy': policy,
            'bridle.subject': subject,
            'bridle.verdict': verdict,
            'gen_ai.tool.name': tool,
            'bridle.message': message,
          }),
        },
      ];
    }
    if (event?.kind === 'log')
      return [
        {
          timeUnixNano: time,
          name: 'bridle.log',
          attributes: attributes({ 'bridle.level': event.level, 'bridle.message': event.message }),
        },
      ];
    return [];
  });

function callEnd(index: TraceIndex, call: CallSpan): TraceEvent | undefined {
  return call.end === null ? undefined : eventAt(index, call.end.seq);
}

function modelSpan(index: TraceIndex, build: Builder, visit: VisitSpan, call: CallSpan): OtlpSpan {
  const start = eventAt(index, call.start.seq);
  const end = callEnd(index, call);
  const messages = inputMessages(start?.kind === 'model-start' ? start.request : null);
  const reply = outputMessages(end?.kind === 'model-end' ? end.reply : undefined);
  return build.make({
    id: `call:${call.start.seq}`,
    parent: `visit:${visit.id}`,
    name: `chat ${call.name}`,
    kind: 3,
    span: call,
    status: failure(call.error),
    attributes: attributes({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': call.provider,
      'gen_ai.request.model': call.name,
      'gen_ai.usage.input_tokens': call.inputTokens,
      'gen_ai.usage.output_tokens': call.outputTokens,
      'gen_ai.response.finish_reasons': reply.finish === undefined ? undefined : [reply.finish],
      'gen_ai.system_instructions': messages.system,
      'gen_ai.input.messages': messages.input,
      'gen_ai.output.messages': reply.output,
      'error.type': call.error?.code,
      'bridle.model.role': call.role,
      'bridle.cost.usd': call.cost,
      'bridle.replayed': call.replayed,
      'bridle.rehearsal': call.rehearsal,
    }),
  });
}

function toolSpan(index: TraceIndex, build: Builder, visit: VisitSpan, call: CallSpan): OtlpSpan {
  const start = eventAt(index, call.start.seq);
  const end = callEnd(index, call);
  const failed = call.status === 'failed' || call.status === 'denied';
  return build.make({
    id: `call:${call.start.seq}`,
    parent: `visit:${visit.id}`,
    name: `execute_tool ${call.name}`,
    span: call,
    status: failed ? { code: 2, message: call.status } : { code: 1 },
    attributes: attributes({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': call.name,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': call.key,
      'gen_ai.tool.call.arguments': start?.kind === 'tool-start' ? JSON.stringify(start.input) : undefined,
      'gen_ai.tool.call.result': end?.kind === 'tool-end' ? JSON.stringify(end.outcome) : undefined,
      'error.type': failed ? call.status : undefined,
      'bridle.tool.effect': call.effect,
      'bridle.replayed': call.replayed,
    }),
  });
}

function visitSpans(index: TraceIndex, build: Builder, visit: VisitSpan): OtlpSpan[] {
  const self = build.make({
    id: `visit:${visit.id}`,
    parent: visit.scope === null ? 'run' : `scope:${visit.scope}`,
    name: `${visit.type} ${visit.label}`,
    span: visit,
    status: failure(visit.error),
    attributes: attributes({
      ...(visit.type === 'agent' ? { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': visit.label } : {}),
      'bridle.node.id': visit.nodeId,
      'bridle.node.type': visit.type,
      'bridle.layer': visit.layer,
      'bridle.visit.number': visit.number,
      'bridle.visit.attempts': visit.attempts,
      'bridle.visit.outcome': visit.status,
      'bridle.ports': visit.ports,
      'error.type': visit.error?.code,
    }),
  });
  self.events = eventsOf(
    index,
    [...visit.decisions, ...visit.verdicts, ...visit.logs].sort((a, b) => a - b),
  );
  self.links = sendersOf(index, visit).map((sender) => ({ traceId: build.traceId, spanId: build.id(`visit:${sender.id}`) }));
  const calls = visit.calls.flatMap((call) => {
    if (call.kind === 'effect') return [];
    return [call.kind === 'model' ? modelSpan(index, build, visit, call) : toolSpan(index, build, visit, call)];
  });
  return [self, ...calls];
}

const runSpan = (index: TraceIndex, build: Builder, start: TraceEventOf<'run-start'>): OtlpSpan =>
  build.make({
    id: 'run',
    name: `invoke_workflow ${start.flowName}`,
    span: {
      start: { seq: start.seq, at: start.at },
      end: index.run.end === null ? null : { seq: index.run.end.seq, at: index.run.end.at },
    },
    status:
      index.run.status === 'failed'
        ? { code: 2, message: index.run.end?.error?.message ?? 'failed' }
        : { code: index.run.status === 'succeeded' ? 1 : 0 },
    attributes: attributes({
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.workflow.name': start.flowName,
      'gen_ai.conversation.id': start.sessionId,
      'bridle.run.id': start.runId,
      'bridle.flow.id': start.flowId,
      'bridle.plan.hash': start.planHash,
      'bridle.outcome': index.run.status,
      'bridle.cost.usd': index.run.unpricedCalls > 0 ? undefined : index.run.cost,
      'error.type': index.run.end?.error?.code,
    }),
  });

/**
 * A run as OpenTelemetry traces in OTLP/JSON with the GenAI conventions: the run, its visits, container bodies, model calls (`chat`) and tool
 * calls (`execute_tool`); decisions, guard verdicts and log lines are span events, and a visit links to the visits its token came from.
 */
export function exportOtlp(events: readonly TraceEvent[]): OtlpTraces {
  const index = indexTrace(events);
  const start = index.run.start;
  if (start === null) return { resourceSpans: [] };
  const build = builder(index, start.runId);
  const scopes = [...index.scopes.values()].map((scope) =>
    build.make({
      id: `scope:${scope.id}`,
      parent: `visit:${scope.visit}`,
      name: `body ${scope.index}`,
      span: scope,
      status: failure(scope.error),
      attributes: attributes({ 'bridle.scope.index': scope.index, 'bridle.scope.outcome': scope.outcome }),
    }),
  );
  const spans = [runSpan(index, build, start), ...scopes, ...index.visits.flatMap((visit) => visitSpans(index, build, visit))];
  return {
    resourceSpans: [
      {
        resource: { attributes: attributes({ 'service.name': 'bridle' }) },
        scopeSpans: [{ scope: { name: 'bridle', version: String(start.version) }, schemaUrl, spans }],
      },
    ],
  };
}
