import type { z } from 'zod';
import type { ToolDefinition } from '@/harness/contract/tool';

/** Checks a tool against its own schemas at compile time. */
export const defineTool = <Input extends z.ZodType, Output extends z.ZodType>(
  definition: ToolDefinition<Input, Output>,
): ToolDefinition<Input, Output> => definition;

/** A tool whose input type is not known, as the registry keeps it. */
// biome-ignore lint/suspicious/noExplicitAny: `run` is contravariant in its input; the erased form needs `any` once, here
export type AnyTool = ToolDefinition<any, any>;
