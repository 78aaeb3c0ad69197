import { implementNode } from '@/harness/contract/execute';
import { transform } from './node';

export const executeTransform = implementNode(transform, (context) => {
  const { mode, expression, template, fields } = context.config;
  if (mode === 'template') return { output: context.text(template) };
  if (mode === 'expression') return { output: context.evaluate(expression) };
  return { output: Object.fromEntries(Object.entries(fields).map(([name, source]) => [name, context.evaluate(source)])) };
});
