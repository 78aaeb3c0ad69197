import { faultSeverity, nameOf, type Rule } from '../context';

/** Expressions and templates that cannot be read. */
export const expressionSyntax: Rule = (context) =>
  context.sources.flatMap(({ entry, path, text, problem }) =>
    problem === null
      ? []
      : [
          {
            code: 'EXPRESSION_SYNTAX',
            severity: faultSeverity(context, entry),
            nodeId: entry.id,
            path,
            message: `${nameOf(entry)}: the ${text.kind} in "${path}" cannot be read. ${problem}`,
          },
        ],
  );
