import { compared, fact } from '../../layers/shared/explain';
import { folderOf, planPath, uniquePaths } from '../artefacts/paths';
import { type Check, sorted, testSteps, type ValidatorContext } from './context';

const carriesToken = (path: string, tokens: readonly string[]): boolean =>
  tokens.some((token) => path.toLowerCase().includes(token.toLowerCase()));

/** Folders that hold a test among the files read for context. The root teaches nothing: everything lies below it. */
export function learnedFolders({ fileSummary, config }: Pick<ValidatorContext, 'fileSummary' | 'config'>): string[] {
  const seen = (fileSummary?.files_read_for_context ?? []).map(({ file_path }) => planPath(file_path));
  return uniquePaths(seen.filter((path) => carriesToken(path, config.testTokens)).map(folderOf));
}

/** V5: a test file stands where tests are kept, by its own path or by a folder that exploration saw a test in. */
export const testPathConventions: Check = {
  title: 'Test path conventions',
  run(context) {
    const folders = learnedFolders(context);
    const paths = uniquePaths(testSteps(context).map(({ file_path }) => file_path));
    const outside = sorted(
      paths.filter((path) => !carriesToken(path, context.config.testTokens) && !folders.some((folder) => path.startsWith(`${folder}/`))),
    );
    return {
      warnings: outside.map((path) => `test step path outside test convention: ${path}`),
      because: [
        compared('tests outside the convention', outside.length, '==', 0),
        fact('test files', paths.length),
        fact('folders learned', folders),
      ],
    };
  },
};
