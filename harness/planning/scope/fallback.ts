import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { compared, decided, fact } from '../../layers/shared/explain';
import { type ScopeDocument, scopeDocumentSchema } from '../artefacts/scope-document';

export const scopeSynthesisConfigSchema = z.object({
  retries: z.int().min(0).max(10).default(1).meta({ title: 'Further attempts after a reply that cannot be used' }),
  contextChars: z.int().min(0).default(8000).meta({ title: 'Characters of the context that the model sees' }),
  fallbackChars: z.int().min(1).default(4000).meta({ title: 'Characters of the task that a fallback scope keeps' }),
});
export type ScopeSynthesisConfig = z.output<typeof scopeSynthesisConfigSchema>;
export const defaultScopeSynthesisConfig: ScopeSynthesisConfig = scopeSynthesisConfigSchema.parse({});

/** The problem of a fallback scope when there is no task text at all. */
export const emptyTaskNote = 'The task text was empty. Ask what is wanted before anything is changed.';

/** The scope of phase 1a, and whether a model wrote it. */
export interface SynthesizedScope {
  scope: ScopeDocument;
  synthesized: boolean;
  warnings: string[];
}

/** The beginning of a text, at most so many UTF-16 units, never ending in half a character. */
export const headOf = (text: string, limit: number): string => {
  const cut = text.slice(0, limit);
  return cut.length < text.length && /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
};

/**
 * The scope without a model (planning.md §5): the task itself is the problem, one assumption and one risk say so, everything else is empty.
 * Never fails, so that phase 2 always starts.
 */
export function fallbackScope(task: string, error: string, config: ScopeSynthesisConfig = defaultScopeSynthesisConfig): SynthesizedScope {
  const trimmed = task.trim();
  const scope = scopeDocumentSchema.parse({
    problem: trimmed === '' ? emptyTaskNote : headOf(trimmed, config.fallbackChars),
    assumptions: [
      {
        assumption: 'Scope synthesis failed; the problem text is the task as given and is authoritative.',
        verify_hint: 'Read the problem again, extract the entities it names, and grep for each of them.',
      },
    ],
    risks: ['This scope is a fallback and not a synthesis: deliverables, boundaries and success criteria were not worked out.'],
  });
  const cut = trimmed.length > config.fallbackChars ? ` The task was cut to ${config.fallbackChars} characters.` : '';
  return { scope, synthesized: false, warnings: [`Scope synthesis failed, the task text stands in for it: ${error}.${cut}`] };
}

/** The note that a second attempt carries. */
export const correctiveNote = (error: string): string =>
  `Your previous reply could not be used: ${error}\nReply with one JSON object that follows the schema. "problem" is required; every other field is a list and may be empty.`;

/** The part of the context that scope synthesis sees. */
export const scopeContext = (context: string, config: ScopeSynthesisConfig = defaultScopeSynthesisConfig): string =>
  headOf(context, config.contextChars);

export type ScopeVerdict = { next: 'retry'; note: string; decision: Decision } | { next: 'fallback'; decision: Decision };

/** What follows on a failed attempt; `attempt` counts from 1. Any error is reason enough. */
export function afterFailedAttempt(
  attempt: number,
  error: string,
  config: ScopeSynthesisConfig = defaultScopeSynthesisConfig,
): ScopeVerdict {
  const allowed = config.retries + 1;
  const because = [compared('attempt', attempt, '<', allowed), fact('error', error)];
  if (attempt < allowed) {
    const alternatives = [{ outcome: 'fallback', needs: `attempt ${allowed} fails as well` }];
    return {
      next: 'retry',
      note: correctiveNote(error),
      decision: decided({ rule: 'scope_retry', outcome: 'try again with a corrective note', because, alternatives }),
    };
  }
  return { next: 'fallback', decision: decided({ rule: 'scope_fallback', outcome: 'the task text becomes the problem', because }) };
}
