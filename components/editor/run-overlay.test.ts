import { describe, expect, test } from 'vitest';
import type { TraceEvent } from '@/harness/trace/events';
import { noUsage } from '@/harness/trace/events';
import { foldOverlay, idleOverlay } from './run-overlay';

let at = 0;
const start = (seq: number, nodeId: string, via: string | null = null): TraceEvent => ({
  runId: 'r',
  seq,
  at: ++at,
  nodeId,
  visit: `${nodeId}-${seq}`,
  kind: 'visit-start',
  type: 'x',
  label: nodeId,
  number: 1,
  attempt: 1,
  via,
  token: 't',
});
const end = (seq: number, nodeId: string, edges: string[]): TraceEvent => ({
  runId: 'r',
  seq,
  at: ++at,
  nodeId,
  visit: `${nodeId}-${seq}`,
  kind: 'visit-end',
  outcome: 'done',
  ports: ['next'],
  edges,
  output: { n: seq },
  durationMs: 5,
});
const ask = (seq: number, nodeId: string): TraceEvent => ({
  runId: 'r',
  seq,
  at: ++at,
  nodeId,
  kind: 'ask-open',
  askId: 'a',
  key: 'k',
  hash: 'h',
  ask: { kind: 'approval', title: 'ok?', body: '', choices: [{ id: 'yes', label: 'Yes', tone: 'accept' }] },
});
const runEnd = (seq: number, outcome: 'succeeded' | 'cancelled'): TraceEvent => ({
  runId: 'r',
  seq,
  at: ++at,
  kind: 'run-end',
  outcome,
  output: null,
  outputs: {},
  unreached: [],
  usage: noUsage,
  carry: {},
});

describe('the run on the canvas', () => {
  test('a node held after a step can be stepped on from, though no breakpoint is set on it', () => {
    const asked = ask(2, 'a');
    if (asked.kind !== 'ask-open') throw new Error('not an ask');
    const held = foldOverlay(idleOverlay, [start(1, 'a'), { ...asked, ask: { ...asked.ask, kind: 'breakpoint' } }]);
    expect(held.nodes.get('a')).toMatchObject({ status: 'waiting', held: true });
    expect(foldOverlay(idleOverlay, [start(1, 'a'), asked]).nodes.get('a')).toMatchObject({ status: 'waiting', held: false });
  });

  test('a frame that arrives twice counts no visit and no edge twice', () => {
    const events = [start(1, 'a'), end(2, 'a', ['ab']), start(3, 'b', 'ab')];
    const once = foldOverlay(idleOverlay, events);
    expect(foldOverlay(once, events)).toBe(once);
    expect(once.edges.get('ab')).toBe(1);
  });

  test('nodes that a batch does not touch keep their object, so their cards do not render', () => {
    const before = foldOverlay(idleOverlay, [start(1, 'a'), end(2, 'a', ['ab'])]);
    const after = foldOverlay(before, [start(3, 'b', 'ab')]);
    expect(after.nodes.get('a')).toBe(before.nodes.get('a'));
  });

  test('a run that only waits for a person says so, and says running while a branch goes on', () => {
    const asked = foldOverlay(idleOverlay, [start(1, 'a'), start(2, 'b'), ask(3, 'a')]);
    expect(asked.status).toBe('running');
    expect(foldOverlay(asked, [end(4, 'b', [])]).status).toBe('waiting');
  });

  test('after the end nothing is left running', () => {
    const over = foldOverlay(idleOverlay, [start(1, 'a'), runEnd(2, 'cancelled')]);
    expect(over.status).toBe('cancelled');
    expect(over.nodes.get('a')?.status).toBe('cancelled');
    expect(over.liveEdges.size).toBe(0);
  });

  test('events of another run begin a fresh overlay', () => {
    const first = foldOverlay(idleOverlay, [start(1, 'a'), end(2, 'a', [])]);
    const second = foldOverlay(first, [{ ...start(1, 'b'), runId: 'other' }]);
    expect([...second.nodes.keys()]).toEqual(['b']);
    expect(second.runId).toBe('other');
  });
});
