import { describe, expect, it } from 'vitest';
import { longLog, TestLog } from '../views/test-log';
import { indexTrace } from '../views/trace-index';
import { exportTraceJson } from './json';
import { exportOtlp } from './otlp';

const spansOf = (events: Parameters<typeof exportOtlp>[0]) => exportOtlp(events).resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
const read = (span: { attributes: { key: string; value: object }[] } | undefined, key: string) =>
  Object.values(span?.attributes.find((attribute) => attribute.key === key)?.value ?? {})[0];

describe('export as OpenTelemetry', () => {
  const spans = spansOf(longLog(10));

  it('gives every span an id of its own and a parent that is in the file (a viewer shows orphans apart)', () => {
    const ids = new Set(spans.map((span) => span.spanId));
    expect(ids.size).toBe(spans.length);
    for (const span of spans) {
      expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
      expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
      expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true);
    }
    const roots = spans.filter((span) => span.parentSpanId === undefined);
    expect(roots.map((span) => span.name)).toEqual(['invoke_workflow Test flow']);
    expect(spans.every((span) => span.parentSpanId === undefined || ids.has(span.parentSpanId))).toBe(true);
  });

  it('writes model and tool calls by the GenAI conventions and leaves unknown cost out (unknown is not zero)', () => {
    const chat = spans.find((span) => span.name === 'chat rehearsal');
    expect(read(chat, 'gen_ai.operation.name')).toBe('chat');
    expect(read(chat, 'gen_ai.usage.input_tokens')).toBe('40');
    expect(read(chat, 'bridle.cost.usd')).toBeUndefined();
    const tool = spans.find((span) => span.name === 'execute_tool read_file');
    expect(read(tool, 'gen_ai.tool.call.arguments')).toBe('{"path":"file-0.md"}');
  });

  it('carries decisions on their visit and messages in parts', () => {
    expect(spans.filter((span) => span.events.some((event) => event.name === 'bridle.decision'))).toHaveLength(10);
    const log = new TestLog().start().visitStart('a');
    const place = { nodeId: 'a', visit: 'v-a-1', key: 'm' };
    log.add({
      kind: 'model-start',
      ...place,
      role: 'primary',
      provider: 'openai',
      model: 'x',
      request: {
        messages: [
          { role: 'system', content: 'be brief' },
          { role: 'tool', toolCallId: 'c1', toolName: 't', content: 'found' },
        ],
      },
    });
    log.add({
      kind: 'model-end',
      ...place,
      reply: { text: '', toolCalls: [{ id: 'c2', name: 't', arguments: {} }], finish: 'tool-calls' },
      inputTokens: 1,
      outputTokens: 1,
      cost: 0,
      durationMs: 2,
    });
    const chat = spansOf(log.events).find((span) => span.name === 'chat x');
    expect(JSON.parse(String(read(chat, 'gen_ai.system_instructions')))).toEqual([{ type: 'text', content: 'be brief' }]);
    expect(JSON.parse(String(read(chat, 'gen_ai.input.messages')))).toEqual([
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'found' }] },
    ]);
    expect(JSON.parse(String(read(chat, 'gen_ai.output.messages')))).toEqual([
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'c2', name: 't', arguments: {} }], finish_reason: 'tool_call' },
    ]);
  });
});

describe('export as JSON', () => {
  it('reads back into the same views', () => {
    const events = longLog(5);
    expect(indexTrace(JSON.parse(exportTraceJson(events)).events)).toEqual(indexTrace(events));
  });
});
