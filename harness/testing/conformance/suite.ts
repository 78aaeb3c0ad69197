import { z } from 'zod';
import { jsonSchema } from '../../contract/json';

/** A file of conformance cases (layers.md part 3). */
export const suiteSchema = z.object({
  suite: z.string(),
  note: z.string().default(''),
  tolerance: z.number().min(0).default(1e-9),
  clock: z.string().default('2026-01-01T12:00:00.000Z'),
  cases: z.array(z.object({ id: z.string(), input: z.record(z.string(), jsonSchema), expected: jsonSchema, tag: z.string().optional() })),
});
