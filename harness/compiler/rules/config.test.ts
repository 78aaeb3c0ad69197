import { describe, expect, it } from 'vitest';
import { type Drawing, drawFlow } from '../../testing/draw-flow';
import { testCatalogue } from '../../testing/test-catalogue';
import { compile } from '../compile';
import type { CompileOptions } from '../context';
import type { Diagnostic } from '../diagnostic';

const hash = (text: string): string => String(text.length);
const check = (drawing: Drawing, options: Partial<CompileOptions> = {}): Diagnostic[] =>
  compile(drawFlow(drawing), { catalogue: testCatalogue, hash, ...options }).diagnostics;
const codes = (drawing: Drawing): string[] =>
  check(drawing).map(({ code, nodeId, path }) => [code, nodeId, path].filter(Boolean).join(' '));
const line = ['input -> a', 'a -> b', 'b -> output'];
/** Two steps in a row; what the second one's config holds is what a test is about. */
const step = (config: Record<string, never> | object, type = 'step'): Drawing => ({
  nodes: { input: 'input', a: 'step', b: { type, config: JSON.parse(JSON.stringify(config)) }, output: 'output' },
  edges: line,
});
const mended = (drawing: Drawing, code: string): string[] => {
  const document = drawFlow(drawing);
  const fix = check(drawing).find((entry) => entry.code === code)?.fix;
  return fix ? compile(fix.apply(document), { catalogue: testCatalogue, hash }).diagnostics.map((entry) => entry.code) : ['no fix'];
};

describe('settings of a node', () => {
  it('are told by the path of the field when missing or out of bounds', () => {
    expect(codes(step({}, 'model'))).toContain('CONFIG_INVALID b prompt');
    expect(check(step({}, 'model')).find(({ path }) => path === 'prompt')?.message).toMatch(/Write the prompt/);
    expect(codes(step({ limit: 11 }))).toEqual(['CONFIG_INVALID b limit']);
    expect(codes(step({ rows: [{ id: 'x' }, { id: '' }] }))).toEqual(['CONFIG_INVALID b rows.1.id']);
  });

  it('do not block the flow at a node that is disabled', () => {
    const drawing = step({});
    const flow = { ...drawing, nodes: { ...drawing.nodes, b: { type: 'step', disabled: true, config: { limit: 11 } } } };
    expect(check(flow).map(({ severity }) => severity)).toEqual(['warning']);
  });
});

describe('expressions', () => {
  it.each([
    [{ when: '1 +' }, 'when'],
    [{ text: 'Hello {{ a.text' }, 'text'],
    [{ headers: { 'X-Name': '{{ a.text. }}' } }, 'headers.X-Name'],
    [{ rows: [{ id: 'x', when: 'a ==' }] }, 'rows.0.when'],
    [{ deep: { inner: '{{ }}' } }, 'deep.inner'],
    [{ when: "constructor.constructor('return process')()" }, 'when'],
  ])('%j cannot be read, which is told by path', (config, path) => {
    expect(codes(step(config))).toEqual([`EXPRESSION_SYNTAX b ${path}`]);
  });

  it('in fields that are switched off are left alone', () => {
    expect(codes(step({ mode: 'plain', volume: '1 +' }))).toEqual([]);
    expect(codes(step({ mode: 'loud', volume: '1 +' }))).toEqual(['EXPRESSION_SYNTAX b volume']);
  });
});

describe('references', () => {
  it.each([
    ['{{ nobody.text }}', 'REFERENCE_UNKNOWN'],
    ['{{ nodes["no body"].text }}', 'REFERENCE_UNKNOWN'],
    ['{{ a.txt }}', 'REFERENCE_NO_FIELD'],
    ['{{ a.list.name }}', null],
    ['{{ a.text.more }}', 'REFERENCE_NO_FIELD'],
    ['{{ a.anything.at.all }}', null],
    ['{{ a.error.message }}', null],
    ['{{ state.nothing }}', 'REFERENCE_NO_CHANNEL'],
    ['{{ state.notes }}', null],
    ['{{ item.name }}', 'REFERENCE_NO_ITEM'],
    ['{{ input.absent }}', 'REFERENCE_NO_INPUT_FIELD'],
    ['{{ received.whatever }}', null],
    ['{{ run.id }} {{ session.id }}', null],
  ])('%s gives %s', (text, code) => {
    expect(check(step({ text })).map((entry) => entry.code)).toEqual(code === null ? [] : [code]);
  });

  it('to a label instead of an id come with a fix', () => {
    const drawing = step({ text: '{{ Draft.text }}' });
    const flow = { ...drawing, nodes: { ...drawing.nodes, a: { type: 'step', label: 'draft' } } };
    expect(check(flow)[0]?.message).toMatch(/Did you mean a\?/);
    expect(mended(flow, 'REFERENCE_UNKNOWN')).toEqual([]);
  });

  it('into a container from outside are refused, out of it are not', () => {
    const nodes = { input: 'input', a: 'step', m: 'map', x: { type: 'step', parent: 'm', config: { text: '{{ a.text }}{{ item }}' } } };
    const flow = {
      nodes: { ...nodes, output: { type: 'output', config: { value: '{{ x.text }}' } } },
      edges: ['input -> a', 'a -> m', 'm -> output'],
    };
    expect(codes(flow)).toContain('REFERENCE_INSIDE_CONTAINER output value');
    expect(codes(flow).some((entry) => entry.includes(' x '))).toBe(false);
  });
});

describe('references to what may not have run', () => {
  const nodes = { input: 'input', if: { type: 'branch', config: { cases: [{ id: 'yes', when: 'true' }] } }, a: 'step', j: 'join' };
  const reading = (value: string) => ({ output: { type: 'output', config: { value } } });
  const oneWay = ['input -> if', 'if.yes -> a', 'a -> output', 'if.else -> output'];
  const order = (drawing: Drawing) => check(drawing).filter(({ code }) => code === 'REFERENCE_MAY_NOT_HAVE_RUN');

  it('warn where a branch goes around it, unless the expression copes', () => {
    const { j, ...without } = nodes;
    expect(order({ nodes: { ...without, ...reading('{{ a.text }}') }, edges: oneWay })).toMatchObject([
      { severity: 'warning', nodeId: 'output', path: 'value' },
    ]);
    for (const value of ['{{ default(a.text, "") }}', '{{ a.?text.orValue("") }}', '{{ a == null ? "" : a.text }}', '{{ if }}']) {
      expect(order({ nodes: { ...without, ...reading(value === '{{ if }}' ? '{{ nodes["if"].case }}' : value) }, edges: oneWay })).toEqual(
        [],
      );
    }
  });

  it('know that a join of all branches has seen each of them, and a join of any has not', () => {
    const forked = { input: 'input', f: 'fork', a: 'step', b: 'step', j: 'join' };
    const edges = ['input -> f', 'f.a -> a', 'f.b -> b', 'a -> j', 'b -> j', 'j -> output'];
    expect(order({ nodes: { ...forked, ...reading('{{ a.text }}{{ b.text }}') }, edges })).toEqual([]);
    expect(order({ nodes: { ...forked, j: { type: 'join', config: { mode: 'any' } }, ...reading('{{ a.text }}') }, edges })).toHaveLength(
      1,
    );
  });

  it('know that a branch with a condition of its own, or that may end early, is not sure', () => {
    const edges = ['input -> f', 'f.a -> a', 'f.b -> b', 'a -> j', 'b -> j', 'j -> output'];
    const f = {
      type: 'fork',
      config: {
        branches: [
          { id: 'a', when: 'false' },
          { id: 'b', when: '' },
        ],
      },
    };
    expect(order({ nodes: { input: 'input', f, a: 'step', b: 'step', j: 'join', ...reading('{{ a.text }}') }, edges })).toHaveLength(1);
    const ending = ['input -> f', 'f.a -> if', 'if.yes -> a', 'a -> j', 'f.b -> b', 'b -> j', 'j -> output'];
    expect(order({ nodes: { ...nodes, f: 'fork', b: 'step', ...reading('{{ a.text }}') }, edges: ending })).toHaveLength(1);
  });

  it('warn at the first node of a loop that reads what only comes later', () => {
    const edges = ['input -> a', 'a -> b', 'b.error -> a x3', 'b -> output'];
    const flow = { nodes: { input: 'input', a: { type: 'step', config: { text: '{{ b.text }}' } }, b: 'step', output: 'output' }, edges };
    expect(order(flow)).toMatchObject([{ nodeId: 'a' }]);
  });
});

describe('channels', () => {
  it('for one writer refuse a second', () => {
    const flow = {
      nodes: { input: 'input', a: 'judge', b: 'judge', output: 'output' },
      edges: ['input -> a', 'a.pass -> b', 'b.pass -> output'],
    };
    expect(codes(flow)).toEqual(['CHANNEL_TWO_WRITERS b']);
    expect(codes({ ...flow, nodes: { ...flow.nodes, b: { type: 'judge', disabled: true } } })).toEqual([]);
  });
});

describe('secrets', () => {
  it.each([
    [{ text: `key ${'sk-'}ant-${'a1B2'.repeat(8)}` }, 'text'],
    [{ headers: { Authorization: `Bearer ${'x9'.repeat(14)}` } }, 'headers.Authorization'],
    [{ headers: { 'x-api-key': 'hunter2hunter2' } }, 'headers.x-api-key'],
    [{ text: `${'gh'}p_${'Ab1'.repeat(12)}` }, 'text'],
    [{ text: 'https://user:hunter2@example.com' }, 'text'],
  ])('written out in %j are refused', (config, path) => {
    expect(codes(step(config))).toEqual([`SECRET_LITERAL b ${path}`]);
  });

  it('are no false alarm in prose or behind an expression', () => {
    const fine = { text: 'Never ask for a password. Tokens are sk-short.', headers: { Authorization: 'Bearer {{secrets.TOKEN}}' } };
    expect(codes({ ...step(fine), settings: { secrets: ['TOKEN'] } })).toEqual([]);
  });

  it('must be granted to the flow, which the fix does, and stay out of expressions', () => {
    const drawing = step({ headers: { 'X-Key': '{{secrets.TOKEN}}' } });
    expect(codes(drawing)).toEqual(['SECRET_NOT_GRANTED b headers.X-Key']);
    expect(mended(drawing, 'SECRET_NOT_GRANTED')).toEqual([]);
    expect(codes({ ...step({ when: 'secrets.TOKEN == "x"' }), settings: { secrets: ['TOKEN'] } })).toEqual(['SECRET_IN_EXPRESSION b when']);
  });
});

describe('models and tools', () => {
  it('warn when a role has no model, naming the rehearsal model', () => {
    const [only, ...rest] = check(step({ prompt: 'hi' }, 'model'));
    expect(rest).toEqual([]);
    expect(only).toMatchObject({ code: 'MODEL_ROLE_EMPTY', severity: 'warning', nodeId: 'b' });
    expect(only?.message).toMatch(/rehearsal model/);
    expect(check(step({ prompt: 'hi' }, 'model'), { models: { providers: [], roles: ['primary'] } })).toEqual([]);
  });

  it('fall back to the primary model, and warn of a provider that is not set up', () => {
    const drawing = {
      ...step({ role: 'worker', prompt: 'hi' }, 'model'),
      settings: { models: { primary: { provider: 'acme', model: 'm' } } },
    };
    expect(check(drawing)).toEqual([]);
    expect(check(drawing, { models: { providers: ['other'] } }).map(({ code }) => code)).toEqual(['MODEL_PROVIDER_MISSING']);
  });

  it('refuse a tool the flow does not grant, which the fix grants', () => {
    const drawing = { ...step({}, 'tool'), settings: { tools: ['grep_files'] } };
    expect(codes(drawing)).toEqual(['TOOL_NOT_GRANTED b']);
    expect(mended(drawing, 'TOOL_NOT_GRANTED')).toEqual([]);
  });
});
