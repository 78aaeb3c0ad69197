import type { ExecuteContext } from '@/harness/contract/execute';
import { isJsonObject, type Json } from '@/harness/contract/json';
import { parseTemplate } from '@/harness/expression/template';

type TextContext = Pick<ExecuteContext, 'text' | 'evaluate'>;

/** The expression of a template that is nothing but one `{{expression}}`, else null. One that reads a secret stays text. */
function onlyExpression(template: string): string | null {
  const parsed = parseTemplate(template.trim());
  const [part] = parsed.parts;
  if (parsed.parts.length !== 1 || part?.kind !== 'expression') return null;
  return parsed.references.some((reference) => reference.kind === 'secrets') ? null : part.parsed.source;
}

/** A template that is exactly one `{{expression}}` keeps the JSON type of its value; any other is text. */
export function fillLeaf(context: TextContext, template: string): Json {
  const expression = onlyExpression(template);
  return expression === null ? context.text(template) : context.evaluate(expression);
}

/** JSON with every text in it filled as by `fillLeaf`. Keys are left alone. */
export function fillJson(context: TextContext, value: Json): Json {
  if (typeof value === 'string') return fillLeaf(context, value);
  if (Array.isArray(value)) return value.map((item) => fillJson(context, item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillJson(context, item)]));
}
