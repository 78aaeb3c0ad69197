import { Environment } from '@marcbachmann/cel-js';
import { expressionFunctions } from './functions';

/** Bounds on one expression; far above what a person writes, far below what could stall the process. */
export const expressionLimits = { characters: 20_000, nodes: 5_000, depth: 100, nestedLoops: 3 } as const;

interface MacroCall {
  args: readonly unknown[];
}
interface Checker {
  check(ast: unknown, context: unknown): unknown;
  getType(name: string): unknown;
}
interface Evaluator {
  run(ast: unknown, context: unknown): unknown;
}

/** `default(a, b)` evaluates `a` lazily, so that a missing field is an answer and not a failure. */
const defaultMacro = ({ args }: MacroCall) => ({
  async: false,
  typeCheck(checker: Checker, _macro: unknown, context: unknown) {
    for (const argument of args) checker.check(argument, context);
    return checker.getType('dyn');
  },
  evaluate(evaluator: Evaluator, _macro: unknown, context: unknown): unknown {
    try {
      const value = evaluator.run(args[0], context);
      if (value !== null && value !== undefined) return value;
    } catch {
      // whatever kept the first value from being there is what the second one is for
    }
    return evaluator.run(args[1], context);
  },
});

type Arithmetic = (left: number, right: number) => number;
const arithmetic: readonly (readonly [string, Arithmetic])[] = [
  ['+', (left, right) => left + right],
  ['-', (left, right) => left - right],
  ['*', (left, right) => left * right],
  ['/', (left, right) => left / right],
];

/** CEL itself refuses `1 + 0.5`; JSON knows one kind of number, so mixed operands count as doubles here. */
function registerMixedArithmetic(environment: Environment): void {
  for (const [operator, operation] of arithmetic) {
    environment.registerOperator(`int ${operator} double: double`, (left, right) => operation(Number(left), Number(right)));
    environment.registerOperator(`double ${operator} int: double`, (left, right) => operation(Number(left), Number(right)));
  }
  for (const operands of ['double % double', 'int % double', 'double % int']) {
    environment.registerOperator(`${operands}: double`, (left, right) => Number(left) % Number(right));
  }
  environment.registerOperator('int == double: bool', (left, right) => Number(left) === Number(right));
}

function buildEnvironment(): Environment {
  const environment = new Environment({
    unlistedVariablesAreDyn: true,
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
    limits: { maxAstNodes: expressionLimits.nodes, maxDepth: expressionLimits.depth },
  });
  registerMixedArithmetic(environment);
  environment.registerFunction('default(ast, ast): dyn', defaultMacro, { async: false });
  for (const { run, signatures } of expressionFunctions) {
    if (!run) continue;
    for (const signature of signatures) environment.registerFunction(signature, (...values: unknown[]) => run(...values), { async: false });
  }
  return environment;
}

export const environment: Environment = buildEnvironment();
