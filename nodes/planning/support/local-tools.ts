import type { z } from 'zod';
import { z as zod } from 'zod';
import type { JsonObject, JsonSchema } from '@/harness/contract/json';
import type { ToolCall, ToolOffer } from '@/harness/contract/model';

/** What a local tool answers. The default status is `ok`. */
export interface LocalReply {
  text: string;
  status?: 'ok' | 'failed' | 'denied';
}

/** A tool that a node answers itself. It touches nothing outside of the visit, except by a person's answer. */
export interface LocalTool {
  offer: ToolOffer;
  handle: (input: JsonObject, call: ToolCall) => LocalReply | Promise<LocalReply>;
}

/** The JSON Schema of a zod schema, as models and providers are given it. */
export function schemaDocument(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...document } = zod.toJSONSchema(schema, { io: 'input' });
  // a JSON Schema is plain JSON; zod's type for it names the keywords
  return document as JsonSchema;
}

interface Parts<Schema extends z.ZodType> {
  name: string;
  description: string;
  input: Schema;
  handle: (input: z.output<Schema>, call: ToolCall) => LocalReply | Promise<LocalReply>;
}

/** A local tool with checked arguments: what does not fit is told to the model and the handler is not called. */
export function localTool<Schema extends z.ZodType>({ name, description, input, handle }: Parts<Schema>): LocalTool {
  return {
    offer: { name, description, inputSchema: schemaDocument(input) },
    handle: (given, call) => {
      const parsed = input.safeParse(given);
      if (parsed.success) return handle(parsed.data, call);
      const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`);
      return { text: `ERROR: the arguments of ${name} do not fit: ${problems.join('; ')}`, status: 'failed' };
    },
  };
}
