import { z } from 'zod';
import type { ExecuteContext } from '@/harness/contract/execute';
import type { JsonSchema } from '@/harness/contract/json';
import type { ModelRole } from '@/harness/contract/model';
import { askForObject } from '../../support/structured';

export interface PlanCall<Schema extends z.ZodType> {
  role: ModelRole;
  /** Short name of the object, for providers that want one. */
  name: string;
  schema: Schema;
  system: string;
  prompt: string;
  corrections: number;
  maxOutputTokens?: number | null;
}

export type PlanReply<T> = { ok: true; value: T } | { ok: false; problem: string };

/** One structured call without tools. What is wrong with the object is a value; errors of the provider pass through. */
export async function planCall<Schema extends z.ZodType>(
  context: Pick<ExecuteContext, 'model' | 'decide'>,
  call: PlanCall<Schema>,
): Promise<PlanReply<z.output<Schema>>> {
  const { role, name, schema, system, prompt, corrections, maxOutputTokens = null } = call;
  const answer = await askForObject(
    context,
    {
      role,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: prompt },
      ],
      ...(maxOutputTokens === null ? {} : { maxOutputTokens }),
    },
    { schema: replySchema(schema), name, corrections },
  );
  if (!answer.ok) return { ok: false, problem: answer.problem };
  const parsed = schema.safeParse(answer.object);
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, problem: z.prettifyError(parsed.error) };
}

/** What the model is told to fill in; fields with a default may be left out. */
export function replySchema(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...document } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      // JSON Schema has no refinements: without this a blank instruction would pass here and fail where nobody asks again.
      const instruction = jsonSchema.properties?.instruction;
      if (typeof instruction === 'object') instruction.pattern = '\\S';
    },
  });
  // a JSON Schema is plain JSON; zod's type for it names the keywords
  return document as JsonSchema;
}
