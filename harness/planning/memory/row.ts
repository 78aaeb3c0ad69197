import { z } from 'zod';

export const memoryCategories = [
  'architecture',
  'build',
  'testing',
  'pattern',
  'gotcha',
  'convention',
  'discovery',
  'rejection',
  'fix_pattern',
  'success_pattern',
] as const;
export const memoryCategorySchema = z.enum(memoryCategories);

export const curationStatuses = ['auto', 'high_confidence_auto', 'user_confirmed', 'user_rejected', 'superseded'] as const;
export const curationStatusSchema = z.enum(curationStatuses);
export type CurationStatus = z.output<typeof curationStatusSchema>;

/** Statuses a model may be shown (planning.md §16). */
export const retrievableStatuses: readonly CurationStatus[] = ['high_confidence_auto', 'user_confirmed'];

export const memoryRowSchema = z.object({
  id: z.string().min(1),
  /** One to three sentences. */
  content: z.string().min(1),
  category: memoryCategorySchema,
  tags: z.array(z.string()).default([]),
  source_phase: z.string().default(''),
  curation_status: curationStatusSchema.default('auto'),
  confidence: z.number().min(0).max(1).default(0.5),
  seen_count: z.int().min(1).default(1),
  /** Milliseconds since the epoch; absent = never. */
  expires_at: z.number().optional(),
});
export type MemoryRow = z.output<typeof memoryRowSchema>;

/** What an extraction or a hook offers. The caller gives the id under which it is stored when it is new. */
export const memoryCandidateSchema = memoryRowSchema.omit({ curation_status: true, seen_count: true });
export type MemoryCandidate = z.output<typeof memoryCandidateSchema>;

export const memoryConfigSchema = z.object({
  autopromoteThreshold: z.int().min(1).default(3).meta({ title: 'Sightings from which a memory is used without a person’s word' }),
  sameness: z.number().min(0).max(1).default(0.75).meta({
    title: 'Share of words from which two memories are the same',
    description: '1 = all words. Numbers, names of code and words of negation must be equal in any case.',
  }),
  confirmedConfidence: z.number().min(0).max(1).default(0.9).meta({ title: 'Confidence of a confirmed memory' }),
  rejectedConfidence: z.number().min(0).max(1).default(0).meta({ title: 'Confidence of a rejected memory' }),
  mostPerSession: z.int().min(0).default(5).meta({ title: 'Most general memories taken from one session' }),
});
export type MemoryConfig = z.output<typeof memoryConfigSchema>;
export const defaultMemoryConfig: MemoryConfig = memoryConfigSchema.parse({});
