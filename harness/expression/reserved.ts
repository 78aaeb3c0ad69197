/** Names that mean something else in an expression, so a node of this id is reached as `nodes["…"]` only. */
export const scopeNames = ['input', 'item', 'index', 'received', 'state', 'nodes', 'run', 'session', 'secrets'] as const;
export type ScopeName = (typeof scopeNames)[number];

const celWords = [
  ...[
    'true',
    'false',
    'null',
    'in',
    'as',
    'break',
    'const',
    'continue',
    'else',
    'for',
    'function',
    'if',
    'import',
    'let',
    'loop',
    'package',
  ],
  ...['namespace', 'return', 'var', 'void', 'while', 'cel', 'google', 'optional', 'dyn', 'type'],
  ...['bool', 'bytes', 'double', 'int', 'list', 'map', 'null_type', 'string', 'uint'],
];

/** Names that JavaScript gives a meaning to; no expression may spell them as a name, a field or a literal key. */
export const forbiddenNames: ReadonlySet<string> = new Set([
  ...['__proto__', 'prototype', 'constructor'],
  ...['__defineGetter__', '__defineSetter__', '__lookupGetter__', '__lookupSetter__'],
]);

const scopeNameSet: ReadonlySet<string> = new Set(scopeNames);
const reserved: ReadonlySet<string> = new Set([...scopeNames, ...celWords, ...forbiddenNames]);

export const isScopeName = (name: string): name is ScopeName => scopeNameSet.has(name);

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;
export const isIdentifier = (text: string): boolean => identifier.test(text);

/** True when a node id can be written as a bare name in an expression; every other id is written `nodes["id"]`. */
export const isBareName = (id: string): boolean => identifier.test(id) && !reserved.has(id);

/** How an expression refers to a node: its bare id, or `nodes["id"]`. */
export const referenceText = (id: string): string => (isBareName(id) ? id : `nodes[${quote(id)}]`);

/** A CEL string literal that reads back as exactly this text. */
export function quote(text: string): string {
  let out = '"';
  for (const char of text) out += escapeChar(char);
  return `${out}"`;
}

const namedEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

function escapeChar(char: string): string {
  const named = namedEscapes.get(char);
  if (named !== undefined) return named;
  const code = char.codePointAt(0) ?? 0;
  return code < 32 || code === 0x2028 || code === 0x2029 ? `\\u${code.toString(16).padStart(4, '0')}` : char;
}
