import { z } from 'zod';
import { flowDocumentSchema } from '@/harness/flow/schema';

/** The JSON Schema of a flow document, as editors and other programs read it. */
export function flowJsonSchema(): string {
  const schema = z.toJSONSchema(flowDocumentSchema, { io: 'input', target: 'draft-2020-12' });
  return `${JSON.stringify({ ...schema, $id: '/flow.schema.json', title: 'Bridle flow' }, null, 2)}\n`;
}
