import { z } from 'zod';

/** What the caller wants the result to look like (layers.md R11). */
export const outputContractSchema = z.object({
  format: z.string().default('text').meta({ title: 'Format', description: 'json: a text result must parse as JSON.' }),
  required_sections: z.array(z.string()).default([]).meta({ title: 'Required sections' }),
  required_interface_fields: z.array(z.string()).default([]).meta({ title: 'Required fields' }),
  interface_constraints: z.record(z.string(), z.json()).default({}).meta({ title: 'Fields with a fixed value' }),
  validation_rules: z.array(z.string()).default([]).meta({ title: 'Rules', description: 'A rule "field: …" needs the field.' }),
  caller_specific_constraints: z.array(z.string()).default([]).meta({ title: 'Constraints of the caller' }),
});
export type OutputContract = z.output<typeof outputContractSchema>;
export const emptyOutputContract = (): OutputContract => outputContractSchema.parse({});
