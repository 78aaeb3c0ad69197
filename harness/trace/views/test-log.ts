import type { DecisionInput } from '../../contract/decision';
import { decisionSchema } from '../../contract/decision';
import type { Json } from '../../contract/json';
import type { TraceDraft, TraceEvent, TraceEventOf } from '../events';
import { noUsage, runOptionsSchema, traceVersion } from '../events';

/** Writes logs for tests the way the engine does: seqs gap-free, one clock. Nothing here checks that the log makes sense. */
export class TestLog {
  readonly events: TraceEvent[] = [];
  at: number;

  constructor(start = 1_000) {
    this.at = start;
  }

  add(draft: TraceDraft, after = 0): this {
    this.at += after;
    // A draft is an event without its envelope; the three fields complete it.
    this.events.push({ ...draft, runId: 'r1', seq: this.events.length + 1, at: this.at } as TraceEvent);
    return this;
  }

  start(over: Partial<Pick<TraceEventOf<'run-start'>, 'input' | 'channels'>> = {}): this {
    return this.add({
      kind: 'run-start',
      version: traceVersion,
      flowId: 'f1',
      flowName: 'Test flow',
      planHash: 'h',
      input: over.input ?? { message: 'hi' },
      options: runOptionsSchema.parse({}),
      sessionId: null,
      workspace: null,
      channels: over.channels ?? {},
    });
  }

  visitStart(nodeId: string, over: Partial<TraceEventOf<'visit-start'>> = {}, after = 0): this {
    const { visit = `v-${nodeId}-${over.number ?? 1}`, number = 1, ...rest } = over;
    return this.add(
      {
        kind: 'visit-start',
        nodeId,
        visit,
        number,
        type: 'transform',
        label: nodeId,
        attempt: 1,
        via: null,
        token: 't',
        layer: 'flow',
        ...rest,
      },
      after,
    );
  }

  visitEnd(nodeId: string, over: Partial<TraceEventOf<'visit-end'>> & { number?: number } = {}, after = 0): this {
    const { number = 1, visit = `v-${nodeId}-${number}`, ...rest } = over;
    return this.add(
      { kind: 'visit-end', nodeId, visit, outcome: 'done', ports: ['next'], edges: [], output: null, durationMs: after, ...rest },
      after,
    );
  }

  visitNode(nodeId: string, over: { via?: string; edges?: string[]; output?: Json; number?: number; scope?: string } = {}, ms = 0): this {
    const { via = null, edges = [], output = null, number = 1, scope } = over;
    const place = { number, visit: `v-${scope ?? ''}${nodeId}-${number}`, ...(scope === undefined ? {} : { scope }) };
    return this.visitStart(nodeId, { via, ...place }).visitEnd(nodeId, { edges, output, ...place }, ms);
  }

  decision(nodeId: string, decision: DecisionInput, over: { layer?: string; number?: number } = {}): this {
    const { number = 1, layer = 'flow' } = over;
    return this.add({ kind: 'decision', nodeId, visit: `v-${nodeId}-${number}`, layer, decision: decisionSchema.parse(decision) });
  }

  patch(nodeId: string, channel: string, patches: TraceEventOf<'state-patch'>['patches'], number = 1): this {
    return this.add({ kind: 'state-patch', nodeId, visit: `v-${nodeId}-${number}`, channel, patches });
  }

  end(over: Partial<TraceEventOf<'run-end'>> = {}, after = 0): this {
    return this.add(
      { kind: 'run-end', outcome: 'succeeded', output: null, outputs: {}, unreached: [], usage: noUsage, carry: {}, ...over },
      after,
    );
  }
}

/** A long run of one shape over and over: per turn a visit with a model call, a decision, a state patch and a tool call (11 events). */
export function longLog(turns: number, start = 1_000): TraceEvent[] {
  const log = new TestLog(start).start({ channels: { notes: [] } });
  const layerIds = ['evidence', 'hypothesis', 'contradiction', 'diagnostics', 'control-state', 'planning', 'execution', 'verification'];
  for (let i = 0; i < turns; i += 1) {
    const layer = layerIds[i % layerIds.length] ?? 'flow';
    const nodeId = `${layer.replace('-', '_')}_${i % 3}`;
    const number = Math.floor(i / 24) + 1;
    const visit = `v-${nodeId}-${number}-${i}`;
    const place = { nodeId, visit, layer };
    const value = 0.1 + ((i * 37) % 100) / 125;
    log
      .visitStart(nodeId, { visit, number, layer, label: `${layer} ${i % 3}`, via: i === 0 ? null : 'e' }, 1)
      .add({
        kind: 'model-start',
        ...place,
        key: 'm',
        role: 'primary',
        provider: 'rehearsal',
        model: 'rehearsal',
        request: { messages: [] },
      })
      .add(
        {
          kind: 'model-end',
          ...place,
          key: 'm',
          reply: { text: `reply ${i}` },
          inputTokens: 40,
          outputTokens: 12,
          cost: null,
          durationMs: 3 + (i % 9),
        },
        3 + (i % 9),
      )
      .add({ kind: 'guard-verdict', ...place, policy: 'tool_guard', subject: 'tool', tool: 'read_file', verdict: 'allow' })
      .add({ kind: 'tool-start', ...place, key: 't', tool: 'read_file', effect: 'read', input: { path: `file-${i}.md` } })
      .add({ kind: 'tool-end', ...place, key: 't', tool: 'read_file', outcome: { status: 'ok', output: 'text' }, durationMs: 2 }, 2)
      .add({
        kind: 'decision',
        ...place,
        decision: decisionSchema.parse({
          rule: `tier ${(i % 4) + 1}`,
          outcome: value < 0.4 ? 'DENY' : 'CAUTIOUS',
          because: [{ name: 'symptom_coverage', value, operator: '<', threshold: 0.4, holds: value < 0.4 }],
          alternatives: [{ outcome: value < 0.4 ? 'CAUTIOUS' : 'DENY', needs: `symptom_coverage ${value < 0.4 ? '≥' : '<'} 0.4` }],
        }),
      })
      .add({ kind: 'state-patch', ...place, channel: 'notes', patches: [{ op: 'add', path: [i], value: { id: `n${i}`, value } }] })
      .add({ kind: 'log', ...place, level: 'info', message: `turn ${i}` })
      .visitEnd(nodeId, { visit, layer, edges: ['e'], output: { value }, durationMs: 6 + (i % 9) }, 1);
  }
  return log.end({ outcome: 'succeeded' }).events;
}
