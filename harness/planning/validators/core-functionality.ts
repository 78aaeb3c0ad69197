import { compared, fact } from '../../layers/shared/explain';
import type { CoreFunctionalityTag } from '../artefacts/design';
import { fileName, mentionsPath, planPath } from '../artefacts/paths';
import type { PlanStep } from '../artefacts/plan-step';
import { isRegressionPath } from '../guards/path-rules';
import { confidenceRank } from './config';
import { allSteps, type Check, type ValidatorContext, type WeakMatch } from './context';

const squeezed = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** How a text names what a tag stands for: `''` outright, words when on thin ground, `null` not at all. */
export function mentionOf(tag: Pick<CoreFunctionalityTag, 'entity' | 'file_path'>, text: string): string | null {
  const entity = tag.entity.trim();
  if (entity !== '' && text.toLowerCase().includes(entity.toLowerCase())) return '';
  if (mentionsPath(text, tag.file_path)) return '';
  const name = fileName(tag.file_path);
  if (name !== '' && text.includes(name)) return `the bare name ${name}`;
  // `PasswordReset` is `password_reset` in many a file name.
  if (squeezed(entity).length > 3 && squeezed(text).includes(squeezed(entity))) return `${entity} in another spelling`;
  return null;
}

export const stepText = (step: PlanStep): string => [planPath(step.file_path), step.instruction, step.context, step.reason].join('\n');

/** Tags that need a regression test: those of at least the given confidence. */
export const demandingTags = ({ plan, config }: Pick<ValidatorContext, 'plan' | 'config'>): CoreFunctionalityTag[] =>
  plan.core_functionality.filter(({ confidence }) => confidenceRank(confidence) >= confidenceRank(config.minConfidence));

/** V7: each core tag of enough confidence has a step that creates a regression test and names the entity or its file. */
export const coreFunctionalityCovered: Check = {
  title: 'Core functionality has regression tests',
  run(context) {
    const tags = demandingTags(context);
    const steps = [...allSteps(context), ...(context.verificationSteps ?? [])].filter(
      ({ tool, file_path }) => tool === 'create_file' && isRegressionPath(file_path, context.config.regressionPattern),
    );
    const weak: WeakMatch[] = [];
    const uncovered = tags.filter((tag) => {
      const found = steps.map((step) => ({ step, by: mentionOf(tag, stepText(step)) }));
      if (found.some(({ by }) => by === '')) return false;
      const thin = found.find(({ by }) => by !== null);
      if (!thin) return true;
      weak.push({ subject: tag.entity, step: thin.step.step_number, by: thin.by ?? '' });
      return false;
    });
    const below = context.plan.core_functionality.length - tags.length;
    return {
      warnings: [
        ...new Set(
          uncovered.map(
            ({ entity, file_path, confidence }) =>
              `core-functionality tag missing regression test: ${entity} (${planPath(file_path)}, ${confidence})`,
          ),
        ),
      ],
      weak,
      because: [
        compared('core tags without a regression test', uncovered.length, '==', 0),
        fact('core tags', tags.length),
        fact(`tags below ${context.config.minConfidence}`, below),
        fact('regression test steps', steps.length),
      ],
    };
  },
};
