import { userError } from '../contract/errors';
import { fromCel, toCel } from './values';

/**
 * A function that Bridle adds to CEL. The list below is the one source: it registers the functions and the editor's help is drawn
 * from it.
 */
export interface ExpressionFunction {
  name: string;
  /** CEL signatures, `receiver.name(args): result`. */
  signatures: readonly string[];
  summary: string;
  example: string;
  /** What the example comes to, written as JSON. */
  gives: string;
  /** Values as CEL has them: `bigint` for int, `Map` for objects. Absent for macros, which `environment.ts` defines. */
  run?: (...values: unknown[]) => unknown;
}

const failed = (message: string): Error => userError('EXPRESSION_FAILED', message);
const listOf = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value;
  throw failed('A list is needed here.');
};
const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(fromCel(value)) : String(value);
};
const isNumber = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';
const numbersOf = (value: unknown): (number | bigint)[] =>
  listOf(value).map((item) => {
    if (isNumber(item)) return item;
    throw failed('A list of numbers is needed here.');
  });
const whole = (value: number): unknown => (Number.isSafeInteger(value) ? BigInt(value) : value);
const keyOf = (value: unknown): string => (typeof value === 'bigint' ? String(Number(value)) : JSON.stringify(fromCel(value)));
const compare = (a: unknown, b: unknown): number => {
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : a > b ? 1 : 0;
  const [x, y] = [textOf(a), textOf(b)];
  return x < y ? -1 : x > y ? 1 : 0;
};
const extreme = (sign: 1 | -1) => (list: unknown) => {
  const [first, ...rest] = numbersOf(list);
  if (first === undefined) throw failed('The list is empty.');
  return rest.reduce((best, item) => (compare(item, best) * sign > 0 ? item : best), first);
};
const add = (list: unknown): number | bigint => {
  const numbers = numbersOf(list);
  if (numbers.every((item) => typeof item === 'bigint')) return numbers.reduce<bigint>((sum, item) => sum + BigInt(item), 0n);
  return numbers.reduce<number>((sum, item) => sum + Number(item), 0);
};
const fields = (value: unknown): Map<unknown, unknown> => {
  if (value instanceof Map) return value;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return new Map(Object.entries(value));
  throw failed('An object is needed here.');
};

const textFunctions: readonly ExpressionFunction[] = [
  {
    name: 'json',
    signatures: ['json(dyn): string'],
    summary: 'Any value as JSON text.',
    example: 'json({"a": [1, 2]})',
    gives: '"{\\"a\\":[1,2]}"',
    run: (value) => JSON.stringify(fromCel(value)),
  },
  {
    name: 'pretty',
    signatures: ['pretty(dyn): string'],
    summary: 'Any value as indented JSON text, for prompts.',
    example: 'pretty([1])',
    gives: '"[\\n  1\\n]"',
    run: (value) => JSON.stringify(fromCel(value), null, 2),
  },
  {
    name: 'parseJson',
    signatures: ['parseJson(string): dyn'],
    summary: 'Reads JSON text.',
    example: 'parseJson("[1, 2]")',
    gives: '[1,2]',
    run: (text) => {
      try {
        return toCel(JSON.parse(String(text)));
      } catch {
        throw failed('The text is not valid JSON.');
      }
    },
  },
  {
    name: 'text',
    signatures: ['text(dyn): string'],
    summary: 'Any value as a template would write it: text as it is, nothing for null, JSON for lists and objects.',
    example: '"n = " + text(3)',
    gives: '"n = 3"',
    run: textOf,
  },
  {
    name: 'lower',
    signatures: ['lower(string): string'],
    summary: 'Text in lower case.',
    example: 'lower("Yes")',
    gives: '"yes"',
    run: (text) => String(text).toLowerCase(),
  },
  {
    name: 'upper',
    signatures: ['upper(string): string'],
    summary: 'Text in upper case.',
    example: 'upper("yes")',
    gives: '"YES"',
    run: (text) => String(text).toUpperCase(),
  },
  {
    name: 'replace',
    signatures: ['string.replace(string, string): string'],
    summary: 'Every occurrence of a piece of text replaced by another.',
    example: '"a-b-c".replace("-", "+")',
    gives: '"a+b+c"',
    run: (text, from, to) => String(text).split(String(from)).join(String(to)),
  },
  {
    name: 'truncate',
    signatures: ['truncate(string, int): string'],
    summary: 'At most that many characters, with an ellipsis when something was cut.',
    example: 'truncate("abcdef", 3)',
    gives: '"abc…"',
    run: (text, length) => {
      const chars = Array.from(String(text));
      return chars.length <= Number(length) ? text : `${chars.slice(0, Math.max(0, Number(length))).join('')}…`;
    },
  },
  {
    name: 'lines',
    signatures: ['lines(string): list<string>'],
    summary: 'The lines of a text.',
    example: 'lines("a\\nb")',
    gives: '["a","b"]',
    run: (text) => String(text).split(/\r?\n/),
  },
];

const listFunctions: readonly ExpressionFunction[] = [
  {
    name: 'joinText',
    signatures: ['joinText(list, string): string'],
    summary: 'The items of a list as text, with a separator between them. Unlike `join` it takes items of any kind.',
    example: 'joinText([1, "b"], ", ")',
    gives: '"1, b"',
    run: (list, separator) => listOf(list).map(textOf).join(String(separator)),
  },
  {
    name: 'first',
    signatures: ['first(list): dyn'],
    summary: 'The first item, null when the list is empty.',
    example: 'first([7, 8])',
    gives: '7',
    run: (list) => listOf(list)[0] ?? null,
  },
  {
    name: 'last',
    signatures: ['last(list): dyn'],
    summary: 'The last item, null when the list is empty.',
    example: 'last([7, 8])',
    gives: '8',
    run: (list) => listOf(list).at(-1) ?? null,
  },
  {
    name: 'take',
    signatures: ['take(list, int): list<dyn>'],
    summary: 'The first items of a list, at most that many; a negative number takes from the end.',
    example: 'take([1, 2, 3], 2)',
    gives: '[1,2]',
    run: (list, count) => (Number(count) < 0 ? listOf(list).slice(Number(count)) : listOf(list).slice(0, Number(count))),
  },
  {
    name: 'reverse',
    signatures: ['reverse(list): list<dyn>'],
    summary: 'The list backwards.',
    example: 'reverse([1, 2])',
    gives: '[2,1]',
    run: (list) => [...listOf(list)].reverse(),
  },
  {
    name: 'sort',
    signatures: ['sort(list): list<dyn>'],
    summary: 'Numbers by size, anything else as text.',
    example: 'sort([3, 1, 2])',
    gives: '[1,2,3]',
    run: (list) => [...listOf(list)].sort(compare),
  },
  {
    name: 'unique',
    signatures: ['unique(list): list<dyn>'],
    summary: 'Each different item once, in order of first appearance.',
    example: 'unique([1, 2, 1])',
    gives: '[1,2]',
    run: (list) => {
      const seen = new Map<string, unknown>();
      for (const item of listOf(list)) if (!seen.has(keyOf(item))) seen.set(keyOf(item), item);
      return [...seen.values()];
    },
  },
  {
    name: 'flatten',
    signatures: ['flatten(list): list<dyn>'],
    summary: 'A list of lists as one list (one level).',
    example: 'flatten([[1], [2, 3]])',
    gives: '[1,2,3]',
    run: (list) => listOf(list).flat(),
  },
  {
    name: 'range',
    signatures: ['range(int): list<int>'],
    summary: 'The numbers from 0 up to, not including, this one (at most 10,000).',
    example: 'range(3)',
    gives: '[0,1,2]',
    run: (count) => Array.from({ length: Math.min(10_000, Math.max(0, Number(count))) }, (_, index) => BigInt(index)),
  },
  {
    name: 'keys',
    signatures: ['keys(map): list<dyn>'],
    summary: 'The keys of an object.',
    example: 'keys({"a": 1})',
    gives: '["a"]',
    run: (value) => [...fields(value).keys()],
  },
  {
    name: 'values',
    signatures: ['values(map): list<dyn>'],
    summary: 'The values of an object.',
    example: 'values({"a": 1})',
    gives: '[1]',
    run: (value) => [...fields(value).values()],
  },
  {
    name: 'merge',
    signatures: ['merge(map, map): map<dyn, dyn>'],
    summary: 'Two objects as one; the second wins.',
    example: 'merge({"a": 1}, {"b": 2})',
    gives: '{"a":1,"b":2}',
    run: (left, right) => new Map([...fields(left), ...fields(right)]),
  },
];

const rounding = (name: string, summary: string, operation: (value: number) => number): ExpressionFunction => ({
  name,
  signatures: [`${name}(double): int`, `${name}(int): int`],
  summary,
  example: `${name}(2.4)`,
  gives: String(operation(2.4)),
  run: (value) => (typeof value === 'bigint' ? value : whole(operation(Number(value)))),
});

const numberFunctions: readonly ExpressionFunction[] = [
  rounding('round', 'The nearest whole number.', Math.round),
  rounding('floor', 'The whole number at or below.', Math.floor),
  rounding('ceil', 'The whole number at or above.', Math.ceil),
  {
    name: 'abs',
    signatures: ['abs(double): double', 'abs(int): int'],
    summary: 'The number without its sign.',
    example: 'abs(-2)',
    gives: '2',
    run: (value) => (typeof value === 'bigint' ? (value < 0n ? -value : value) : Math.abs(Number(value))),
  },
  {
    name: 'sum',
    signatures: ['sum(list): dyn'],
    summary: 'The sum of a list of numbers.',
    example: 'sum([1, 2.5])',
    gives: '3.5',
    run: add,
  },
  {
    name: 'average',
    signatures: ['average(list): double'],
    summary: 'The mean of a list of numbers; an empty list is an error.',
    example: 'average([1, 2])',
    gives: '1.5',
    run: (list) => {
      const count = listOf(list).length;
      if (count === 0) throw failed('The list is empty.');
      return Number(add(list)) / count;
    },
  },
  {
    name: 'min',
    signatures: ['min(list): dyn'],
    summary: 'The smallest number of a list.',
    example: 'min([3, 1])',
    gives: '1',
    run: extreme(-1),
  },
  {
    name: 'max',
    signatures: ['max(list): dyn'],
    summary: 'The largest number of a list.',
    example: 'max([3, 1])',
    gives: '3',
    run: extreme(1),
  },
];

export const expressionFunctions: readonly ExpressionFunction[] = [
  {
    name: 'default',
    signatures: ['default(dyn, dyn): dyn'],
    summary: 'The first value, or the second when the first is null, missing or has not been produced yet.',
    example: 'default({"a": 1}.b, "none")',
    gives: '"none"',
  },
  ...textFunctions,
  ...listFunctions,
  ...numberFunctions,
];

/** What is worth knowing about the operators of CEL, for the editor's help. */
export const operatorNotes: readonly { operator: string; note: string }[] = [
  { operator: '+ - * / %', note: 'Two whole numbers stay whole: 7 / 2 is 3. Write 7 / 2.0 or double(a) / b for 3.5.' },
  { operator: '== != < <= > >=', note: 'Whole and decimal numbers compare by value.' },
  { operator: '&& || !', note: 'Both sides must be true or false; there is no truthiness.' },
  { operator: 'a ? b : c', note: 'The condition must be true or false.' },
  { operator: 'in', note: 'Is it an item of the list, or a key of the object?' },
  { operator: 'a.?b.orValue(c)', note: 'Field b, or c when there is none.' },
  { operator: 'has(a.b)', note: 'True when the field is there.' },
  { operator: 'list.map(x, …) .filter(x, …) .exists(x, …) .all(x, …)', note: 'Works through a list.' },
];
