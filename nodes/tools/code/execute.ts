import { implementNode } from '@/harness/contract/execute';
import { code } from './node';

const mebibyte = 1024 * 1024;

export const executeCode = implementNode(code, async (context) => {
  const { source, inputs, timeoutMs, memoryMb } = context.config;
  const globals = Object.fromEntries(Object.entries(inputs).map(([name, expression]) => [name, context.evaluate(expression)]));
  return { output: await context.sandbox(source, globals, { timeoutMs, memoryBytes: memoryMb * mebibyte }) };
});
