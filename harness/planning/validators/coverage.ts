import { compared, fact } from '../../layers/shared/explain';
import { fileName, mentionsPath, planPath, uniquePaths } from '../artefacts/paths';
import type { PlanStep } from '../artefacts/plan-step';
import { type Check, isExecutable, sorted, testSteps, type ValidatorContext, type WeakMatch } from './context';

/** Executable files that the change touches: what exploration lists, else what the plan lists. */
export function executableTargets({ fileSummary, plan, config }: Pick<ValidatorContext, 'fileSummary' | 'plan' | 'config'>): string[] {
  const listed = [...(fileSummary?.files_to_create ?? []), ...(fileSummary?.files_to_modify ?? [])].map(({ file_path }) => file_path);
  return sorted(uniquePaths(listed.length > 0 ? listed : plan.affected_files).filter((path) => isExecutable(path, config)));
}

type Match = { strength: 'full' } | { strength: 'weak'; by: string } | null;

function matchIn(step: PlanStep, path: string): Match {
  const text = [planPath(step.file_path), step.instruction, step.context].join('\n').replaceAll('\\', '/');
  if (mentionsPath(text, path)) return { strength: 'full' };
  if (text.includes(path)) return { strength: 'weak', by: 'the path as part of a longer one' };
  if (text.includes(fileName(path))) return { strength: 'weak', by: `the bare name ${fileName(path)}` };
  return null;
}

/**
 * V6: each executable file that changes is named by some test step, by full path or bare name. The bare name is coarse (`index.ts` anywhere
 * counts), so such a match passes and is told as weak.
 */
export const affectedFilesCovered: Check = {
  title: 'Affected files covered by tests',
  run(context) {
    const targets = executableTargets(context);
    const steps = testSteps(context);
    const weak: WeakMatch[] = [];
    const uncovered = targets.filter((path) => {
      const matches = steps.map((step) => ({ step, match: matchIn(step, path) }));
      if (matches.some(({ match }) => match?.strength === 'full')) return false;
      const found = matches.find(({ match }) => match !== null);
      if (found?.match?.strength !== 'weak') return true;
      weak.push({ subject: path, step: found.step.step_number, by: found.match.by });
      return false;
    });
    return {
      warnings: uncovered.map((path) => `affected file has no test coverage: ${path}`),
      weak,
      because: [
        compared('executable files without a test', uncovered.length, '==', 0),
        fact('executable files', targets.length),
        fact('test steps', steps.length),
        fact('weak matches', weak.length),
      ],
    };
  },
};
