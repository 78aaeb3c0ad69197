import type { Decision } from '../../contract/decision';
import { decided, fact } from '../../layers/shared/explain';
import { type FileObservation, fileObservationSchema } from '../artefacts/file-summary';
import { planPath } from '../artefacts/paths';

export type ObservationRecord =
  | { accepted: true; observations: FileObservation[]; reply: string; decision: Decision }
  | { accepted: false; observations: FileObservation[]; reply: string; decision: Decision };

/** A blank path would make one identity of every unnamed file. */
const recordSchema = fileObservationSchema.refine(({ file_path }) => planPath(file_path) !== '', {
  path: ['file_path'],
  message: 'name the file',
});

/**
 * Takes in one `record_file_observation` call (planning.md §6). A later record of a path replaces the earlier one in its place; arguments that
 * are no observation change nothing and are answered with what is wrong.
 */
export function recordObservation(observations: readonly FileObservation[], given: unknown): ObservationRecord {
  const parsed = recordSchema.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`);
    return {
      accepted: false,
      observations: [...observations],
      reply: `ERROR: the observation was not recorded. ${problems.join('; ')}`,
      decision: decided({ rule: 'observation_recorded', outcome: 'refused', because: [fact('problems', problems)] }),
    };
  }
  const next = { ...parsed.data, file_path: planPath(parsed.data.file_path) };
  const at = observations.findIndex(({ file_path }) => file_path === next.file_path);
  const replaced = at >= 0;
  const all = replaced ? observations.with(at, next) : [...observations, next];
  return {
    accepted: true,
    observations: all,
    reply: `${replaced ? 'Updated' : 'Recorded'} ${next.file_path} (${next.role}). ${all.length} file${all.length === 1 ? '' : 's'} recorded.`,
    decision: decided({
      rule: 'observation_recorded',
      outcome: replaced ? `replaced ${next.file_path}` : `added ${next.file_path}`,
      because: [fact('role', next.role), fact('observations', all.length)],
    }),
  };
}
