import { z } from 'zod';
import type { Decision } from '../../contract/decision';
import { decided, fact } from '../../layers/shared/explain';
import { type CoreFunctionalityTag, coreFunctionalityTagSchema, type TagConfidence, tagConfidenceSchema } from '../artefacts/design';
import type { ExecutionPlan } from '../artefacts/execution-plan';
import { planPath } from '../artefacts/paths';
import { numbered, type PlanStep } from '../artefacts/plan-step';
import { confidenceRank } from '../validators/config';

const tagName = { entity: z.string(), file_path: z.string() };

/** What a person may change on the approval card besides the words of their feedback (planning.md §11). */
export const planEditSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('prune'), ...tagName }),
  z.object({ kind: z.literal('promote'), ...tagName }),
  z.object({
    kind: z.literal('add'),
    entity: z.string().refine((text) => text.trim() !== '', 'name what must not break'),
    file_path: z.string(),
    reason: z.string().default('Named by the person who approved the plan.'),
    confidence: tagConfidenceSchema.default('high'),
  }),
  z.object({ kind: z.literal('drop_step'), step_number: z.int() }),
]);
export type PlanEdit = z.output<typeof planEditSchema>;

export interface EditedPlan {
  plan: ExecutionPlan;
  decisions: Decision[];
}

const sameTag = (tag: CoreFunctionalityTag, { entity, file_path }: { entity: string; file_path: string }): boolean =>
  tag.entity === entity && planPath(tag.file_path) === planPath(file_path);

/** One rank up, and at least as far as the setting asks, so that a promotion always has an effect. */
const promoted = (from: TagConfidence, least: TagConfidence): TagConfidence => {
  const rank = Math.min(2, Math.max(confidenceRank(from) + 1, confidenceRank(least)));
  return rank === 2 ? 'high' : 'medium';
};

const told = (edit: PlanEdit, outcome: string): Decision =>
  decided({
    rule: 'plan_edited',
    outcome,
    because: [
      fact('edit', edit.kind),
      edit.kind === 'drop_step' ? fact('step', edit.step_number) : fact('tag', `${edit.entity} (${edit.file_path})`),
    ],
  });

function editTags(plan: ExecutionPlan, edit: Exclude<PlanEdit, { kind: 'drop_step' }>, least: TagConfidence): EditedPlan {
  const tags = plan.core_functionality;
  const there = tags.find((tag) => sameTag(tag, edit));
  if (edit.kind === 'add') {
    if (there) return { plan, decisions: [told(edit, 'ignored: the tag is there already')] };
    const { kind: _, ...fields } = edit;
    const tag = coreFunctionalityTagSchema.parse({ ...fields, source_signal: 'user_designated' });
    return { plan: { ...plan, core_functionality: [...tags, tag] }, decisions: [told(edit, `added with confidence ${tag.confidence}`)] };
  }
  if (!there) return { plan, decisions: [told(edit, 'ignored: no such tag')] };
  if (edit.kind === 'prune') {
    return { plan: { ...plan, core_functionality: tags.filter((tag) => tag !== there) }, decisions: [told(edit, 'pruned')] };
  }
  const confidence = promoted(there.confidence, least);
  const next = tags.map((tag) => (tag === there ? { ...tag, confidence } : tag));
  return { plan: { ...plan, core_functionality: next }, decisions: [told(edit, `${there.confidence} → ${confidence}`)] };
}

/**
 * Applies a person's edits to a plan. Step numbers are those of the plan as it was shown, whatever else is dropped with it; the rest is
 * renumbered at the end. An edit that names nothing of the plan is told and ignored. Run the validators again afterwards.
 */
export function editPlan(plan: ExecutionPlan, edits: readonly PlanEdit[], minConfidence: TagConfidence = 'medium'): EditedPlan {
  const decisions: Decision[] = [];
  const dropped = new Set<PlanStep>();
  let edited = plan;
  for (const edit of edits) {
    if (edit.kind !== 'drop_step') {
      const result = editTags(edited, edit, minConfidence);
      edited = result.plan;
      decisions.push(...result.decisions);
      continue;
    }
    const step = [...plan.tdd_test_steps, ...plan.steps].find(({ step_number }) => step_number === edit.step_number);
    if (step) dropped.add(step);
    decisions.push(told(edit, step ? `dropped ${step.tool} ${step.file_path}`.trimEnd() : 'ignored: no such step'));
  }
  if (dropped.size === 0) return { plan: edited, decisions };
  const first = numbered(edited.tdd_test_steps.filter((step) => !dropped.has(step)));
  const steps = numbered(
    edited.steps.filter((step) => !dropped.has(step)),
    first.length + 1,
  );
  return { plan: { ...edited, tdd_test_steps: first, steps }, decisions };
}
