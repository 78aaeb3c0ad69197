import { z } from 'zod';
import { isBridleError } from '@/harness/contract/errors';
import type { ExecuteContext } from '@/harness/contract/execute';
import type { ChatMessage, ModelRole } from '@/harness/contract/model';
import { askForObject, readJson } from '../../support/structured';
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

/** `attempts`: how often the model was asked; a gateway asks a second time by itself before it gives up. */
export type ObjectAttempt<Schema extends z.ZodType> =
  | { ok: true; value: z.output<Schema> }
  | { ok: false; problem: string; attempts: number };

/** A single try, for phases that count their tries themselves. */
export async function attemptObject<Schema extends z.ZodType>(
  context: Pick<ExecuteContext, 'model' | 'decide'>,
  request: Omit<ObjectRequest<Schema>, 'corrections'>,
): Promise<ObjectAttempt<Schema>> {
  const { name, role, schema, system, prompt } = request;
  const failed = (problem: string, attempts: number) => ({ ok: false as const, problem, attempts });
  try {
    const reply = await context.model({
      role,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: prompt },
      ],
      schema: schemaDocument(schema),
      schemaName: name,
    });
    const value = reply.object ?? readJson(reply.text);
    if (value === undefined) return failed('it holds no JSON', 1);
    const parsed = schema.safeParse(value);
    return parsed.success ? { ok: true, value: parsed.data } : failed(z.prettifyError(parsed.error), 1);
  } catch (thrown) {
    if (!isBridleError(thrown) || !thrown.code.startsWith('MODEL_') || thrown.code === 'MODEL_UNSCRIPTED') throw thrown;
    return failed(`${thrown.code}: ${thrown.message}`, thrown.code === 'MODEL_BAD_REPLY' ? 2 : 1);
  }
}
