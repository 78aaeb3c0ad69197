import type { ASTNode, ParseResult } from '@marcbachmann/cel-js';
import { type BridleError, isBridleError, userError } from '../contract/errors';
import { environment, expressionLimits } from './environment';
import { childrenOf, collectReferences, loopDepth, type Reference } from './references';
import { remember } from './remember';
import { forbiddenNames } from './reserved';
import { patternProblem } from './safe-pattern';
import { type Wanted, want, wantNothing } from './values';

export interface ParsedExpression {
  readonly source: string;
  readonly references: readonly Reference[];
  /** Top-level names it reads, with the parts of each. */
  readonly wanted: ReadonlyMap<string, Wanted>;
  /** Evaluates over CEL values by name; throws errors of the CEL library. */
  readonly run: (names: ReadonlyMap<string, unknown>) => unknown;
}

const cache = new Map<string, ParsedExpression | BridleError>();

/**
 * Parses one CEL expression, or throws `EXPRESSION_SYNTAX`; equal sources share one result. Besides faulty syntax it refuses names that
 * JavaScript gives a meaning to, calls of unknown functions, and what could stall the process.
 */
export function parseExpression(source: string): ParsedExpression {
  const known = remember(cache, source, () => {
    try {
      return parse(source);
    } catch (thrown) {
      return isBridleError(thrown) ? thrown : syntaxError(source, thrown);
    }
  });
  if (isBridleError(known)) throw known;
  return known;
}

function parse(source: string): ParsedExpression {
  if (source.trim() === '') throw refuse(source, 'The expression is empty.');
  if (source.length > expressionLimits.characters) {
    throw refuse(source, `The expression is longer than ${expressionLimits.characters} characters.`);
  }
  const parsed: ParseResult = environment.parse(source);
  refuseUnsafe(source, parsed.ast);
  if (loopDepth(parsed.ast) > expressionLimits.nestedLoops) {
    throw refuse(source, `More than ${expressionLimits.nestedLoops} loops stand inside one another. Use a code node for this.`);
  }
  const checked = parsed.check();
  if (!checked.valid) throw syntaxError(source, checked.error);
  const references = collectReferences(parsed.ast);
  return { source, references, wanted: wantedBy(references), run: (names) => parsed(names) };
}

function wantedBy(references: readonly Reference[]): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  for (const reference of references) {
    const [name, path] = accessOf(reference);
    let at = wanted.get(name);
    if (!at) {
      at = wantNothing();
      wanted.set(name, at);
    }
    want(at, path);
  }
  return wanted;
}

/** A reference as the name in scope and the fields below it. */
function accessOf({ kind, form, root, path }: Reference): [string, string[]] {
  if (kind === 'node') return form === 'name' ? [root, path] : ['nodes', [root, ...path]];
  if ((kind === 'state' || kind === 'secrets') && root !== kind) return [kind, [root, ...path]];
  return [root, path];
}

function refuseUnsafe(source: string, ast: ASTNode): void {
  for (const name of namesSpelled(ast)) {
    if (forbiddenNames.has(name)) throw refuse(source, `"${name}" may not be used in an expression.`, ast);
  }
  if (ast.op === 'rcall' && ast.args[0] === 'matches') {
    const [pattern] = ast.args[2];
    const problem =
      pattern?.op === 'value' && typeof pattern.args === 'string'
        ? patternProblem(pattern.args)
        : 'The pattern of matches() must be written out as text.';
    if (problem) throw refuse(source, problem, ast);
  }
  for (const child of childrenOf(ast)) refuseUnsafe(source, child);
}

/** Names, fields, methods and literal keys of this one AST node. */
function namesSpelled(ast: ASTNode): string[] {
  const literals = (nodes: readonly ASTNode[]) =>
    nodes.flatMap((node) => (node.op === 'value' && typeof node.args === 'string' ? [node.args] : []));
  switch (ast.op) {
    case 'id':
      return [ast.args];
    case '.':
    case '.?':
      return [ast.args[1]];
    case '[]':
    case '[?]':
      return literals([ast.args[1]]);
    case 'call':
    case 'rcall':
      return [ast.args[0]];
    case 'map':
      return literals(ast.args.map(([key]) => key));
    default:
      return [];
  }
}

const refuse = (source: string, message: string, ast?: ASTNode): BridleError =>
  userError('EXPRESSION_SYNTAX', message, { expression: clip(source), ...(ast ? { start: ast.start, end: ast.end } : {}) });

interface CelFault {
  summary: string;
  code: string;
  range?: { start: number; end: number };
}

/** Reads an error of the CEL library without its class. */
export function celFault(thrown: unknown): CelFault | null {
  if (typeof thrown !== 'object' || thrown === null || !('summary' in thrown) || !('code' in thrown)) return null;
  const fault: CelFault = { summary: String(thrown.summary), code: String(thrown.code) };
  if ('range' in thrown && typeof thrown.range === 'object' && thrown.range !== null && 'start' in thrown.range && 'end' in thrown.range) {
    fault.range = { start: Number(thrown.range.start), end: Number(thrown.range.end) };
  }
  return fault;
}

const hints: readonly (readonly [RegExp, string])[] = [
  [/no such overload: .*string.* \+ |no such overload: .* \+ .*string/, ' Turn the other side into text with text(…).'],
  [/Ternary branches must have the same type/, ' Wrap one branch in dyn(…).'],
  [/matching overload for 'list(<[^']*>)?\.join/, ' Use joinText(list, separator) for items that are not text.'],
  [/Unexpected character: '?=/, ' Compare with ==.'],
  [/requires? bool|must be bool/, ' Compare it with something, for example != null.'],
];

/** A message of the CEL library with a hint at the cure, where one is known. */
export function explain(summary: string): string {
  const hint = hints.find(([pattern]) => pattern.test(summary))?.[1] ?? '';
  return `${summary.replaceAll(/dyn<(\w+)>/g, '$1')}${/[.!?]$/.test(summary) ? '' : '.'}${hint}`;
}

function syntaxError(source: string, thrown: unknown): BridleError {
  const fault = celFault(thrown);
  const message = fault ? explain(fault.summary) : thrown instanceof Error ? thrown.message : String(thrown);
  return userError('EXPRESSION_SYNTAX', message, { expression: clip(source), ...(fault?.range ?? {}) });
}

export const clip = (source: string): string => (source.length > 300 ? `${source.slice(0, 300)}…` : source);
