import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { isJsonObject, type Json } from '../../contract/json';
import { decided, fact } from '../shared/explain';
import { defaultLexicon } from '../shared/lexicon';
import type { OutputContract } from './state';

export const outputValidationConfigSchema = z.object({
  lexicalConstraints: z.boolean().default(true).meta({ title: 'Judge constraints by words', description: 'Off when a judge does it.' }),
  negations: z.array(z.string().min(1)).default(defaultLexicon.constraintNegations).meta({ title: 'Words that forbid' }),
  subjectWords: z.number().int().min(1).default(4).meta({ title: 'Words after a negation that name what is forbidden' }),
  minWordLength: z.number().int().min(1).default(4).meta({ title: 'Shortest word that counts' }),
  nested: z
    .boolean()
    .default(true)
    .meta({ title: 'Look into nested values', description: 'Off in the reference, which reads the outer values only.' }),
});
export type OutputValidationConfig = z.output<typeof outputValidationConfigSchema>;
export const defaultOutputValidationConfig: OutputValidationConfig = outputValidationConfigSchema.parse({});
export const referenceOutputValidationConfig: OutputValidationConfig = { ...defaultOutputValidationConfig, nested: false };

export const outputDimensions = [
  'format',
  'required_sections',
  'interface_constraints',
  'validation_rules',
  'caller_specific_constraints',
] as const;
export type OutputDimension = (typeof outputDimensions)[number];

export interface Violation {
  dimension: OutputDimension;
  text: string;
}

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** What the result says, as one lower-cased text: a string, or the values of an object. */
function textOf(result: Json, fields: Record<string, Json>, nested: boolean): string {
  const own = typeof result === 'string' ? result : '';
  const values = Object.values(fields).map((value) =>
    nested && typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value),
  );
  return `${own} ${values.join(' ')}`.toLowerCase();
}

/** Punctuation around a word: a constraint that ends in a full stop forbids what it names all the same. */
const edges = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/** The forbidden word of a constraint that occurs in the text, or `null` (layers.md R11). */
export function forbiddenWord(constraint: string, text: string, config: OutputValidationConfig): string | null {
  const lower = constraint.toLowerCase();
  if (!lower.split(/\s+/).some((word) => config.negations.includes(word))) return null;
  for (const negation of config.negations) {
    const at = lower.indexOf(negation);
    if (at < 0) continue;
    const subject = lower
      .slice(at + negation.length)
      .trim()
      .split(/\s+/)
      .slice(0, config.subjectWords)
      .map((word) => word.replaceAll(edges, ''));
    const hit = subject.find((word) => word.length >= config.minWordLength && text.includes(word));
    if (hit !== undefined) return hit;
  }
  return null;
}

/** The last, authoritative check of a result against its contract (layers.md R11). */
export function validateOutput(
  result: Json,
  contract: OutputContract,
  constraints: readonly string[],
  config: OutputValidationConfig = defaultOutputValidationConfig,
): { passed: boolean; violations: Violation[]; violatedDimension: OutputDimension | null; decision: Decision } {
  const fields = isJsonObject(result) ? result : {};
  const violations: Violation[] = [];
  const report = (dimension: OutputDimension, text: string) => violations.push({ dimension, text });
  if (contract.format === 'json' && typeof result === 'string' && !parses(result)) report('format', 'the text is not JSON');
  for (const section of contract.required_sections)
    if (!Object.hasOwn(fields, section)) report('required_sections', `"${section}" is missing`);
  for (const [key, expected] of Object.entries(contract.interface_constraints)) {
    // Values are compared as they stand: two equal lists are two values, as in the reference.
    if (Object.hasOwn(fields, key) && fields[key] !== expected)
      report('interface_constraints', `"${key}" is ${JSON.stringify(fields[key])}, not ${JSON.stringify(expected)}`);
  }
  for (const rule of contract.validation_rules) {
    const colon = rule.indexOf(':');
    const field = rule.slice(0, colon).trim();
    if (colon > 0 && !Object.hasOwn(fields, field)) report('validation_rules', `rule "${rule}" needs "${field}"`);
  }
  if (config.lexicalConstraints) {
    const text = textOf(result, fields, config.nested);
    for (const constraint of constraints) {
      const word = forbiddenWord(constraint, text, config);
      if (word !== null) report('caller_specific_constraints', `"${constraint}" is violated by "${word}"`);
    }
  }
  const [first] = violations;
  return {
    passed: first === undefined,
    violations,
    violatedDimension: first?.dimension ?? null,
    decision: decided({
      rule: first ? `output: ${first.dimension}` : 'output contract',
      outcome: first ? `${violations.length} violated` : 'ok',
      because: first
        ? violations.map(({ dimension, text }) => fact(dimension, text))
        : outputDimensions.map((dimension) => fact(dimension, 'ok')),
      alternatives: first ? [{ outcome: 'ok', needs: violations.map(({ text }) => text).join('; ') }] : [],
    }),
  };
}

/** `required: <field>` among the constraints makes a field required (layers.md R7, constraint change). */
export function deriveContract(contract: OutputContract, constraints: readonly string[]): OutputContract {
  const fields = [...contract.required_interface_fields];
  for (const constraint of constraints) {
    if (!constraint.toLowerCase().includes('required:')) continue;
    const [word = ''] = constraint.split(':').slice(1).join(':').trim().split(/\s+/);
    const field = word.replace(/^['"]|['"]$/g, '');
    if (field !== '' && !fields.includes(field)) fields.push(field);
  }
  return { ...contract, required_interface_fields: fields, caller_specific_constraints: [...constraints] };
}
