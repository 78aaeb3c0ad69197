import { describe, expect, it } from 'vitest';
import { drawFlow } from '../testing/draw-flow';
import { testCatalogue } from '../testing/test-catalogue';
import { canonicalText } from './canonical';
import { importLimits, parseFlow } from './parse-flow';

const sound = drawFlow({ nodes: { input: 'input', a: 'step', output: 'output' }, edges: ['input -> a', 'a -> output'] });
const fault = (text: string): string => {
  const parsed = parseFlow(text);
  return parsed.ok ? 'read' : parsed.error.code;
};
const withPart = (part: object): string => JSON.stringify({ ...sound, ...part });
const node = (id: string, more: object = {}) => ({ id, type: 'step', typeVersion: 1, label: id, config: {}, ...more });

describe('text that is no flow (BR-27)', () => {
  it.each([
    ['truncated JSON', canonicalText(sound).slice(0, 200), 'FLOW_NOT_JSON'],
    ['nothing', '', 'FLOW_NOT_JSON'],
    ['null', 'null', 'FLOW_SHAPE'],
    ['a list', '[]', 'FLOW_SHAPE'],
    ['a number', '7', 'FLOW_SHAPE'],
    ['nodes as an object', '{"nodes": {}}', 'FLOW_FORMAT'],
    ['nodes as an object in a flow', withPart({ nodes: {} }), 'FLOW_INVALID'],
    ['nodes without data', withPart({ nodes: [{ id: 'a' }] }), 'FLOW_INVALID'],
    ['a node that is null', withPart({ nodes: [null] }), 'FLOW_INVALID'],
    ['more than can be read', ' '.repeat(importLimits.characters + 1), 'FLOW_TOO_LARGE'],
    ['10,000 nodes', withPart({ nodes: Array.from({ length: 10_000 }, (_, index) => node(`n${index}`)) }), 'FLOW_TOO_MANY'],
    ['two nodes of one id', withPart({ nodes: [node('a'), node('a')] }), 'FLOW_DUPLICATE_ID'],
    ['parents in a circle', withPart({ nodes: [node('a', { parent: 'b' }), node('b', { parent: 'a' })], edges: [] }), 'FLOW_PARENT_CYCLE'],
    ['a node in itself', withPart({ nodes: [node('a', { parent: 'a' })], edges: [] }), 'FLOW_PARENT_CYCLE'],
    ['a key __proto__', withPart({}).replace('"config":{}', '"config":{"__proto__":{"polluted":true}}'), 'FLOW_UNSAFE_KEY'],
    ['a key constructor', withPart({}).replace('"config":{}', '"config":{"constructor":{"prototype":{}}}'), 'FLOW_UNSAFE_KEY'],
    ['a node called __proto__', withPart({ nodes: [node('__proto__')], edges: [] }), 'FLOW_UNSAFE_KEY'],
    ['nesting without end', `{"format":"bridle/flow","a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 'FLOW_TOO_DEEP'],
    ['a secret where only a name may be', withPart({ settings: { secrets: [{ name: 'X', value: 'hunter2' }] } }), 'FLOW_INVALID'],
  ])('%s is a typed error', (_what, text, code) => {
    expect(fault(text)).toBe(code);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('from a newer Bridle names both versions (BR-26)', () => {
    const parsed = parseFlow(withPart({ version: 7 }));
    expect(parsed).toMatchObject({ ok: false, error: { code: 'FLOW_VERSION_NEWER' } });
    expect(parsed.ok ? '' : parsed.error.message).toMatch(/version 7.*version 1/);
  });
});

it('keeps edges that do not hold and nodes of unknown type, and says so by id (BR-25, BR-31)', () => {
  const text = withPart({
    nodes: [...sound.nodes, node('x', { type: 'gone', config: { deep: { kept: [1, null, 'œ'] } } })],
    edges: [...sound.edges, { id: 'dangling', kind: 'flow', source: 'a', port: 'next', target: 'nowhere' }],
  });
  const parsed = parseFlow(text, testCatalogue);
  if (!parsed.ok) throw parsed.error;
  expect(parsed.document.nodes.find(({ id }) => id === 'x')?.config).toEqual({ deep: { kept: [1, null, 'œ'] } });
  expect(parsed.document.edges).toHaveLength(3);
  expect(parsed.notices.join('\n')).toMatch(/"gone".*\n.*"dangling"/);
  expect(canonicalText(parsed.document)).toContain('"dangling"');
});

it('reads ids with quotes, spaces, any script, and of 300 characters exactly as they are (BR-37)', () => {
  const ids = ['a "b"', "call 'x'", 'œuvre', '名前', '🧵', 'a\\b', '{"id":1}', 'x'.repeat(300)];
  const text = withPart({
    nodes: ids.map((id) => node(id)),
    edges: ids.map((id) => ({ id, kind: 'flow', source: id, port: 'next', target: ids[0] })),
  });
  const parsed = parseFlow(text);
  if (!parsed.ok) throw parsed.error;
  expect(parsed.document.nodes.map(({ id }) => id)).toEqual(ids);
  const again = parseFlow(canonicalText(parsed.document));
  expect(again.ok ? again.document.nodes.map(({ id }) => id).sort() : again.error).toEqual([...ids].sort());
});
