import { userError } from '@/harness/contract/errors';
import { implementNode } from '@/harness/contract/execute';
import { schemaProblems, withDefaults } from '../../support/json-schema';
import { input } from './node';

export const executeInput = implementNode(input, (context) => {
  const { schema } = context.config;
  const value = withDefaults(schema, context.input);
  const problems = schemaProblems(schema, value);
  if (problems.length > 0) {
    throw userError('INPUT_INVALID', `The input does not fit the schema of "${context.node.label}": ${problems.join('; ')}`, { problems });
  }
  return { output: value };
});
