import type { Json } from '@/harness/contract/json';
import type { FlowDocument } from '@/harness/flow/schema';

export interface Found {
  nodeId: string;
  /** Where in the node: its name, id, note, or a config path. */
  place: string;
  before: string;
  match: string;
  after: string;
}

const around = 32;

const cut = (text: string, at: number, length: number): Pick<Found, 'before' | 'match' | 'after'> => {
  const from = Math.max(0, at - around);
  const to = Math.min(text.length, at + length + around);
  return {
    before: `${from > 0 ? '…' : ''}${text.slice(from, at)}`.replace(/\s+/g, ' '),
    match: text.slice(at, at + length),
    after: `${text.slice(at + length, to)}${to < text.length ? '…' : ''}`.replace(/\s+/g, ' '),
  };
};

function* textsOf(value: Json, path: string): Generator<[string, string]> {
  if (typeof value === 'string') yield [path, value];
  else if (typeof value === 'number' || typeof value === 'boolean') yield [path, String(value)];
  else if (Array.isArray(value)) for (const [at, item] of value.entries()) yield* textsOf(item, `${path}.${at}`);
  else if (value !== null) for (const [key, item] of Object.entries(value)) yield* textsOf(item, path === '' ? key : `${path}.${key}`);
}

/** Every place in the flow that holds the text, values and names alike; at most `limit`. */
export function findInFlow(document: FlowDocument, query: string, limit = 200): Found[] {
  const needle = query.trim().toLowerCase();
  if (needle === '') return [];
  const found: Found[] = [];
  for (const node of document.nodes) {
    const texts: [string, string][] = [
      ['name', node.label],
      ['id', node.id],
      ...(node.note ? [['note', node.note] as [string, string]] : []),
      ...textsOf(node.config, ''),
    ];
    for (const [place, text] of texts) {
      const at = text.toLowerCase().indexOf(needle);
      if (at < 0) continue;
      found.push({ nodeId: node.id, place, ...cut(text, at, needle.length) });
      if (found.length >= limit) return found;
    }
  }
  return found;
}
