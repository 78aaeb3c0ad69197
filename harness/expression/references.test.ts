import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quote, referenceText } from './reserved';
import { referencesOf, rewriteReferences } from './rewrite';
import { renderTemplate, splitTemplate } from './template';

/** Lone surrogates cannot be written in a CEL string. */
const wellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);
const brief = (source: string, kind: 'expression' | 'template' = 'expression') =>
  referencesOf(source, kind).map(({ kind: what, root, path }) => `${what}:${[root, ...path].join('.')}`);
const rename = (source: string, from: string, to: string, kind: 'expression' | 'template' = 'expression') =>
  rewriteReferences(source, kind, new Map([[from, to]]));

describe('references', () => {
  it.each([
    ['ask.text', ['node:ask.text']],
    ['nodes["Set 1"].x.y', ['node:Set 1.x.y']],
    ['nodes.ask.text', ['node:ask.text']],
    ['state.beliefs.items[0].id', ['state:beliefs.items']],
    ['input.message + item.name', ['input:input.message', 'item:item.name']],
    ['ask.list.map(x, x.id + other.id)', ['node:ask.list', 'node:other.id']],
    ['ask[other.key]', ['node:ask', 'node:other.key']],
    ['nodes[item.id]', ['nodes:nodes', 'item:item.id']],
    ['secrets.TOKEN', ['secrets:TOKEN']],
    ['"ask.text"', []],
  ])('of %s', (source, expected) => {
    expect(brief(source)).toEqual(expected);
  });

  it('sees the ones a template holds, past strings and maps with braces', () => {
    expect(brief('a {{ "}}" + ask.text }} b {{ {"a": {"b": idle.x}} }}', 'template')).toEqual(['node:ask.text', 'node:idle.x']);
  });

  it('knows where a missing value is provided for', () => {
    const guarded = (source: string) => referencesOf(source, 'expression').map((reference) => reference.guarded);
    expect(guarded('default(a.x, b.x)')).toEqual([true, false]);
    expect(guarded('a.?x.orValue(1)')).toEqual([true]);
    expect(guarded('a != null ? a.x : ""')).toEqual([true, true]);
    expect(guarded('a.x')).toEqual([false]);
  });
});

describe('rewriting references (BR-75)', () => {
  it.each([
    ['nodes["Set"].x + nodes["Set 1"].x + nodes["Set1"].x', 'Set', 'Put', 'nodes["Put"].x + nodes["Set 1"].x + nodes["Set1"].x'],
    ['Set.x + Set1.x', 'Set', 'Put', 'Put.x + Set1.x'],
    ['Set1.x + Set.x', 'Set', 'Set 1', 'Set1.x + nodes["Set 1"].x'],
    ['nodes["Call \'x\'"].y', "Call 'x'", 'a"b\\c', 'nodes["a\\"b\\\\c"].y'],
    ['nodes.Set.x', 'Set', 'Set 1', 'nodes["Set 1"].x'],
    ['nodes.?Set.x', 'Set', 'Set 1', 'nodes[?"Set 1"].x'],
    ['ask.Set + "Set" + Set.Set', 'Set', 'Put', 'ask.Set + "Set" + Put.Set'],
    ['l.map(Set, Set.x) + Set.x', 'Set', 'Put', 'l.map(Set, Set.x) + Put.x'],
    ['l.map(x, x + Set.y)', 'Set', 'x', 'l.map(x, x + nodes["x"].y)'],
    ['Set.x', 'Set', 'input', 'nodes["input"].x'],
    ['Set.x +', 'Set', 'Put', 'Set.x +'],
  ])('%s: %s to %s', (source, from, to, expected) => {
    expect(rename(source, from, to)).toBe(expected);
  });

  it('touches expressions only, never the words of a template', () => {
    expect(rename('Set: {{ Set.x }} \\{{ Set.x }}', 'Set', 'Put', 'template')).toBe('Set: {{ Put.x }} \\{{ Set.x }}');
  });

  it('swaps two ids at once', () => {
    expect(
      rewriteReferences(
        'a.x + b.x',
        'expression',
        new Map([
          ['a', 'b'],
          ['b', 'a'],
        ]),
      ),
    ).toBe('b.x + a.x');
  });

  it('renames any id to any other and back without a trace in the reference', () => {
    const id = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter((text) => wellFormed(text) && !/^(__proto__|prototype|constructor)$/.test(text));
    fc.assert(
      fc.property(id, id, (from, to) => {
        const source = `${referenceText(from)}.x`;
        expect(brief(source)).toEqual([`node:${from}.x`]);
        expect(brief(rename(source, from, to))).toEqual([`node:${to}.x`]);
      }),
    );
  });
});

describe('templates', () => {
  const render = (source: string) => renderTemplate(source, { names: { ask: { text: 'hi', list: [1, 2], nothing: null } } });

  it.each([
    ['{{ask.text}} there', 'hi there'],
    ['{{ ask.list }}', '[1,2]'],
    ['[{{ ask.nothing }}]', '[]'],
    ['\\{{ask.text}}', '{{ask.text}}'],
    ['{{ "}}" }}', '}}'],
    ["{{ '\\'}}' }}", "'}}"],
    ['{{ {"a": {"b": 1}}.a }}', '{"b":1}'],
    ['no braces } } {', 'no braces } } {'],
    ['', ''],
  ])('%s', (source, expected) => {
    expect(render(source)).toBe(expected);
  });

  it('says so when braces are never closed', () => {
    expect(() => render('a {{ ask.text')).toThrow(/never closed/);
  });

  it('loses no character when cut into parts', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', ' ', '{', '}', '{{ x }}', '{{"}}"}}', 'é', '\n')), (pieces) => {
        const source = pieces.join('');
        let parts: ReturnType<typeof splitTemplate>;
        try {
          parts = splitTemplate(source);
        } catch {
          return;
        }
        const back = parts.map((part) => (part.kind === 'text' ? part.text : `{{${part.source}}}`)).join('');
        expect(back).toBe(source);
      }),
    );
  });
});

it('quotes any text so that it reads back the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }).filter(wellFormed), (text) => {
      fc.pre(!['__proto__', 'constructor', 'prototype'].includes(text));
      expect(renderTemplate(`{{ ${quote(text)} }}`, { names: {} })).toBe(text);
    }),
  );
});
