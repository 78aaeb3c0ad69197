import { z } from 'zod';
import { lexiconSchema, referenceLexicon } from '../shared/lexicon';

const unit = (title: string, initial: number) => z.number().min(0).max(1).default(initial).meta({ title });

export const diagnosticsConfigSchema = z.object({
  counting: z.enum(['unexplained', 'all']).default('unexplained').meta({
    title: 'Observations that need an explanation',
    description: 'all restores the reference, in which a run of successes blocks itself.',
  }),
  minimumAttempts: z.number().int().min(1).default(3).meta({ title: 'Attempted tasks below which progress stays neutral' }),
  failuresForWorst: z.number().int().min(1).default(10).meta({ title: 'Failures at which recurrence is worst' }),
  minimumEdges: z.number().int().min(0).default(3).meta({ title: 'Derivations below which verification strength stays 1' }),
  toolAdequacyKnown: unit('Tool adequacy once a region is known', 0.8),
  toolAdequacyUnknown: unit('Tool adequacy before', 0.6),
  evidenceAdequacyKnown: unit('Evidence adequacy with observations', 0.8),
  evidenceAdequacyUnknown: unit('Evidence adequacy without', 0.4),
  fitWeight: z.number().min(0).max(10).default(0.3).meta({ title: 'Weight of abstraction fit' }),
  granularityShare: unit('Share of beliefs that sets the granularity', 0.5),
  supportHigh: unit('Weight of HIGH support', 1),
  supportMedium: unit('Weight of MEDIUM or unknown support', 0.5),
  supportLow: unit('Weight of LOW support', 0),
  lexicalMatching: z.boolean().default(true).meta({ title: 'Match failure patterns by words' }),
  lexicon: lexiconSchema.prefault({}).meta({ title: 'Words' }),
});
export type DiagnosticsConfig = z.output<typeof diagnosticsConfigSchema>;
export const defaultDiagnosticsConfig: DiagnosticsConfig = diagnosticsConfigSchema.parse({});
export const referenceDiagnosticsConfig: DiagnosticsConfig = {
  ...defaultDiagnosticsConfig,
  counting: 'all',
  minimumEdges: 0,
  lexicon: referenceLexicon,
};
