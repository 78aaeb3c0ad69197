import { type BridleError, isBridleError, userError } from '../contract/errors';
import type { Json } from '../contract/json';
import { celFault, clip, explain, type ParsedExpression, parseExpression } from './parse';
import { fromCel, projectToCel } from './values';

/**
 * The names an expression can use, already flattened: every node id that is a bare name, `nodes` (all outputs by id), `input`, `received`,
 * `state`, `run`, `session`, and where they exist `item`, `index`, `secrets`. Only own properties count, and only the names an expression
 * reads are looked at.
 */
export interface ExpressionScope {
  readonly names: Readonly<Record<string, Json>>;
}

/**
 * Evaluates one CEL expression over JSON; the result is JSON. Throws `EXPRESSION_SYNTAX`, `EXPRESSION_FAILED` or `REFERENCE_UNKNOWN`
 * user errors whose details carry the expression.
 */
export function evaluateExpression(source: string, scope: ExpressionScope): Json {
  return runParsed(parseExpression(source), scope);
}

export function runParsed(parsed: ParsedExpression, scope: ExpressionScope): Json {
  const names = new Map<string, unknown>();
  for (const [name, wanted] of parsed.wanted) {
    if (Object.hasOwn(scope.names, name)) names.set(name, projectToCel(scope.names[name] ?? null, wanted));
  }
  try {
    return fromCel(parsed.run(names));
  } catch (thrown) {
    throw failure(parsed.source, thrown);
  }
}

function failure(source: string, thrown: unknown): BridleError {
  const details = { expression: clip(source) };
  if (isBridleError(thrown)) return userError(thrown.code, `${clip(source)}: ${thrown.message}`, details);
  const fault = celFault(thrown);
  if (!fault)
    return userError('EXPRESSION_FAILED', `${clip(source)}: ${thrown instanceof Error ? thrown.message : String(thrown)}`, details);
  if (fault.code === 'unknown_variable') {
    const name = fault.summary.split(': ').at(-1) ?? '';
    return userError('REFERENCE_UNKNOWN', `${clip(source)}: there is no "${name}" here. Check the name of the node, channel or field.`, {
      ...details,
      name,
    });
  }
  return userError('EXPRESSION_FAILED', `${clip(source)}: ${explain(fault.summary)}`, { ...details, ...(fault.range ?? {}) });
}
