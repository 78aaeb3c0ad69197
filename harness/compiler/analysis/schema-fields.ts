import type { z } from 'zod';

/** The first field of a path that a value of this schema can never have, with the fields it does have; null when all may be there. */
export function missingField(schema: z.ZodType, path: readonly string[]): { field: string; known: string[] } | null {
  return missing(schema, path, 0);
}

/** The parts of zod's own description of a schema that say which fields there are. */
interface Definition {
  type: string;
  shape?: Record<string, z.ZodType>;
  catchall?: z.ZodType;
  innerType?: z.ZodType;
  options?: readonly z.ZodType[];
  element?: z.ZodType;
  left?: z.ZodType;
  right?: z.ZodType;
  out?: z.ZodType;
}

const scalars: ReadonlySet<string> = new Set([
  'string',
  'number',
  'int',
  'boolean',
  'null',
  'bigint',
  'enum',
  'literal',
  'undefined',
  'never',
]);
const maxDepth = 40;

function missing(schema: z.ZodType, path: readonly string[], depth: number): { field: string; known: string[] } | null {
  const [field, ...rest] = path;
  if (field === undefined || depth > maxDepth) return null;
  // `def` is typed per schema class; here every class is possible and only these optional parts are read
  const definition = schema.def as unknown as Definition;
  const through = (inner: z.ZodType | undefined) => (inner ? missing(inner, path, depth + 1) : null);
  switch (definition.type) {
    case 'object':
      return missingInObject(definition, field, rest, depth);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'catch':
    case 'nonoptional':
      return through(definition.innerType);
    case 'pipe':
      return through(definition.out);
    case 'union':
      return missingInAll(definition.options ?? [], path, depth);
    case 'intersection':
      return missingInAll(
        [definition.left, definition.right].filter((side) => side !== undefined),
        path,
        depth,
      );
    default:
      return scalars.has(definition.type) ? { field, known: [] } : null;
  }
}

function missingInObject(
  { shape = {}, catchall }: Definition,
  field: string,
  rest: string[],
  depth: number,
): { field: string; known: string[] } | null {
  const inner = Object.hasOwn(shape, field) ? shape[field] : undefined;
  if (inner) return missing(inner, rest, depth + 1);
  const closed = !catchall || (catchall.def as unknown as Definition).type === 'never';
  return closed ? { field, known: Object.keys(shape) } : null;
}

function missingInAll(options: readonly z.ZodType[], path: readonly string[], depth: number): { field: string; known: string[] } | null {
  let last: { field: string; known: string[] } | null = null;
  for (const option of options) {
    last = missing(option, path, depth + 1);
    if (!last) return null;
  }
  return last;
}
