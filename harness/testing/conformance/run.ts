import { userError } from '../../contract/errors';
import { isJsonObject, type Json } from '../../contract/json';
import { matches } from './compare';
import { adapters, informational, optionalFields } from './registry';
import { suiteSchema } from './suite';

export interface ConformanceReport {
  suite: string;
  passed: number;
  failed: number;
  failures: { id: string; expected: Json; actual: Json }[];
}

const withoutInformation = (suite: string, expected: Json): Json => {
  const dropped = informational.get(suite);
  if (!dropped || !isJsonObject(expected)) return expected;
  return Object.fromEntries(Object.entries(expected).filter(([key]) => !dropped.includes(key)));
};

/** Leaves out of an answer what the case does not ask for. */
function asked(suite: string, actual: Json, expected: Json): Json {
  const optional = optionalFields.get(suite);
  if (!optional || !isJsonObject(actual) || !isJsonObject(expected)) return actual;
  return Object.fromEntries(Object.entries(actual).filter(([key]) => key in expected || !optional.includes(key)));
}

function parseSuite(text: string) {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw userError('CONFORMANCE_FILE', `The file is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  const parsed = suiteSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw userError('CONFORMANCE_FILE', `The file is not a conformance suite: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim());
}

/**
 * Runs every case of a conformance file with the reference parameters. A case that throws is a failure with the error as its
 * actual value. Throws `CONFORMANCE_FILE` for text that is no suite and `CONFORMANCE_SUITE` for a suite without an adapter.
 */
export function runConformanceFile(text: string): ConformanceReport {
  const { suite, tolerance, clock, cases } = parseSuite(text);
  const adapter = adapters.get(suite);
  if (!adapter) throw userError('CONFORMANCE_SUITE', `There is no suite "${suite}". Known: ${[...adapters.keys()].join(', ')}`);
  const failures: ConformanceReport['failures'] = [];
  for (const { id, input, expected: whole } of cases) {
    const expected = withoutInformation(suite, whole);
    let actual: Json;
    try {
      actual = asked(suite, adapter(input, { clock }), expected);
    } catch (thrown) {
      actual = { thrown: thrown instanceof Error ? thrown.message : String(thrown) };
    }
    if (!matches(actual, expected, tolerance)) failures.push({ id, expected, actual });
  }
  return { suite, passed: cases.length - failures.length, failed: failures.length, failures };
}
