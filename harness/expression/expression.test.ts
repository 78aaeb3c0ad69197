import { describe, expect, it } from 'vitest';
import { isBridleError } from '../contract/errors';
import type { Json, JsonObject } from '../contract/json';
import { evaluateExpression } from './evaluate';
import { expressionFunctions } from './functions';
import { parseExpression } from './parse';

const names: JsonObject = {
  ask: { score: 1.5, count: 3, text: 'hi', nothing: null, list: [1, 2.5], deep: { k: 1, constructor: 7 } },
  idle: null,
  nodes: { 'Set 1': { x: 1 } },
  input: { message: 'hello' },
  state: { notes: [{ id: 'a' }] },
};
const evaluate = (source: string): Json => evaluateExpression(source, { names });
const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (thrown) {
    return isBridleError(thrown) ? thrown.code : `not ours: ${thrown}`;
  }
  return 'no error';
};

describe('numbers of JSON', () => {
  it.each<[string, Json]>([
    ['ask.score + 1', 2.5],
    ['ask.count * ask.score', 4.5],
    ['ask.count / 2', 1],
    ['ask.count / 2.0', 1.5],
    ['ask.count == 3.0', true],
    ['1 == 1.0', true],
    ['ask.count > 2.5', true],
    ['ask.list.map(x, x * 2)', [2, 5]],
    ['ask.list[0]', 1],
  ])('%s is %j (mixed whole and decimal operands used to be refused by CEL)', (source, expected) => {
    expect(evaluate(source)).toEqual(expected);
  });

  it('refuses a result JSON cannot hold instead of storing null', () => {
    expect(codeOf(() => evaluate('1.0 / 0.0'))).toBe('EXPRESSION_FAILED');
  });
});

describe('missing values', () => {
  it.each<[string, Json]>([
    ['default(idle.text, "none")', 'none'],
    ['default(ask.nothing, 4)', 4],
    ['default(ask.text, "none")', 'hi'],
    ['idle.?text.orValue("none")', 'none'],
    ['has(ask.absent)', false],
    ['idle == null', true],
  ])('%s copes with a node that has not run', (source, expected) => {
    expect(evaluate(source)).toEqual(expected);
  });

  it('names what is missing', () => {
    expect(codeOf(() => evaluate('nobody.text'))).toBe('REFERENCE_UNKNOWN');
    expect(codeOf(() => evaluate('ask.absent'))).toBe('EXPRESSION_FAILED');
  });
});

it('keeps data keys that are names of object properties as data', () => {
  expect(evaluate('size(ask.deep)')).toBe(2);
  expect(evaluate('ask.deep.k')).toBe(1);
  expect(evaluate('keys(ask.deep)')).toEqual(['k', 'constructor']);
});

it.each(expressionFunctions.map((entry) => [entry.example, entry.gives] as const))(
  'the example of the help holds: %s',
  (example, gives) => {
    expect(evaluate(example)).toEqual(JSON.parse(gives));
  },
);

describe('expressions that reach for the language below (BR-80)', () => {
  it.each([
    "constructor.constructor('return process')()",
    "constructor.constructor('return process')",
    'ask.constructor',
    'ask["constructor"]',
    'ask["__proto__"]',
    'ask["\\u005f_proto__"]',
    'ask.__proto__.polluted',
    '__proto__',
    'ask.__defineGetter__("x", 1)',
    '{"__proto__": {"a": 1}}',
    '\\u0063onstructor',
    '`$' + '{process}`',
    'ask`x`',
    '{get a() { return 1 }}',
    '(() => 1)()',
    'ask = 1',
    'ask; 1',
    'new Date()',
    'process.exit()',
    'globalThis["process"]()',
    'eval("1")',
    'Function("return 1")()',
    'import("fs")',
    'require("fs")',
    'ask.text.matches("(a+)+$")',
    'ask.text.matches("(a|aa)*$")',
    'ask.text.matches(input.message)',
    'x.map(a, x.map(b, x.map(c, x.map(d, d))))',
    '',
    '1 +',
  ])('%s is refused at parse', (source) => {
    expect(codeOf(() => parseExpression(source))).toBe('EXPRESSION_SYNTAX');
  });

  it('answers only from the data for names that parse', () => {
    expect(codeOf(() => evaluate('this.process'))).toBe('REFERENCE_UNKNOWN');
    expect(codeOf(() => evaluate('process'))).toBe('REFERENCE_UNKNOWN');
    expect(codeOf(() => evaluate('toString'))).toBe('REFERENCE_UNKNOWN');
    expect(codeOf(() => evaluate('ask["con" + "structor"]'))).toBe('EXPRESSION_FAILED');
  });

  it('survives deep nesting without a stack overflow', () => {
    expect(codeOf(() => parseExpression(`${'('.repeat(5000)}1${')'.repeat(5000)}`))).toBe('EXPRESSION_SYNTAX');
    expect(codeOf(() => parseExpression(`${'!'.repeat(15_000)}true`))).toBe('EXPRESSION_SYNTAX');
  });
});

it('parses each source once', () => {
  expect(parseExpression('ask.count + 41')).toBe(parseExpression('ask.count + 41'));
});
