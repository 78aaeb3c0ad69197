import { userError } from '@/harness/contract/errors';

const functions: Readonly<Record<string, (...values: number[]) => number>> = {
  abs: Math.abs,
  ceil: Math.ceil,
  cos: Math.cos,
  exp: Math.exp,
  floor: Math.floor,
  ln: Math.log,
  log: Math.log10,
  max: Math.max,
  min: Math.min,
  pow: Math.pow,
  round: Math.round,
  sin: Math.sin,
  sqrt: Math.sqrt,
  tan: Math.tan,
};
const arity: Readonly<Record<string, number>> = { max: Number.POSITIVE_INFINITY, min: Number.POSITIVE_INFINITY, pow: 2 };
const constants: Readonly<Record<string, number>> = { pi: Math.PI, e: Math.E };

const maxDepth = 100;

const refuse = (message: string): Error => userError('TOOL_INPUT', `The expression cannot be worked out: ${message}`);

function tokenize(source: string): string[] {
  const tokens: string[] = [];
  const pattern = /\s*(?:(\d+(?:_\d+)*(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+)|([A-Za-z]+)|(\*\*|[-+*/%^(),×÷−]))/y;
  let at = 0;
  while (source.slice(at).trim() !== '') {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match === null) throw refuse(`"${source.slice(at).trim().slice(0, 20)}" is not understood.`);
    const sign = match[3];
    tokens.push(sign === undefined ? match[0].trim() : ({ '**': '^', '×': '*', '÷': '/', '−': '-' }[sign] ?? sign));
    at = pattern.lastIndex;
  }
  return tokens;
}

/** Works out an arithmetic expression: + - * / % ^, brackets, a few functions and `pi`, `e`. Nothing is evaluated as code. */
export function calculate(source: string): number {
  const tokens = tokenize(source);
  let at = 0;
  let depth = 0;
  const next = (): string | undefined => tokens[at];
  const accept = (token: string): boolean => {
    if (tokens[at] !== token) return false;
    at += 1;
    return true;
  };
  const expect = (token: string): void => {
    if (!accept(token)) throw refuse(`"${token}" is missing${next() === undefined ? ' at the end' : ` before "${next()}"`}.`);
  };

  function sum(): number {
    let value = product();
    for (;;) {
      if (accept('+')) value += product();
      else if (accept('-')) value -= product();
      else return value;
    }
  }
  function product(): number {
    let value = sign();
    for (;;) {
      if (accept('*')) value *= sign();
      else if (accept('/')) value = divide(value, sign());
      else if (accept('%')) value = remainder(value, sign());
      else return value;
    }
  }
  function sign(): number {
    depth += 1;
    if (depth > maxDepth) throw refuse('it is nested too deeply.');
    try {
      if (accept('-')) return -sign();
      if (accept('+')) return sign();
      const base = atom();
      return accept('^') ? base ** sign() : base;
    } finally {
      depth -= 1;
    }
  }
  function atom(): number {
    if (accept('(')) {
      const value = sum();
      expect(')');
      return value;
    }
    const token = next();
    if (token === undefined) throw refuse('it ends too early.');
    at += 1;
    if (/^[\d.]/.test(token)) return Number(token.replaceAll('_', ''));
    const name = token.toLowerCase();
    if (Object.hasOwn(constants, name)) return constants[name] ?? Number.NaN;
    if (!Object.hasOwn(functions, name)) throw refuse(`"${token}" is not known. There are: ${Object.keys(functions).join(', ')}, pi, e.`);
    return apply(name);
  }
  function apply(name: string): number {
    expect('(');
    const values = [sum()];
    while (accept(',')) values.push(sum());
    expect(')');
    const most = arity[name] ?? 1;
    if (values.length > most || (most === 2 && values.length !== 2)) throw refuse(`${name} takes ${most} value${most === 1 ? '' : 's'}.`);
    return functions[name]?.(...values) ?? Number.NaN;
  }

  if (tokens.length === 0) throw refuse('it is empty.');
  const result = sum();
  if (next() !== undefined) throw refuse(`"${next()}" is not expected there.`);
  if (!Number.isFinite(result)) throw refuse('the result is not a finite number.');
  return result;
}

function divide(left: number, right: number): number {
  if (right === 0) throw refuse('division by zero.');
  return left / right;
}

function remainder(left: number, right: number): number {
  if (right === 0) throw refuse('division by zero.');
  return left % right;
}
