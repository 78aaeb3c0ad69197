import { compared, fact } from '../../layers/shared/explain';
import type { MissingFile } from '../artefacts/design';
import { joined } from '../artefacts/markdown';
import { planPath } from '../artefacts/paths';
import { isWriteStep } from '../artefacts/plan-step';
import { allSteps, type Check, type ValidatorContext } from './context';

/** Missing files that no step brings about, by path. */
export function uncoveredMissingFiles(context: ValidatorContext): MissingFile[] {
  const covering = allSteps(context).filter((step) => context.config.missingFilesNeed === 'any-step' || isWriteStep(step));
  const covered = new Set(covering.map(({ file_path }) => planPath(file_path)));
  const byPath = new Map<string, MissingFile>();
  for (const missing of context.missingFiles) {
    const path = planPath(missing.file_path);
    if (path === '' || covered.has(path)) continue;
    const earlier = byPath.get(path);
    byPath.set(path, { ...missing, file_path: path, blocking: missing.blocking || earlier?.blocking === true });
  }
  return [...byPath.values()].sort((left, right) => (left.file_path < right.file_path ? -1 : 1));
}

/** V2: whatever the design found missing is made by some step. Blocking ones cause the one automatic revision of plan assembly. */
export const missingFilesCovered: Check = {
  title: 'Missing files covered',
  run(context) {
    const uncovered = uncoveredMissingFiles(context);
    const blocking = uncovered.filter((missing) => missing.blocking).map(({ file_path }) => file_path);
    return {
      warnings: uncovered.map(
        (missing) => `uncovered missing file: ${joined([missing.file_path, missing.purpose])}${missing.blocking ? ' [BLOCKING]' : ''}`,
      ),
      blocking,
      because: [
        compared('uncovered missing files', uncovered.length, '==', 0),
        compared('of these blocking', blocking.length, '==', 0),
        fact('missing files', context.missingFiles.length),
      ],
    };
  },
};
