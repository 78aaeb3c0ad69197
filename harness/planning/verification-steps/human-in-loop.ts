import { planPath } from '../artefacts/paths';
import type { PlanStep } from '../artefacts/plan-step';
import { isTestFilePath } from '../guards/path-rules';
import type { HumanLoopConfig } from './config';

const negation = /\b(?:no|not|never|without|instead of|rather than|avoid(?:s|ing)?|don't|doesn't|isn't|nor)\b[^.;:\n]{0,30}$/i;

/** The first match that the words just before it do not take back ("without a manual step"). */
export function firstClaim(text: string, patterns: readonly string[]): string | null {
  for (const pattern of patterns) {
    for (const match of text.matchAll(new RegExp(pattern, 'gi'))) {
      if (!negation.test(text.slice(Math.max(0, match.index - 50), match.index))) return match[0].trim();
    }
  }
  return null;
}

/** `verification`: the steps are phase 5's own, where an edit of source is a hook. `plan`: edits must say that they are one. */
export type ContractScope = 'verification' | 'plan';

const ownText = ({ instruction, reason, context }: PlanStep): string => [instruction, reason, context].join('\n');

function isHook(step: PlanStep, scope: ContractScope, config: HumanLoopConfig): boolean {
  if (step.tool !== 'edit_file' || step.file_path.trim() === '' || isTestFilePath(planPath(step.file_path))) return false;
  return scope === 'verification' || firstClaim(ownText(step), config.hook) !== null;
}

export interface HumanNeed {
  step: PlanStep;
  /** The words that gave it away. */
  words: string;
  why: string;
}

/**
 * Tests that a program cannot run by itself (planning.md §9, strict contract; L01). One that has to watch a window passes when an `edit_file`
 * step before it opens a hook for it; one that asks for a person does not, whatever was opened.
 */
export function humanInLoopTests(
  steps: readonly PlanStep[],
  tests: ReadonlySet<PlanStep>,
  { scope, config }: { scope: ContractScope; config: HumanLoopConfig },
): HumanNeed[] {
  const needs: HumanNeed[] = [];
  const hooks = steps.map((step, at) => ({ step, at })).filter(({ step }) => isHook(step, scope, config));
  steps.forEach((step, at) => {
    if (!tests.has(step)) return;
    const person = firstClaim(ownText(step), config.person);
    if (person !== null) {
      needs.push({ step, words: person, why: 'it asks for a person' });
      return;
    }
    const watching = firstClaim(ownText(step), config.observation);
    if (watching === null || firstClaim(ownText(step), config.programmatic) !== null || hooks.some((hook) => hook.at < at)) return;
    const late = hooks.find((hook) => hook.at > at);
    const why = late ? `its hook, step ${late.step.step_number}, comes after it` : 'no edit_file step before it opens a hook for the test';
    needs.push({ step, words: watching, why });
  });
  return needs;
}
