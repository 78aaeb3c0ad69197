import { type Schema, Validator } from '@cfworker/json-schema';
import { isBridleError, operationalError, userError } from '@/harness/contract/errors';
import type { Json, JsonSchema } from '@/harness/contract/json';
import type { ModelCallOptions, ModelRequest } from '@/harness/contract/model';
import type { BackendReply, BackendUsage, ModelBackend } from './backend';
import { jsonCandidates } from './json-text';

export type Reading = { ok: true; value: Json } | { ok: false; problem: string };

/** Compiles a schema that came as data. Throws `MODEL_SCHEMA` when it is not a JSON Schema. */
export function schemaCheck(schema: JsonSchema): (value: Json) => string | null {
  // A JSON Schema is data to us; the validator's own type lists the known keywords and accepts any others.
  const validator = new Validator(schema as Schema, '2020-12', false);
  return (value) => {
    try {
      const result = validator.validate(value);
      if (result.valid) return null;
      const deepest = result.errors.at(-1);
      return deepest === undefined ? 'does not fit the schema' : `${deepest.instanceLocation}: ${deepest.error}`;
    } catch (error) {
      throw userError('MODEL_SCHEMA', `The reply's schema cannot be used: ${error instanceof Error ? error.message : 'unreadable'}`, {
        retryable: false,
      });
    }
  };
}

/** Finds the value a structured reply was meant to be: the first candidate that fits, else why the likeliest does not. */
export function readStructured(text: string, check: (value: Json) => string | null): Reading {
  let problem: string | null = null;
  for (const value of jsonCandidates(text)) {
    const fault = check(value);
    if (fault === null) return { ok: true, value };
    problem ??= fault;
  }
  return { ok: false, problem: problem ?? (text.trim() === '' ? 'the reply is empty' : 'the reply holds no JSON') };
}

const add = (left: number | null, right: number | null): number | null => (left === null || right === null ? null : left + right);

const addUsage = (left: BackendUsage, right: BackendUsage): BackendUsage => ({
  inputTokens: add(left.inputTokens, right.inputTokens),
  outputTokens: add(left.outputTokens, right.outputTokens),
  cost: add(left.cost, right.cost),
});

const correction = (problem: string): string =>
  `That reply cannot be used: ${problem}. Reply again with the corrected JSON value and nothing else.`;

/**
 * A structured call gets exactly one corrective retry; the usage of both calls is counted, also in the details of the error when neither
 * fits (`MODEL_BAD_REPLY`). A reply that calls tools is not read as JSON.
 */
export async function callStructured(
  backend: ModelBackend,
  request: ModelRequest & { schema: JsonSchema },
  options: ModelCallOptions,
): Promise<BackendReply & { object?: Json }> {
  const check = schemaCheck(request.schema);
  const first = await backend.call(request, options);
  if (first.toolCalls.length > 0) return first;
  const reading = readStructured(first.text, check);
  if (reading.ok) return { ...first, object: reading.value };

  options.onDelta('\n');
  const again: ModelRequest = {
    ...request,
    messages: [
      ...request.messages,
      // Some providers refuse an empty assistant message.
      { role: 'assistant', content: first.text.trim() === '' ? '(empty)' : first.text },
      { role: 'user', content: correction(reading.problem) },
    ],
  };
  const second = await backend.call(again, options).catch((error: unknown) => {
    throw withSpent(error, first.usage);
  });
  const usage = addUsage(first.usage, second.usage);
  if (second.toolCalls.length > 0) return { ...second, usage };
  const reread = readStructured(second.text, check);
  if (reread.ok) return { ...second, usage, object: reread.value };
  throw operationalError(
    'MODEL_BAD_REPLY',
    `${backend.model} did not give the JSON that was asked for, also not after being told what was wrong (${reread.problem}). ` +
      'Simplify the schema, say in the prompt what each field holds, or choose a model that can write JSON.',
    { retryable: false, problem: reread.problem, reply: second.text.slice(0, 2000), usage: { ...usage } },
  );
}

/** Keeps what the first call used when the corrective one fails. */
function withSpent(error: unknown, usage: BackendUsage): unknown {
  if (!isBridleError(error)) return error;
  const { details } = error;
  const known = typeof details === 'object' && details !== null && !Array.isArray(details) ? details : {};
  return error.kind === 'user'
    ? userError(error.code, error.message, { ...known, usage: { ...usage } })
    : operationalError(error.code, error.message, { ...known, usage: { ...usage } });
}
