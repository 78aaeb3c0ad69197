import { z } from 'zod';
import { isBridleError } from '@/harness/contract/errors';
import type { ExecuteContext } from '@/harness/contract/execute';
import type { Json, JsonSchema } from '@/harness/contract/json';
import type { ModelRole } from '@/harness/contract/model';
import { askForObject } from '../../support/structured';

export interface ModelCheck<Schema extends z.ZodType> {
  /** What is checked, in a few words; it names the decision when the check fails. */
  what: string;
  role: ModelRole;
  schema: Schema;
  system: string;
  prompt: string;
  /** What counts instead when the check fails; `the deterministic rule stands` when left out. */
  otherwise?: string;
  /** Mends what can be mended without asking again. */
  mend?: (value: Json) => Json;
}

/** A script that is to answer every call and lacks one is a fault of the script, not of a model. */
const unscripted = 'MODEL_UNSCRIPTED';

type CheckContext = Pick<ExecuteContext, 'model' | 'decide'>;

/**
 * One bounded structured call: the object, or `null` when the model failed or its reply cannot be used. Then the deterministic rule stands
 * and a decision says so (layers.md §1). A used-up budget, a cancelled run and faults of ours pass through.
 */
export async function modelCheck<Schema extends z.ZodType>(
  context: CheckContext,
  check: ModelCheck<Schema>,
): Promise<z.output<Schema> | null> {
  const { what, role, schema, system, prompt, mend } = check;
  try {
    const answer = await askForObject(
      context,
      {
        role,
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: prompt },
        ],
      },
      { schema: schemaOf(schema), name: nameOf(what), corrections: 0, ...(mend ? { mend } : {}) },
    );
    if (!answer.ok) return failed(context, check, answer.problem);
    const parsed = schema.safeParse(answer.object);
    return parsed.success ? parsed.data : failed(context, check, z.prettifyError(parsed.error));
  } catch (thrown) {
    if (!isBridleError(thrown) || !thrown.code.startsWith('MODEL_') || thrown.code === unscripted) throw thrown;
    return failed(context, check, `${thrown.code}: ${thrown.message}`);
  }
}

/** What the model is told to fill in. Fields with a default may be left out by it. */
function schemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...document } = z.toJSONSchema(schema, { io: 'input' });
  // a JSON Schema is plain JSON; zod's type for it names the keywords
  return document as JsonSchema;
}

/** Providers take short names of letters, digits and dashes. */
const nameOf = (what: string): string =>
  what
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);

function failed(context: CheckContext, { what, otherwise }: { what: string; otherwise?: string }, problem: string): null {
  context.decide({
    rule: 'model check failed',
    outcome: otherwise ?? 'the deterministic rule stands',
    because: [
      { name: 'check', value: what },
      { name: 'error', value: problem },
    ],
  });
  return null;
}
