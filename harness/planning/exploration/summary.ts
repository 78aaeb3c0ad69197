import { type FileObservation, type FileSummary, fileSummarySchema, type ObservationRole } from '../artefacts/file-summary';
import { renderObservation } from '../artefacts/render-file-summary';

/**
 * The file summary that the observations alone support: each in the list of its role, a missing one as infrastructure that does not block.
 * Nothing is added that nobody recorded.
 */
export function summaryFromObservations(observations: readonly FileObservation[], notes = ''): FileSummary {
  const of = (role: ObservationRole) => observations.filter((observation) => observation.role === role);
  return fileSummarySchema.parse({
    files_to_modify: of('modify'),
    files_to_create: of('create'),
    files_read_for_context: of('reference'),
    missing_infrastructure: of('missing').map(({ file_path, reason }) => ({ name: file_path, reason })),
    notes,
  });
}

/** Recorded observations as a rebuilt conversation carries them (planning.md §6, context refresh). */
export const renderRecorded = (observations: readonly FileObservation[]): string =>
  observations.length === 0
    ? ''
    : `## Recorded observations\n\nThese are already recorded. Do not record them again.\n\n${observations.map(renderObservation).join('\n\n')}`;

/** The item that exploration works through besides the scope's own assumptions (planning.md §6). */
export const testInventoryAssumption = {
  assumption: 'The test framework, its directory and style, the regression files and the coverage of each affected file are known.',
  verify_hint:
    'Find the test configuration and two or three tests, excerpt one assertion, list regression files, and search tests for each affected file.',
};
