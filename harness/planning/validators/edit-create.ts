import { compared } from '../../layers/shared/explain';
import { uniquePaths } from '../artefacts/paths';
import { allSteps, type Check, exemptPaths, pathsOf, sorted } from './context';
import { noSummary } from './invented-paths';

const paths = (entries: readonly { file_path: string }[]): string[] => uniquePaths(entries.map(({ file_path }) => file_path));

/** V3: what is edited exists, what is created does not, and no file is both (decision P4). */
export const editCreateConsistency: Check = {
  title: 'Edit and create agree with the exploration',
  run(context) {
    const { fileSummary, missingFiles } = context;
    if (fileSummary === null) return { warnings: [], because: [], skipped: noSummary };
    const steps = allSteps(context);
    const editable = new Set([...paths(fileSummary.files_to_modify), ...paths(fileSummary.files_read_for_context)]);
    const creatable = new Set([...paths(fileSummary.files_to_create), ...paths(missingFiles), ...exemptPaths(context)]);
    const edited = pathsOf(steps, 'edit_file');
    const created = pathsOf(steps, 'create_file');
    const unknownEdits = sorted(edited.filter((path) => !editable.has(path)));
    const unknownCreates = sorted(created.filter((path) => !creatable.has(path)));
    const both = sorted(edited.filter((path) => created.includes(path)));
    return {
      warnings: [
        ...unknownEdits.map((path) => `edit_file on unknown-to-modify path: ${path}`),
        ...unknownCreates.map((path) => `create_file on unknown-to-create path: ${path}`),
        ...both.map((path) => `path is both created and edited: ${path}`),
      ],
      because: [
        compared('edits of unknown files', unknownEdits.length, '==', 0),
        compared('unplanned new files', unknownCreates.length, '==', 0),
        compared('files both created and edited', both.length, '==', 0),
      ],
    };
  },
};
