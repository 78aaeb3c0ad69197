import { userError } from '@/harness/contract/errors';
import { implementNode } from '@/harness/contract/execute';
import { textOfJson } from '@/harness/expression/template';
import { readJson } from '../../support/structured';
import { fillLeaf } from '../../support/templates';
import { output } from './node';

export const executeOutput = implementNode(output, (context) => {
  const { value, as } = context.config;
  const filled = fillLeaf(context, value);
  if (as === 'text') return { output: textOfJson(filled) };
  if (typeof filled !== 'string' || isSingleExpression(value)) return { output: filled };
  const json = readJson(filled);
  if (json === undefined) {
    throw userError(
      'OUTPUT_NOT_JSON',
      `The value of "${context.node.label}" is not JSON: ${filled.slice(0, 120)}. Put it out as text, or use a single {{expression}}.`,
    );
  }
  return { output: json };
});

/** A text that an expression gave is a JSON text already and is not read once more. */
const isSingleExpression = (template: string): boolean => /^\s*\{\{[\s\S]*\}\}\s*$/.test(template);
