import { isBridleError } from '@/harness/contract/errors';
import type { ExecuteContext } from '@/harness/contract/execute';
import type { Json, JsonSchema } from '@/harness/contract/json';
import type { ChatMessage, ModelReply, ModelRequest } from '@/harness/contract/model';
import { schemaProblems } from './json-schema';

export interface StructuredOptions {
  schema: JsonSchema;
  name: string;
  /** Tries beyond the first corrective one. */
  corrections: number;
  /** Mends what can be mended without asking again, such as the case of a word. */
  mend?: (value: Json) => Json;
}

export type Structured =
  | { ok: true; object: Json; text: string; reply: ModelReply; calls: number }
  | { ok: false; problem: string; text: string; calls: number };

/**
 * Asks for an object of a schema. The gateway tells a model once what did not fit; a gateway that checks nothing is made up for here, and
 * `corrections` adds more tries. Errors other than `MODEL_BAD_REPLY` pass through.
 */
export async function askForObject(
  context: Pick<ExecuteContext, 'model' | 'decide'>,
  request: Omit<ModelRequest, 'schema' | 'schemaName' | 'tools'>,
  options: StructuredOptions,
): Promise<Structured> {
  const messages: ChatMessage[] = [...request.messages];
  let tries = 1 + options.corrections;
  for (let calls = 1; ; calls++) {
    const result = await once(context, { ...request, messages: [...messages] }, options);
    if (result.ok) {
      if (calls > 1) note(context, 'fits', calls, '');
      return { ...result, calls };
    }
    if (!result.checkedHere && calls === 1) tries--;
    note(context, tries > 0 ? 'ask again' : 'give up', calls, result.problem);
    if (tries <= 0) return { ok: false, problem: result.problem, text: result.text, calls };
    tries--;
    messages.push({ role: 'assistant', content: result.text.trim() === '' ? '(empty)' : result.text });
    messages.push({
      role: 'user',
      content: `That reply cannot be used: ${result.problem}. Reply again with the corrected JSON and nothing else.`,
    });
  }
}

type Attempt =
  | { ok: true; object: Json; text: string; reply: ModelReply }
  | { ok: false; problem: string; text: string; checkedHere: boolean };

async function once(context: Pick<ExecuteContext, 'model'>, request: ModelRequest, options: StructuredOptions): Promise<Attempt> {
  const { schema, name } = options;
  let reply: ModelReply;
  try {
    reply = await context.model({ ...request, schema, schemaName: name });
  } catch (thrown) {
    if (!isBridleError(thrown) || thrown.code !== 'MODEL_BAD_REPLY') throw thrown;
    return { ok: false, problem: thrown.message, text: saidIn(thrown.details), checkedHere: false };
  }
  const value = reply.object ?? readJson(reply.text);
  if (value === undefined) return { ok: false, problem: 'it holds no JSON', text: reply.text, checkedHere: true };
  const object = options.mend ? options.mend(value) : value;
  const problems = schemaProblems(schema, object);
  if (problems.length > 0) return { ok: false, problem: problems.join('; '), text: reply.text, checkedHere: true };
  return { ok: true, object, text: reply.text === '' ? JSON.stringify(object) : reply.text, reply };
}

const saidIn = (details: Json | undefined): string =>
  typeof details === 'object' && details !== null && !Array.isArray(details) && typeof details.reply === 'string' ? details.reply : '';

/** JSON in a text, bare or in a code fence; undefined when there is none. */
export function readJson(text: string): Json | undefined {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)```/.exec(text)?.[1];
  for (const candidate of [text, fenced]) {
    if (candidate === undefined || candidate.trim() === '') continue;
    try {
      const value: Json = JSON.parse(candidate);
      return value;
    } catch {
      // the next candidate may read
    }
  }
  return undefined;
}

function note(context: Pick<ExecuteContext, 'decide'>, outcome: string, calls: number, problem: string): void {
  context.decide({
    rule: 'structured-reply',
    outcome,
    because: [
      { name: 'calls', value: calls },
      { name: 'problem', value: problem === '' ? 'none' : problem },
    ],
  });
}
