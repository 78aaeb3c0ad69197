import { z } from 'zod';
import { isBridleError } from '@/harness/contract/errors';
import type { ExecuteContext } from '@/harness/contract/execute';
import type { ChatMessage, ModelRole } from '@/harness/contract/model';
import { askForObject } from '../../support/structured';
import { schemaDocument } from './local-tools';

export interface ObjectRequest<Schema extends z.ZodType> {
  /** Short name of letters, digits and dashes; providers show it to the model. */
  name: string;
  role: ModelRole;
  schema: Schema;
  system: string;
  prompt: string;
  /** More messages between the two, such as the conversation of an earlier pass. */
  between?: readonly ChatMessage[];
  maxOutputTokens?: number;
  /** More tries after the corrective one; -1 takes the first reply as it is. */
  corrections?: number;
}

export type ObjectAnswer<Schema extends z.ZodType> = { ok: true; value: z.output<Schema> } | { ok: false; problem: string };

/**
 * One structured call of a phase. A model that fails, or whose reply does not fit, is an answer and not a throw: the phase says what follows.
 * Caps, cancelling, faults of ours, and a script that lacks a reply pass through.
 */
export async function askPhase<Schema extends z.ZodType>(
  context: Pick<ExecuteContext, 'model' | 'decide'>,
  request: ObjectRequest<Schema>,
): Promise<ObjectAnswer<Schema>> {
  const { name, role, schema, system, prompt, between = [], maxOutputTokens, corrections = 0 } = request;
  try {
    const answer = await askForObject(
      context,
      {
        role,
        messages: [{ role: 'system', content: system }, ...between, { role: 'user', content: prompt }],
        ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      },
      { schema: schemaDocument(schema), name, corrections },
    );
    if (!answer.ok) return answer;
    const parsed = schema.safeParse(answer.object);
    return parsed.success ? { ok: true, value: parsed.data } : { ok: false, problem: z.prettifyError(parsed.error) };
  } catch (thrown) {
    if (!isBridleError(thrown) || !thrown.code.startsWith('MODEL_') || thrown.code === 'MODEL_UNSCRIPTED') throw thrown;
    return { ok: false, problem: `${thrown.code}: ${thrown.message}` };
  }
}
