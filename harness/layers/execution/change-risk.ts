import { z } from 'zod';
import type { RiskLevel } from '../shared/levels';
import type { Change } from './change';
import type { RiskableAction } from './risk';

const patterns = (title: string, initial: string[]) =>
  z.array(z.string().min(1)).default(initial).meta({ title, description: 'Regular expressions over workspace paths, case ignored.' });

/** How a concrete change is sorted before its risk is estimated (D10, D13). */
export const changeKindConfigSchema = z.object({
  testPaths: patterns('Paths of tests', ['(^|/)(tests?|__tests__|spec)/', '\\.(test|spec)\\.[a-z]+$', '(^|/)test_[^/]+\\.py$']),
  infrastructurePaths: patterns('Paths of infrastructure', [
    '(^|/)(package(-lock)?\\.json|Dockerfile|Makefile|pyproject\\.toml|go\\.mod|Cargo\\.toml)$',
    '(^|/)\\.github/',
    '(^|/)(migrations?|infra|terraform|deploy)/',
    '\\.(sql|tf)$',
  ]),
  highGoal: z.boolean().default(true).meta({
    title: 'A HIGH goal makes every change infrastructure',
    description: 'As in the reference, where a turn of HIGH risk is HIGH throughout.',
  }),
});
export type ChangeKindConfig = z.output<typeof changeKindConfigSchema>;
export const defaultChangeKindConfig: ChangeKindConfig = changeKindConfigSchema.parse({});

/** Tests only when every path is one; infrastructure as soon as one is. A pattern that is no regular expression matches nothing. */
export function riskableChange(
  change: Pick<Change, 'paths' | 'lines' | 'functions'>,
  goalRisk: RiskLevel,
  config: ChangeKindConfig = defaultChangeKindConfig,
): RiskableAction {
  const matches = (path: string, list: readonly string[]) => list.some((pattern) => regExp(pattern)?.test(path) === true);
  const infrastructure = (config.highGoal && goalRisk === 'HIGH') || change.paths.some((path) => matches(path, config.infrastructurePaths));
  const test = change.paths.length > 0 && change.paths.every((path) => matches(path, config.testPaths));
  return {
    module_type: infrastructure ? 'infrastructure' : test ? 'test' : 'business_logic',
    affected_files: change.paths,
    lines_affected: change.lines,
    functions_affected: change.functions,
  };
}

function regExp(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern, 'i');
  } catch {
    return null;
  }
}
