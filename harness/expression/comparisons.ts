import type { ASTNode } from '@marcbachmann/cel-js';
import { environment } from './environment';
import { parseExpression } from './parse';

export type ComparisonOperator = '<' | '<=' | '>' | '>=' | '==' | '!=' | 'in';

/** One thing a condition looks at, as text that can be evaluated by itself. `operator` and `right` are absent for a bare term. */
export interface Comparison {
  left: string;
  operator?: ComparisonOperator;
  right?: string;
  /** True when the condition negates it. */
  negated: boolean;
}

const operators: readonly string[] = ['<', '<=', '>', '>=', '==', '!=', 'in'] satisfies readonly ComparisonOperator[];
const isComparison = (operator: string): operator is ComparisonOperator => operators.includes(operator);

/**
 * The comparisons a condition is made of, in the order of the text, looking through `&&`, `||` and `!`: what a decision shows as its
 * numbers. Throws `EXPRESSION_SYNTAX` like `parseExpression`.
 */
export function comparisonsOf(source: string): Comparison[] {
  parseExpression(source);
  const found: Comparison[] = [];
  collect(environment.parse(source).ast, source, false, found);
  return found;
}

function collect(ast: ASTNode, source: string, negated: boolean, found: Comparison[]): void {
  if (ast.op === '&&' || ast.op === '||') {
    for (const side of ast.args) collect(side, source, negated, found);
    return;
  }
  if (ast.op === '!_') {
    collect(ast.args, source, !negated, found);
    return;
  }
  const text = (node: ASTNode) => balanced(source.slice(node.start, node.end));
  if (isComparison(ast.op) && Array.isArray(ast.args)) {
    const [left, right] = ast.args;
    if (isNode(left) && isNode(right)) {
      found.push({ left: text(left), operator: ast.op, right: text(right), negated });
      return;
    }
  }
  found.push({ left: text(ast), negated });
}

const isNode = (value: unknown): value is ASTNode => typeof value === 'object' && value !== null && 'op' in value;

/** The library's ranges may leave out a bracket around an operand; then it is put back. */
function balanced(text: string): string {
  if (isExpression(text)) return text;
  let depth = 0;
  let lowest = 0;
  for (const char of text) {
    if (char === '(') depth++;
    else if (char === ')') lowest = Math.min(lowest, --depth);
  }
  return `${'('.repeat(-lowest)}${text}${')'.repeat(depth - lowest)}`;
}

function isExpression(text: string): boolean {
  try {
    parseExpression(text);
    return true;
  } catch {
    return false;
  }
}
