import type { Json } from '@/harness/contract/json';
import type { TraceEvent } from '@/harness/trace/events';
import type { LiveText } from '../state/run-buffer';

export interface ToolUse {
  /** Seq of its start: stable while the run goes on. */
  id: number;
  tool: string;
  nodeId: string | null;
  input: Json;
  status: 'running' | 'ok' | 'denied' | 'failed';
  output: Json | null;
  /** Why it was refused or failed. */
  message: string | null;
  durationMs: number | null;
}

/** What the chat shows of a turn while it runs, and of its work afterwards. */
export interface TurnView {
  tools: ToolUse[];
  /** Label of the node that began last and has not ended. */
  activeLabel: string | null;
  /** The text being written, from the newest model call that has any. */
  writing: { label: string; text: string; done: boolean } | null;
}

const outcomeOf = (outcome: Json): Pick<ToolUse, 'status' | 'output' | 'message'> => {
  const record = typeof outcome === 'object' && outcome !== null && !Array.isArray(outcome) ? outcome : {};
  const message = typeof record.message === 'string' ? record.message : null;
  if (record.status === 'ok') return { status: 'ok', output: record.output ?? null, message: null };
  return { status: record.status === 'denied' ? 'denied' : 'failed', output: null, message };
};

export function turnOf(events: readonly TraceEvent[], texts: ReadonlyMap<number, LiveText>): TurnView {
  const tools = new Map<string, ToolUse>();
  const labels = new Map<string, string>();
  const open = new Map<string, string>();
  let running = true;
  for (const event of events) {
    if (event.kind === 'visit-start') {
      if (event.nodeId !== undefined) labels.set(event.nodeId, event.label);
      if (event.visit !== undefined) open.set(event.visit, event.label);
    } else if (event.kind === 'visit-end') {
      if (event.visit !== undefined) open.delete(event.visit);
    } else if (event.kind === 'tool-start') {
      tools.set(`${event.visit ?? ''} ${event.key}`, {
        id: event.seq,
        tool: event.tool,
        nodeId: event.nodeId ?? null,
        input: event.input,
        status: 'running',
        output: null,
        message: null,
        durationMs: null,
      });
    } else if (event.kind === 'tool-end') {
      const key = `${event.visit ?? ''} ${event.key}`;
      const started = tools.get(key);
      if (started) tools.set(key, { ...started, ...outcomeOf(event.outcome), durationMs: event.durationMs });
    } else if (event.kind === 'run-end') running = false;
  }
  let newest: LiveText | null = null;
  for (const text of texts.values()) if (text.text !== '' && (newest === null || text.start > newest.start)) newest = text;
  return {
    tools: [...tools.values()],
    activeLabel: running ? ([...open.values()].at(-1) ?? null) : null,
    writing:
      running && newest !== null ? { label: labels.get(newest.nodeId) ?? newest.nodeId, text: newest.text, done: newest.done } : null,
  };
}

/** Structured replies are data for the next node, not prose; the chat says so instead of showing raw JSON grow. */
export const looksStructured = (text: string): boolean => /^\s*(?:```json\s*)?[{[]/.test(text);
