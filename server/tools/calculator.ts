import { z } from 'zod';
import { calculate } from './arithmetic';
import { defineTool } from './define-tool';

export const calculator = defineTool({
  name: 'calculator',
  title: 'Calculator',
  description:
    'Works out an arithmetic expression with + - * / % ^, brackets, abs, sqrt, min, max, round, floor, ceil, ln, log, exp, sin, cos, tan, pow, pi and e.',
  effect: 'read',
  ceiling: 'HIGH',
  input: z.strictObject({ expression: z.string().min(1).max(2000) }),
  output: z.object({ expression: z.string(), result: z.number() }),
  async run({ expression }) {
    return { expression, result: calculate(expression) };
  },
});
